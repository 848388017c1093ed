//===- ViewReach.h - Which part of its buffer a view covers -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_VIEWREACH_H
#define KERNELSCOPE_PASSES_MEMORY_VIEWREACH_H

#include "passes/memory/Buffers.h"

namespace kernelscope::memory {

/// The bytes of its allocation that `view`, a descriptor of shared memory,
/// reaches at most, counted from where the allocation begins. Nothing if that
/// is not known: it is not made from one allocation by views alone, or one of
/// them has an index that is not a constant.
std::optional<Interval> reachOf(mlir::Value view);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_VIEWREACH_H
