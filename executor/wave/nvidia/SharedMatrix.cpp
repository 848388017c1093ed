//===- SharedMatrix.cpp - Operands of matrix units in shared memory -------===//

#include "executor/wave/nvidia/SharedMatrix.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// The bytes of a line of a pattern.
constexpr uint32_t patternLine = 128;
constexpr uint32_t pieceBytes = 16;

/// "the shared-memory descriptor 0x... has 3 in its swizzle (bits 61 to 63); it
/// must be ...".
static Error badField(uint64_t descriptor, const char *field, uint64_t found,
                      const char *needed) {
  return createStringError("the shared-memory descriptor 0x%016llx has %llu in "
                           "%s; it must be %s",
                           static_cast<unsigned long long>(descriptor),
                           static_cast<unsigned long long>(found), field,
                           needed);
}

static uint32_t fieldOf(uint64_t descriptor, unsigned first, unsigned bits) {
  return static_cast<uint32_t>((descriptor >> first) &
                               ((uint64_t{1} << bits) - 1));
}

/// What both generations have in the same bits.
static SharedMatrix placesOf(uint64_t descriptor) {
  SharedMatrix matrix;
  matrix.address = fieldOf(descriptor, 0, 14) * pieceBytes;
  matrix.leadingBytes = fieldOf(descriptor, 16, 14) * pieceBytes;
  matrix.strideBytes = fieldOf(descriptor, 32, 14) * pieceBytes;
  matrix.baseOffset = fieldOf(descriptor, 49, 3);
  return matrix;
}

Expected<SharedMatrix> SharedMatrix::ofWgmma(uint64_t descriptor) {
  SharedMatrix matrix = placesOf(descriptor);
  for (auto [first, bits, name] : {std::tuple{14u, 2u, "bits 14 and 15"},
                                   {30u, 2u, "bits 30 and 31"},
                                   {46u, 3u, "bits 46 to 48"},
                                   {52u, 10u, "bits 52 to 61"}})
    if (const uint32_t found = fieldOf(descriptor, first, bits))
      return badField(descriptor, name, found, "0");
  // None, or 128, 64 or 32 bytes.
  constexpr unsigned chunks[] = {16, 128, 64, 32};
  matrix.swizzle.chunk = chunks[fieldOf(descriptor, 62, 2)];
  return matrix;
}

Expected<SharedMatrix> SharedMatrix::ofTensorCore(uint64_t descriptor) {
  auto field = [&](unsigned first, unsigned bits) {
    return fieldOf(descriptor, first, bits);
  };
  SharedMatrix matrix = placesOf(descriptor);
  if (field(46, 3) != 1)
    return badField(descriptor, "bits 46 to 48", field(46, 3), "1");
  if (field(52, 1))
    return badField(descriptor, "its mode of the leading dimension (bit 52)", 1,
                    "0; only tiles of 48 bytes along K have 1");
  if (field(53, 8))
    return badField(descriptor, "bits 53 to 60", field(53, 8), "0");
  switch (field(61, 3)) {
  case 0:
    break;
  case 1:
    matrix.swizzle = {128, 32};
    break;
  case 2:
    matrix.swizzle = {128, 16};
    break;
  case 4:
    matrix.swizzle = {64, 16};
    break;
  case 6:
    matrix.swizzle = {32, 16};
    break;
  default:
    return badField(
        descriptor, "its swizzle (bits 61 to 63)", field(61, 3),
        "0 for none, 1 for 128 bytes in atoms of 32, 2 for 128 bytes, 4 for 64 "
        "or 6 for 32");
  }
  return matrix;
}

uint32_t SharedMatrix::at(bool isKMajor, uint32_t line, uint32_t byte) const {
  const bool isSwizzled = swizzle.chunk > pieceBytes;
  // A swizzle in atoms of 32 bytes repeats after four lines.
  const uint32_t lines = swizzle.atom > pieceBytes ? 4 : 8;
  const uint32_t inGroup = line % lines, group = line / lines;
  uint32_t to = address + inGroup * swizzle.chunk;
  if (isKMajor) {
    // A line has one chunk if it is swizzled: what exceeds it continues at the
    // next address.
    to += group * strideBytes;
    to += isSwizzled ? byte
                     : byte % pieceBytes + byte / pieceBytes * leadingBytes;
  } else {
    // Without a swizzle the two strides change places.
    to += group * (isSwizzled ? strideBytes : leadingBytes);
    to += byte % swizzle.chunk +
          byte / swizzle.chunk * (isSwizzled ? leadingBytes : strideBytes);
  }
  if (!isSwizzled)
    return to;
  const uint32_t patternRow = to / patternLine - baseOffset;
  return to ^ (patternRow % (swizzle.chunk / swizzle.atom) * swizzle.atom);
}

Expected<ArrayRef<uint8_t>> SharedView::piece(uint32_t address) const {
  const uint32_t begin = address / pieceBytes * pieceBytes;
  if (begin + pieceBytes > bytes.size())
    return createStringError(
        "a matrix descriptor addresses byte %u of shared memory, which has %zu",
        begin, bytes.size());
  if (onRead)
    onRead(begin, pieceBytes);
  return ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()) + begin,
                  pieceBytes);
}

} // namespace kernelscope::wave::nvidia
