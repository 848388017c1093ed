//===- Indices.h - Where a thread's elements are ----------------*- C++ -*-===//
//
// Index math from a linear layout: which coordinates of the tensor each of this
// thread's registers holds.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_INDICES_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_INDICES_H

#include "dialects/layout/LinearLayout.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// Applies `layout` to i32 values of its in-dims (those not named are zero) and
/// gives one i32 per out-dim: the xor of the bases whose bit is set. What is
/// constant in the inputs folds away.
llvm::SmallVector<mlir::Value>
applyLayout(Builder &b, const LinearLayout &layout,
            llvm::ArrayRef<std::pair<mlir::StringAttr, mlir::Value>> inputs);

/// What this thread, its warp and its CTA contribute to each out-dim of
/// `layout` (in-dims lane, warp, block; those it lacks are zero), an i32 each:
/// a register adds its own part by xor.
llvm::SmallVector<mlir::Value>
applyToThread(Builder &b, const LinearLayout &layout, const TargetHooks &hooks);

/// For each register of the distributed `layout` (in-dims register, lane, warp,
/// block) this thread's coordinates in the tensor, one i32 per dimension.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
emitIndices(Builder &b, const LinearLayout &layout, const TargetHooks &hooks);

/// For each register of a tensor with a distributed layout what the first
/// thread holds in it: an index for each dimension.
std::vector<llvm::SmallVector<int32_t>>
registerCoordinates(mlir::RankedTensorType type);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_INDICES_H
