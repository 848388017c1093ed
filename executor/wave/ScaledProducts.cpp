//===- ScaledProducts.cpp - Matrix products with scales -------------------===//
//
// CDNA 4 ISA, `V_MFMA_SCALE_F32_*_F8F6F4`, and gfx1250's `V_WMMA_SCALE_*`: 32
// elements along K share a scale, which another register holds, and 16 in
// `V_WMMA_SCALE16_*`.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/ScaledProducts.h"
#include "executor/wave/MatrixProducts.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace kernelscope::wave {

namespace {
/// The scales of one operand.
struct Scales {
  Column column;
  /// MFMA: the byte of each lane. WMMA: which half of the lanes.
  unsigned selected;
  bool isMfma;
  double (*read)(uint64_t byte);

  /// That of `line`, a row of A or column of B, in block `block` along K.
  double at(Wave &wave, unsigned line, unsigned block, unsigned lines) const {
    const unsigned lane = isMfma        ? line + block * lines
                          : lines == 32 ? line
                                        : line % 16 + 16 * selected;
    const unsigned byte = isMfma ? selected : block;
    return read((wave.value(column, lane) >> (8 * byte)) & 0xff);
  }
};
} // namespace

static double (*scaleReader(const Call &call, uint64_t format))(uint64_t) {
  if (format == 0)
    return scaleOfE8M0;
  if (format == 2)
    return matrixElementReader(MatrixElement::E4M3);
  call.decoder.fail("the wave simulator does not support scales of this type");
  return scaleOfE8M0;
}

static void scaledProduct(const Call &call) {
  Decoder &decoder = call.decoder;
  const bool isMfma = call.name.contains(".mfma.");
  const unsigned blockSize =
      call.name.contains(".scale16.") ? 16 : elementsPerScale;
  const bool isFp4 = call.name.contains(".32x16x128.f4");
  const MatrixInstruction *instruction =
      isFp4 ? scaledFp4Instruction(decoder.target()) : nullptr;
  for (const MatrixInstruction *row : scaledInstructions(decoder.target()))
    if (!isFp4 && (!isMfma || row->name == call.name))
      instruction = row;
  if (!instruction) {
    decoder.fail(decoder.target().arch + " has no '" + call.name + "'");
    return;
  }
  // MFMA: a, b, c, types, then selection and scale of each.
  // WMMA: type, unless it is fp4, and matrix of each, modifiers, c, then
  // selection, type and scales of each, and hints.
  const unsigned types = isFp4 ? 0 : 2, typeOfA = isMfma ? 3 : 0,
                 typeOfB = isMfma ? 4 : 2, a = isMfma || isFp4 ? 0 : 1,
                 b = isMfma || isFp4 ? 1 : 3, c = isMfma ? 2 : 3 + types,
                 selectionOfA = isMfma ? 5 : 4 + types,
                 selectionOfB = isMfma ? 7 : 7 + types,
                 scaleOfA = isMfma ? 6 : 6 + types,
                 scaleOfB = isMfma ? 8 : 9 + types;
  const uint64_t fp4 = llvm::find(scaledFormats, MatrixElement::E2M1) -
                       std::begin(scaledFormats),
                 formatOfA = isFp4 ? fp4 : call.immediate(typeOfA),
                 formatOfB = isFp4 ? fp4 : call.immediate(typeOfB);
  if (formatOfA >= std::size(scaledFormats) ||
      formatOfB >= std::size(scaledFormats) ||
      (!isMfma && call.immediate(2 + types) != 0)) {
    decoder.fail("the wave simulator does not support these modifiers");
    return;
  }
  const MatrixElement left = scaledFormats[formatOfA],
                      right = scaledFormats[formatOfB];
  const unsigned k = instruction->k;
  const MatrixFragments fragments = scaledFragments(*instruction, left, right);
  const MatrixOperand first(call, a, left, fragments.a, 'm');
  const MatrixOperand second(call, b, right, fragments.b, 'k');
  auto isZero = [&](unsigned i) {
    auto *number = dyn_cast<ConstantInt>(call.value(i));
    return number && number->isZero();
  };
  // MFMA without scales is written with scales of zero.
  const bool isPlain = isMfma && isZero(scaleOfA) && isZero(scaleOfB);
  MatrixScaling scaling;
  if (!isPlain) {
    const Scales ofA{
        call.scalar(scaleOfA),
        static_cast<unsigned>(call.immediate(selectionOfA) & (isMfma ? 3 : 1)),
        isMfma,
        isMfma ? scaleOfE8M0 : scaleReader(call, call.immediate(5 + types))};
    const Scales ofB{
        call.scalar(scaleOfB),
        static_cast<unsigned>(call.immediate(selectionOfB) & (isMfma ? 3 : 1)),
        isMfma,
        isMfma ? scaleOfE8M0 : scaleReader(call, call.immediate(8 + types))};
    scaling = [=, m = instruction->m, n = instruction->n](
                  Wave &wave, std::vector<double> &x, std::vector<double> &y) {
      for (unsigned block = 0; block < k / blockSize; ++block) {
        for (unsigned row = 0; row < m; ++row) {
          const double scale = ofA.at(wave, row, block, m);
          for (unsigned i = 0; i < blockSize; ++i)
            x[size_t{row} * k + size_t{block} * blockSize + i] *= scale;
        }
        for (unsigned column = 0; column < n; ++column) {
          const double scale = ofB.at(wave, column, block, n);
          for (unsigned i = 0; i < blockSize; ++i)
            y[(size_t{block} * blockSize + i) * n + column] *= scale;
        }
      }
    };
  }
  emitProduct(call, *instruction, first, second, c, /*isHigh=*/false, scaling);
}

void addScaledProducts(Meanings &meanings) {
  meanings.add("llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4", scaledProduct);
  meanings.add("llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4", scaledProduct);
  meanings.add("llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4", scaledProduct);
  meanings.add("llvm.amdgcn.wmma.scale16.f32.16x16x128.f8f6f4", scaledProduct);
  meanings.add("llvm.amdgcn.wmma.scale.f32.32x16x128.f4", scaledProduct);
  meanings.add("llvm.amdgcn.wmma.scale16.f32.32x16x128.f4", scaledProduct);
}

} // namespace kernelscope::wave
