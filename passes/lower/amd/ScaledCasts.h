//===- ScaledCasts.h - Conversions of small floats by a scale ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_SCALEDCASTS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_SCALEDCASTS_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// The instructions' name of an 8-bit format, of bytes with two e2m1 or of a
/// wide float: "fp8", "bf8", "fp4", "f16"; empty for other types.
llvm::StringRef castFormatOf(mlir::Type type);

/// A scale for `widenScaled`. `word` is an f32 for `v_cvt_scalef32_pk_*`, and
/// for `v_cvt_scale_pk8_*` an i32 whose byte 0 is the biased exponent for lanes
/// 0 to 15, and byte 1 that for lanes 16 to 31 if the selector says so.
struct CastScale {
  mlir::Value word;
  unsigned selector = 0;
};

/// 1.
CastScale unitScale(Builder &b, const Target &target);

/// How many bytes `widenScaled` converts, in whole words: 4, or 8 where one
/// instruction converts as many 8-bit floats.
size_t widenedBytes(const Target &target, bool isFp4);

/// The elements of at most `widenedBytes` bytes, times one scale, as f16, bf16
/// or f32. A byte has two elements of "fp4".
llvm::SmallVector<mlir::Value>
widenScaled(Builder &b, const Target &target, llvm::ArrayRef<mlir::Value> bytes,
            llvm::StringRef format, mlir::Type to, const CastScale &scale);

/// The bytes of `values`, which are f32, f16 or bf16, each divided by its
/// scale, an f32 of which only the exponent counts. Elements that are converted
/// at once have the same scale; what too large values become is the mode's
/// choice (CastMode.h).
llvm::SmallVector<mlir::Value> narrowScaled(Builder &b, const Target &target,
                                            llvm::ArrayRef<mlir::Value> values,
                                            llvm::ArrayRef<mlir::Value> scales,
                                            llvm::StringRef format);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_SCALEDCASTS_H
