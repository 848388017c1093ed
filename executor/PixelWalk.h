//===- PixelWalk.h - The order of the pixels of an im2col block -*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_PIXELWALK_H
#define KERNELSCOPE_EXECUTOR_PIXELWALK_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

namespace kernelscope {

/// The coordinate along one dimension of an image after `steps` pixels, from
/// `start`: by `stride` up to `end`, then again from `lower` (PTX ISA, "Im2col
/// mode"). `steps` becomes the steps along the next dimension. The PTX ISA does
/// not say what happens if the start is outside the box; here the first line
/// then begins there, and the others in the box.
inline int64_t walkPixels(int64_t start, int64_t lower, int64_t end,
                          int64_t stride, int64_t &steps) {
  auto length = [&](int64_t from) {
    return std::max<int64_t>(1, llvm::divideCeilSigned(end - from, stride));
  };
  const int64_t first = length(start), after = steps - first;
  if (after < 0)
    return start + std::exchange(steps, 0) * stride;
  const int64_t line = length(lower);
  steps = 1 + after / line;
  return lower + after % line * stride;
}

} // namespace kernelscope

#endif // KERNELSCOPE_EXECUTOR_PIXELWALK_H
