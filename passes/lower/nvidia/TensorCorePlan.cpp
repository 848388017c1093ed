//===- TensorCorePlan.cpp - Instructions of the tensor core ---------------===//

#include "passes/lower/nvidia/TensorCorePlan.h"

using namespace kernelscope;
using namespace kernelscope::lower;

//===----------------------------------------------------------------------===//
// The instruction descriptor
//===----------------------------------------------------------------------===//

/// The number of an operand's type, which depends on the kind.
static uint32_t codeOf(llvm::StringRef kind, MatrixElement element,
                       bool isUnsigned) {
  if (kind == "i8")
    return isUnsigned ? 0 : 1;
  if (kind.starts_with("mxf4"))
    return 1; // e2m1, as all of them
  switch (element) {
  case MatrixElement::BF16:
  case MatrixElement::E5M2:
    return 1;
  case MatrixElement::TF32:
  case MatrixElement::F32:
    return 2;
  case MatrixElement::E2M3:
    return 3;
  case MatrixElement::E3M2:
    return 4;
  case MatrixElement::E2M1:
    return 5;
  default: // f16, e4m3
    return 0;
  }
}

uint32_t TensorCoreProduct::descriptor(unsigned scaleOfA,
                                       unsigned scaleOfB) const {
  uint32_t bits = codeOf(kind, a, isUnsigned) << 7 |
                  codeOf(kind, b, isUnsigned) << 10 | uint32_t(isMMajor) << 15 |
                  uint32_t(isNMajor) << 16 | n / 8 << 17;
  if (isScaled())
    return bits | scaleOfB << 4 | uint32_t(hasExponentScales) << 23 |
           m / 128 << 27 | scaleOfA << 29;
  const uint32_t sum = d == MatrixElement::F16   ? 0
                       : d == MatrixElement::I32 ? 2
                                                 : 1;
  return bits | sum << 4 | m / 16 << 24;
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

bool lower::hasScalesOf(const TensorMemoryMap &memory, unsigned rows,
                        unsigned scalesPerRow) {
  using Indices = llvm::ArrayRef<int32_t>;
  constexpr int32_t rowsOfColumn = 32;
  for (int32_t row = 1; row < std::min(rowsOfColumn, int32_t(rows)); row *= 2)
    if (Indices(memory.indicesAt({row, 0})) != Indices({row, 0}))
      return false;
  for (int32_t scale = 1; scale < int32_t(scalesPerRow); scale *= 2)
    if (Indices(memory.indicesAt({}, scale)) != Indices({0, scale}))
      return false;
  for (int32_t row = rowsOfColumn; row < int32_t(rows); row *= 2)
    if (Indices(memory.indicesAt({0, row / rowsOfColumn})) != Indices({row, 0}))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

uint32_t lower::receiversOf(unsigned cta, unsigned ctas,
                            llvm::ArrayRef<uint32_t> shared) {
  uint32_t receivers = 0;
  for (unsigned other = 0; other < ctas; ++other)
    for (uint32_t bits : shared)
      if (((cta ^ other) & ~bits) == 0)
        receivers |= uint32_t(1) << other;
  return receivers;
}
