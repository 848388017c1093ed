//===- MatrixDescriptor.cpp - Operands that matrix units find -------------===//

#include "dialects/ttg/MatrixDescriptor.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using llvm::Log2_32;
using mlir::StringAttr;

constexpr unsigned pieceBytes = 16;
constexpr unsigned rowsPerPattern = 8;

/// The fields that all matrix units have, and the number of the swizzle.
static uint64_t commonBits(const MatrixDescriptor &mode, uint64_t &swizzle) {
  // 128, 64 and 32 bytes count from 1; none is 0.
  swizzle = mode.swizzleBytes ? 8 - Log2_32(mode.swizzleBytes) : 0;
  return uint64_t(mode.strideBytes / pieceBytes) << 32 |
         uint64_t(mode.leadingBytes / pieceBytes) << 16;
}

uint64_t MatrixDescriptor::bits() const {
  uint64_t swizzle = 0, bits = commonBits(*this, swizzle);
  return bits | swizzle << 62;
}

uint64_t MatrixDescriptor::tensorCoreBits() const {
  uint64_t swizzle = 0, bits = commonBits(*this, swizzle);
  constexpr uint64_t version = 1;
  return bits | version << 46 | 2 * swizzle << 61;
}

/// Where the swizzle moves what would be at `address` without it: the piece's
/// number is xored with that of its 128 bytes.
static unsigned swizzled(unsigned address, unsigned chunk) {
  if (!chunk)
    return address;
  unsigned pieces = chunk / pieceBytes;
  return address ^ (((address / 128) & (pieces - 1)) * pieceBytes);
}

std::optional<MatrixDescriptor>
kernelscope::describeOperand(const LinearLayout &offsetOf, StringAttr outer,
                             StringAttr k, unsigned elementBytes,
                             unsigned outerSize, unsigned kSize,
                             MatrixUnit unit) {
  StringAttr offset = *offsetOf.getOutDimNames().begin();
  auto placeOf = [&](StringAttr dim, unsigned bit) -> std::optional<unsigned> {
    if (!offsetOf.hasInDim(dim) || bit >= offsetOf.getInDimSizeLog2(dim))
      return std::nullopt;
    return offsetOf.getBasis(dim, bit, offset) * elementBytes;
  };
  /// Whether bits from `first` on of `dim` step by `step`, twice that, ...;
  /// a step of 0 is set to the first that is found.
  auto stepsBy = [&](StringAttr dim, unsigned first, unsigned size,
                     unsigned &step, unsigned chunk) {
    for (unsigned bit = first; 1u << bit < size; ++bit) {
      std::optional<unsigned> place = placeOf(dim, bit);
      if (!step && place)
        step = *place;
      if (!place || !step || *place != swizzled(step << (bit - first), chunk))
        return false;
    }
    return true;
  };

  // What can lie along M or N: only types of 16 bits, and those of 8 for
  // tcgen05.
  const bool canBeOuterMajor =
      elementBytes == 2 || (elementBytes == 1 && unit == MatrixUnit::Tcgen05);
  for (bool isKMajor : {true, false})
    for (unsigned swizzle : {128u, 64u, 32u, 0u}) {
      unsigned chunk = swizzle ? swizzle : pieceBytes;
      if (!isKMajor && !canBeOuterMajor)
        continue;
      StringAttr along = isKMajor ? k : outer, across = isKMajor ? outer : k;
      unsigned alongSize = isKMajor ? kSize : outerSize,
               acrossSize = isKMajor ? outerSize : kSize;
      unsigned inChunk = std::min(alongSize, chunk / elementBytes);
      unsigned inStep = elementBytes, rowStep = chunk, nextAlong = 0,
               nextAcross = 0;
      if (!stepsBy(along, 0, inChunk, inStep, swizzle) ||
          !stepsBy(across, 0, std::min(acrossSize, rowsPerPattern), rowStep,
                   swizzle) ||
          !stepsBy(along, Log2_32(inChunk), alongSize, nextAlong, swizzle) ||
          !stepsBy(across, Log2_32(rowsPerPattern), acrossSize, nextAcross,
                   swizzle))
        continue;
      bool areExchanged = !swizzle && !isKMajor;
      return MatrixDescriptor{isKMajor, swizzle,
                              areExchanged ? nextAcross : nextAlong,
                              areExchanged ? nextAlong : nextAcross};
    }
  return std::nullopt;
}

LinearLayout ttg::offsetsOf(MemDescType type) {
  LinearLayout inverse = toLinearLayout(type).pseudoinvert();
  return inverse.sublayout(inverse.getInDimNames(),
                           {LayoutDims(type.getContext()).offset});
}

/// e2m1 values with gaps: 16 of them, in 8 bytes, take 16.
static LinearLayout withoutGaps(const LinearLayout &offsetOf, StringAttr k) {
  constexpr unsigned gapBit = 3;
  std::vector<LinearLayout::Bases> bases;
  for (StringAttr dim : offsetOf.getInDimNames()) {
    auto own = offsetOf.getBases(dim);
    if (dim == k && own.size() >= gapBit) {
      own.erase(own.begin(), own.begin() + gapBit);
      own.insert(own.begin(), {{1}, {2}, {4}, {8}});
    }
    bases.push_back({dim, own});
  }
  std::string error;
  auto made = LinearLayout::create(bases, offsetOf.getOutDimSizes(), error);
  return made ? *made : offsetOf;
}

LinearLayout ttg::operandOffsetsOf(MemDescType type, StringAttr k) {
  auto layout = llvm::dyn_cast<NVMMASharedEncodingAttr>(type.getEncoding());
  LinearLayout offsets = offsetsOf(type);
  return layout && layout.getFp4Padded() ? withoutGaps(offsets, k) : offsets;
}
