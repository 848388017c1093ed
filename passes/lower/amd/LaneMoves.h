//===- LaneMoves.h - Values from lane to lane -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_LANEMOVES_H
#define KERNELSCOPE_PASSES_LOWER_AMD_LANEMOVES_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// The i32 `value` of lane `lane`, any of the warp, through the LDS crossbar.
mlir::Value permuteLanes(Builder &b, mlir::Value value, mlir::Value lane);

/// The i32 `value` of lane `lane ^ mask`, where `lane` is the own: without the
/// LDS crossbar if the chip can.
mlir::Value xorLanes(Builder &b, const Target &target, mlir::Value value,
                     mlir::Value lane, unsigned mask);

/// The i32 `first` and `second` after the lanes with `bit` set, 16 or 32, have
/// given their `first` for the `second` of those without (LaneSwaps.h).
std::pair<mlir::Value, mlir::Value> swapLanes(Builder &b, mlir::Value first,
                                              mlir::Value second, unsigned bit);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_LANEMOVES_H
