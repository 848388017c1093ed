//===- MatrixInstructions.cpp - What the matrix units can do --------------===//

#include "dialects/target/MatrixInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using enum MatrixElement;
using enum MatrixUnit;

unsigned kernelscope::bitsOf(MatrixElement element) {
  switch (element) {
  case F64:
    return 64;
  case F32:
  case TF32:
  case I32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case E4M3:
  case E5M2:
  case E4M3FNUZ:
  case E5M2FNUZ:
  case F8F6F4:
  case I8:
    return 8;
  case E2M3:
  case E3M2:
    return 6;
  case E2M1:
  case I4:
    return 4;
  }
  llvm_unreachable("all elements have a width");
}

llvm::StringRef kernelscope::nameOf(MatrixElement element) {
  switch (element) {
  case F64:
    return "f64";
  case F32:
    return "f32";
  case TF32:
    return "tf32";
  case F16:
    return "f16";
  case BF16:
    return "bf16";
  case E4M3:
    return "e4m3";
  case E5M2:
    return "e5m2";
  case E4M3FNUZ:
    return "e4m3fnuz";
  case E5M2FNUZ:
    return "e5m2fnuz";
  case E2M3:
    return "e2m3";
  case E3M2:
    return "e3m2";
  case E2M1:
    return "e2m1";
  case F8F6F4:
    return "floats of 8, 6 and 4 bits";
  case I4:
    return "i4";
  case I8:
    return "i8";
  case I32:
    return "i32";
  }
  llvm_unreachable("all elements have a name");
}

static llvm::SmallVector<FragmentBit> parseBits(llvm::StringRef text) {
  llvm::SmallVector<FragmentBit> bits;
  for (llvm::StringRef word : llvm::split(text, ' ')) {
    unsigned step = 0;
    if (word == "=")
      bits.push_back({'=', 0});
    else if (!word.empty() && !word.drop_front().getAsInteger(10, step))
      bits.push_back({word.front(), llvm::Log2_32(step)});
  }
  return bits;
}

llvm::SmallVector<FragmentBit> MatrixFragment::registerBits() const {
  return parseBits(registers);
}

llvm::SmallVector<FragmentBit> MatrixFragment::laneBits() const {
  return parseBits(lanes);
}

bool kernelscope::hasMatrixUnit(const Target &target, MatrixUnit unit) {
  auto since = [&](Family family) {
    return target.isNvidia() && target.family >= family;
  };
  bool isCdna2 = target.family == Family::CDNA2,
       isCdna3 = target.family == Family::CDNA3,
       isCdna4 = target.family == Family::CDNA4;
  switch (unit) {
  case MmaSm80:
    return since(Family::Ampere);
  case MmaSm89:
  case MmaSm89ToF16:
    return since(Family::Ada);
  case MmaSm90:
    return since(Family::Hopper);
  case Mfma:
    return isCdna2 || isCdna3 || isCdna4;
  case MfmaCdna3:
    return isCdna3 || isCdna4;
  case MfmaCdna3Only:
    return isCdna3;
  case MfmaCdna4:
    return isCdna4;
  case Wmma1:
    return target.family == Family::RDNA3;
  case Wmma2:
    return target.family == Family::RDNA4;
  case Wmma3:
    return target.family == Family::GFX1250;
  case Wgmma:
    return target.hasWgmma;
  case Tcgen05:
    return target.hasTensorMemory();
  }
  llvm_unreachable("all units are on some chip");
}

llvm::SmallVector<const MatrixInstruction *>
kernelscope::findMatrixInstructions(const Target &target,
                                    const MatrixQuery &query) {
  auto fits = [](auto wanted, auto found) {
    return !wanted || *wanted == found;
  };
  llvm::SmallVector<const MatrixInstruction *> result;
  for (const MatrixInstruction &row : matrixInstructionsOf(target.vendor))
    if (hasMatrixUnit(target, row.unit) && fits(query.a, row.a) &&
        fits(query.b, row.b) && fits(query.c, row.c) && fits(query.m, row.m) &&
        fits(query.n, row.n) && fits(query.k, row.k))
      result.push_back(&row);
  return result;
}

llvm::ArrayRef<MatrixInstruction>
kernelscope::matrixInstructionsOf(Vendor vendor) {
  return vendor == Vendor::Nvidia ? nvidiaMatrixInstructions()
                                  : amdMatrixInstructions();
}

llvm::SmallVector<std::array<unsigned, 3>>
kernelscope::matrixShapesOf(MatrixUnit unit) {
  llvm::SmallVector<std::array<unsigned, 3>> shapes;
  for (Vendor vendor : {Vendor::Nvidia, Vendor::Amd})
    for (const MatrixInstruction &row : matrixInstructionsOf(vendor)) {
      if (row.unit != unit)
        continue;
      shapes.push_back({row.m, row.n, row.k});
      if (bitsOf(row.a) == 4)
        shapes.push_back({row.m, row.n, row.k / 2});
    }
  llvm::sort(shapes);
  shapes.erase(llvm::unique(shapes), shapes.end());
  return shapes;
}
