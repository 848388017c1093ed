//===- Fp4Casts.h - Values of bytes with two e2m1 ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_FP4CASTS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_FP4CASTS_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// `TargetHooks::unpackFp4` for AMD: both e2m1 values of each byte, the lower
/// first, as f16, bf16 or f32, which hold each exactly.
llvm::SmallVector<mlir::Value> widenFp4(Builder &b, const Target &target,
                                        llvm::ArrayRef<mlir::Value> bytes,
                                        mlir::Type to);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_FP4CASTS_H
