//===- DimBits.h - The bits of several dimensions in one word ---*- C++ -*-===//
//
// Internal to this folder: dimensions one after another, the first lowest.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_LAYOUT_DIMBITS_H
#define KERNELSCOPE_DIALECTS_LAYOUT_DIMBITS_H

#include "dialects/layout/LinearLayout.h"
#include "llvm/Support/MathExtras.h"

namespace kernelscope::layout {

/// The bits of all `dims` together.
inline unsigned totalBits(llvm::ArrayRef<LinearLayout::Dim> dims) {
  unsigned bits = 0;
  for (const LinearLayout::Dim &dim : dims)
    bits += dim.log2;
  return bits;
}

/// The `width` bits of `word` from bit `first`.
inline uint64_t bitField(uint64_t word, unsigned first, unsigned width) {
  return (word >> first) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// Dimensions of the given names and sizes, which are powers of two.
inline llvm::SmallVector<LinearLayout::Dim, 4>
toDims(llvm::ArrayRef<LinearLayout::NamedValue> sizes) {
  llvm::SmallVector<LinearLayout::Dim, 4> dims;
  for (auto [name, size] : sizes)
    dims.push_back({name, llvm::Log2_32(size)});
  return dims;
}

} // namespace kernelscope::layout

#endif // KERNELSCOPE_DIALECTS_LAYOUT_DIMBITS_H
