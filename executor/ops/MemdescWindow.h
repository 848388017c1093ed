//===- MemdescWindow.h - Which part of a buffer a memdesc is ---*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_MEMDESCWINDOW_H
#define KERNELSCOPE_EXECUTOR_OPS_MEMDESCWINDOW_H

#include "dialects/ttg/TTG.h"

namespace kernelscope::executor {

/// What a buffer that `type` is of has in memory: the dimensions of a ring of
/// buffers, then those of the allocation that it may be a window of.
struct Whole {
  llvm::SmallVector<int64_t, 4> shape;
  size_t ring; ///< leading dimensions that the layout does not place

  explicit Whole(ttg::MemDescType type);
};

/// The index of an element in each dimension of a buffer.
using Place = llvm::SmallVector<int64_t, 4>;

/// Where the first element of the window `memory` is in its allocation; none
/// when that is not known before the program runs.
std::optional<Place> windowStart(mlir::Value memory);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_MEMDESCWINDOW_H
