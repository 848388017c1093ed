//===- MmaSync.cpp - Products of a warp -----------------------------------===//
//
// PTX ISA, "mma.sync" and "Block Scaling for mma.sync". Which lane holds which
// element is data, in dialects/target/NvidiaMatrixInstructions.cpp. Sums are in
// double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/ScaledProducts.h"
#include "executor/wave/nvidia/LaneMatrix.h"
#include "executor/wave/nvidia/Ptx.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// Operands d, a, b and c; none after a failure. Elements of A and B take
/// `bits` bits, 0 for as many as they have.
static std::optional<std::array<LaneMatrix, 4>>
readOperands(PtxCall &call, const MatrixInstruction &shape, unsigned bits) {
  const LaneElement sum(shape.c),
      elements[] = {sum, {shape.a, bits}, {shape.b, bits}, sum};
  const MatrixFragments &fragments = shape.fragments;
  const MatrixFragment *of[] = {&fragments.c, &fragments.a, &fragments.b,
                                &fragments.c};
  for (unsigned i = 0; i < 4; ++i) {
    const size_t found = call.instruction.operands.size() > i
                             ? call.instruction.operands[i].size()
                             : 0,
                 needed = elements[i].registersOf(*of[i]);
    if (found != needed) {
      call.fail(": operand " + Twine(i) + " has " + Twine(found) +
                " registers; it needs " + Twine(needed));
      return std::nullopt;
    }
  }
  auto operand = [&](unsigned i, char rows) {
    return LaneMatrix(call.parts(i), elements[i], *of[i], rows);
  };
  return std::array{operand(0, 'm'), operand(1, 'm'), operand(2, 'k'),
                    operand(3, 'm')};
}

/// What scales do to a row of A, or to a column of B, or a missing sign.
using Scale = std::function<void(Wave &, Matrix &a, Matrix &b)>;

static void emitProduct(PtxCall &call, const MatrixInstruction &shape,
                        bool saturates, unsigned bits, Scale scale) {
  auto operands = readOperands(call, shape, bits);
  if (!operands)
    return;
  call.emit([=, all = std::move(*operands), m = shape.m, n = shape.n,
             k = shape.k, name = shape.name](Wave &wave) {
    if (!isWholeWarp(wave, name))
      return;
    const auto &[d, a, b, c] = all;
    Matrix left(size_t{m} * k), right(size_t{k} * n), sum(size_t{m} * n);
    a.gather(wave, left, k);
    b.gather(wave, right, n);
    c.gather(wave, sum, n);
    if (scale)
      scale(wave, left, right);
    wave::multiplyMatrices({m, n, k}, left, right, sum);
    if (saturates)
      for (double &element : sum)
        element = std::clamp(element, -0x1p31, 0x1p31 - 1);
    d.scatter(wave, sum, n);
  });
}

/// The numbers that signed bytes are without a sign.
static void dropSigns(Matrix &matrix) {
  for (double &element : matrix)
    if (element < 0)
      element += 256;
}

/// A product of bytes, signed or not, whose sums wrap around; false if `row` is
/// not for the opcode.
static bool multiplyBytes(PtxCall &call, const MatrixInstruction &row) {
  StringRef types = call.instruction.opcode;
  if (!types.consume_front(formatv("mma.sync.aligned.m{0}n{1}k{2}.row.col.s32.",
                                   row.m, row.n, row.k)
                               .str()) ||
      !types.consume_back(".s32"))
    return false;
  const auto [a, b] = types.split('.');
  const bool isUnsignedA = a == "u8", isUnsignedB = b == "u8";
  if ((!isUnsignedA && a != "s8") || (!isUnsignedB && b != "s8"))
    return false;
  emitProduct(call, row, /*saturates=*/false, 0,
              [=](Wave &, Matrix &left, Matrix &right) {
                if (isUnsignedA)
                  dropSigns(left);
                if (isUnsignedB)
                  dropSigns(right);
              });
  return true;
}

static void multiplyByWarp(PtxCall &call) {
  for (const MatrixInstruction &row : nvidiaMatrixInstructions()) {
    if (row.name == call.instruction.opcode)
      return emitProduct(call, row, row.name.contains("satfinite"), 0, nullptr);
    if (row.a == MatrixElement::I8 && multiplyBytes(call, row))
      return;
  }
  call.fail();
}

//===----------------------------------------------------------------------===//
// Block scales
//===----------------------------------------------------------------------===//

namespace {
/// The scales of A or B in the registers of a warp.
struct ScaleOperand {
  Column word;
  /// The first byte of the word, and which lanes of four give it.
  unsigned byte, lanes;

  uint64_t at(Wave &wave, unsigned lane, unsigned i) const {
    return wave.value(word, lane) >> (8 * (byte + i)) & 0xff;
  }
};
} // namespace

static std::optional<ScaleOperand> readScales(PtxCall &call, size_t operand) {
  if (call.numOperands() < operand + 2 ||
      call.instruction.operands[operand + 1].size() != 2)
    return std::nullopt;
  const auto &selectors = call.instruction.operands[operand + 1];
  if (llvm::any_of(selectors, [](const auto &part) {
        return part.kind != assembly::Operand::Integer || part.integer > 3;
      }))
    return std::nullopt;
  return ScaleOperand{call.scalar(operand),
                      static_cast<unsigned>(selectors[0].integer),
                      static_cast<unsigned>(selectors[1].integer)};
}

/// The types of A and B that an opcode names.
static SmallVector<MatrixElement, 2> elementsOf(StringRef opcode) {
  SmallVector<MatrixElement, 2> elements;
  SmallVector<StringRef> words;
  opcode.split(words, '.');
  for (StringRef word : words)
    for (MatrixElement element : scaledFormats)
      if (word == nameOf(element))
        elements.push_back(element);
  return elements;
}

/// "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X
/// .f32.e4m3.e4m3.f32.ue8m0 d, a, b, c, sa, {byte, lanes}, sb, {byte, lanes}".
static void scaledProduct(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool isPacked = call.name.contains("mxf4");
  unsigned scales = isPacked ? 2 : 1;
  for (unsigned count : {1, 2, 4})
    if (opcode.take(("scale_vec::" + Twine(count) + "X").str()))
      scales = count;
  const bool isE4M3 = opcode.take("ue4m3");
  opcode.take("block_scale");
  if (!call.isUnderstood())
    return;
  const auto scaleA = readScales(call, 4), scaleB = readScales(call, 6);
  const auto elements = elementsOf(call.instruction.opcode);
  if (!scaleA || !scaleB || elements.size() != 2)
    return call.fail();
  const MatrixInstruction *bytes = nullptr;
  for (const MatrixInstruction &row : nvidiaMatrixInstructions())
    if (row.a == MatrixElement::E4M3 && row.b == MatrixElement::E4M3 &&
        row.c == MatrixElement::F32)
      bytes = &row;
  MatrixInstruction shape = *bytes;
  shape.a = elements[0];
  shape.b = elements[1];
  if (isPacked) {
    shape.k = 64;
    shape.fragments.a = {"k1 k2 k4 m8 k32", "k8 k16 m1 m2 m4"};
    shape.fragments.b = {"k1 k2 k4 k32", "k8 k16 n1 n2 n4"};
  }
  // Narrower elements have a byte each, unless they are packed.
  emitProduct(
      call, shape, /*saturates=*/false, isPacked ? 0 : 8,
      [=, m = shape.m, n = shape.n, k = shape.k](Wave &wave, Matrix &left,
                                                 Matrix &right) {
        auto *read = matrixElementReader(MatrixElement::E4M3);
        auto number = [&](uint64_t byte) {
          return isE4M3 ? read(byte) : scaleOfE8M0(byte);
        };
        for (unsigned i = 0; i < k; ++i) {
          const unsigned block = i / (k / scales);
          // Of four lanes, two neighbours give rows that are 8 apart.
          for (unsigned row = 0; row < m; ++row)
            left[size_t{row} * k + i] *= number(scaleA->at(
                wave, row % 8 * 4 + scaleA->lanes * 2 + row / 8, block));
          for (unsigned column = 0; column < n; ++column)
            right[size_t{i} * n + column] *=
                number(scaleB->at(wave, column * 4 + scaleB->lanes, block));
        }
      });
}

void addMatrixInstructions(PtxMeanings &meanings) {
  meanings.add("mma.sync.aligned", multiplyByWarp);
  for (StringRef shape : {"m16n8k32", "m16n8k64"})
    for (StringRef kind : {"kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"})
      meanings.add("mma.sync.aligned." + shape + ".row.col." + kind,
                   scaledProduct);
}

} // namespace kernelscope::wave::nvidia
