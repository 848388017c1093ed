//===- Captures.h - What partitions are passed ------------------*- C++ -*-===//
//
// The operands of ttg.warp_specialize reach other warps through its scratch
// memory. Values that every warp can compute are recomputed instead.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_CAPTURES_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_CAPTURES_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// Stores the operands of `op` where the i1 `isFirst` holds.
void storeCaptures(Builder &b, ttg::WarpSpecializeOp op, mlir::Value isFirst,
                   const TypeConverter &converter, const TargetHooks &hooks);

/// The operands of `op` in a warp that runs a partition, after the kernel's
/// warps stored them. Of (unconverted) types as the op has them.
llvm::SmallVector<mlir::Value> loadCaptures(Builder &b,
                                            ttg::WarpSpecializeOp op,
                                            const TypeConverter &converter,
                                            const TargetHooks &hooks);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_CAPTURES_H
