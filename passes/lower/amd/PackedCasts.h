//===- PackedCasts.h - Conversions of several small floats at once -*- C++ -*-//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_PACKEDCASTS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_PACKEDCASTS_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// `TargetHooks::convertFloats` for AMD: 8-bit floats to and from wider ones by
/// instructions for two, and from OCP's formats by packed arithmetic where the
/// chip has none for them. No results: not by these.
llvm::SmallVector<mlir::Value> pairwiseCast(Builder &b, const Target &target,
                                            llvm::ArrayRef<mlir::Value> x,
                                            mlir::Type from, mlir::Type to,
                                            bool toZero);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_PACKEDCASTS_H
