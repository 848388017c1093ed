//===- PackedCasts.h - Conversions of several small floats at once -*- C++ -*-//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_PACKEDCASTS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_PACKEDCASTS_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// As `TargetHooks::convertFloats`, by `cvt` on pairs.
llvm::SmallVector<mlir::Value> packedCast(Builder &b, const Target &target,
                                          llvm::ArrayRef<mlir::Value> x,
                                          mlir::Type from, mlir::Type to,
                                          bool toZero);

/// As `TargetHooks::unpackFp4`, by table look-ups.
llvm::SmallVector<mlir::Value>
unpackedFp4(Builder &b, llvm::ArrayRef<mlir::Value> bytes, mlir::Type to);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_PACKEDCASTS_H
