//===- Strided.h - Copies between dense and strided tensors ----*- C++ -*-===//
//
// Broadcasts, transpositions, slices and views of shared memory are all a dense
// tensor on one side and strides on the other.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_STRIDED_H
#define KERNELSCOPE_EXECUTOR_PLAN_STRIDED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstddef>
#include <cstdint>

namespace kernelscope::executor {

/// A shape walked with strides, in elements, one per dimension.
struct Strides {
  llvm::SmallVector<int64_t, 4> shape, strides;

  /// Calls `fn(offset, stride, length)` for each innermost row, in row-major
  /// order.
  template <typename Fn> void forEachRow(Fn fn) const {
    if (shape.empty())
      return fn(int64_t{0}, int64_t{0}, int64_t{1});
    const int inner = static_cast<int>(shape.size()) - 1;
    llvm::SmallVector<int64_t, 4> at(shape.size(), 0);
    int64_t offset = 0;
    while (true) {
      fn(offset, strides[inner], shape[inner]);
      int dim = inner - 1;
      for (; dim >= 0; --dim) {
        offset += strides[dim];
        if (++at[dim] < shape[dim])
          break;
        offset -= strides[dim] * shape[dim];
        at[dim] = 0;
      }
      if (dim < 0)
        return;
    }
  }
};

/// Row-major strides of `shape`.
inline llvm::SmallVector<int64_t, 4> rowMajor(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (int dim = static_cast<int>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// dense[i] = strided[...], over the whole shape.
template <typename T>
void gatherStrided(T *dense, const T *strided, const Strides &from) {
  from.forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
    const T *row = strided + offset;
    for (int64_t i = 0; i < length; ++i)
      dense[i] = row[i * stride];
    dense += length;
  });
}

/// strided[...] = dense[i], over the whole shape.
template <typename T>
void scatterStrided(T *strided, const T *dense, const Strides &to) {
  to.forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
    T *row = strided + offset;
    for (int64_t i = 0; i < length; ++i)
      row[i * stride] = dense[i];
    dense += length;
  });
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_STRIDED_H
