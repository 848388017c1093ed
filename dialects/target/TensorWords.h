//===- TensorWords.h - Descriptors of gfx1250's data mover ------*- C++ -*-===//
//
// Where the tensor data mover has what in the words of a descriptor. Its groups
// 0 to 3 have 4, 8, 4 and 4 words, one after another here. Dimensions are
// counted from the fastest. Lowering, launches and the wave simulator ask here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_TENSORWORDS_H
#define KERNELSCOPE_DIALECTS_TARGET_TENSORWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace kernelscope {

/// `bits` bits from bit `bit` of a group.
struct TensorField {
  unsigned group, bit, bits;
};

/// The first word of each group.
inline constexpr unsigned tensorGroupBegins[] = {0, 4, 12, 16};

/// Words of the descriptor of a tensor.
constexpr unsigned numTensorWords(unsigned rank) { return rank > 2 ? 20 : 12; }

namespace tensorFields {
inline constexpr TensorField enabled{0, 0, 2}, hasWideRows{0, 30, 1},
    isGather{0, 31, 1}, lds{0, 32, 32}, address{0, 64, 57},
    /// Always 2.
    kind{0, 126, 2};
inline constexpr TensorField multicast{1, 0, 16}, elementBytes{1, 16, 2},
    arrives{1, 18, 1}, iterates{1, 19, 1}, hasGaps{1, 20, 1},
    /// The logarithm of its bytes less 3, and its words less 1.
    gapInterval{1, 22, 3}, gapWords{1, 25, 7},
    /// The barrier to arrive at when all is moved: its address by 8.
    barrier{1, 32, 16};
inline constexpr TensorField sizes[] = {
    {1, 48, 32}, {1, 80, 32}, {2, 0, 32}, {2, 32, 32}, {3, 48, 32}};
/// Of a gather, the second is how many rows.
inline constexpr TensorField tile[] = {
    {1, 112, 16}, {1, 128, 16}, {1, 144, 16}, {2, 112, 16}, {3, 80, 16}};
/// From dimension 1 on.
inline constexpr TensorField strides[] = {
    {1, 160, 48}, {1, 208, 48}, {2, 64, 48}, {3, 0, 48}};
} // namespace tensorFields

/// What the field is in `words`; bits of words that are missing are zero.
inline uint64_t getTensorField(llvm::ArrayRef<uint32_t> words,
                               TensorField field) {
  uint64_t value = 0;
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = 32 * tensorGroupBegins[field.group] + field.bit + i;
    if (bit / 32 < words.size())
      value |= uint64_t{words[bit / 32] >> (bit % 32) & 1} << i;
  }
  return value;
}
/// Sets a field that is zero so far.
inline void setTensorField(llvm::MutableArrayRef<uint32_t> words,
                           TensorField field, uint64_t value) {
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = 32 * tensorGroupBegins[field.group] + field.bit + i;
    words[bit / 32] |= static_cast<uint32_t>(value >> i & 1) << (bit % 32);
  }
}

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_TENSORWORDS_H
