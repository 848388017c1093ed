//===- CastMode.h - What narrow floats make of large values -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_CASTMODE_H
#define KERNELSCOPE_PASSES_LOWER_AMD_CASTMODE_H

#include "mlir/IR/BuiltinOps.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// Before the conversion: decides whether the kernels of a module for AMD run
/// in the mode FP16_OVFL, in which conversions to 8-bit floats saturate. So
/// does f16 arithmetic, so only kernels without any are in it, and those with
/// `amdg.scaled_downcast_fp8`, whose result is saturated by nothing else.
void chooseCastMode(mlir::ModuleOp module);

/// After the conversion: the kernels enter the mode, if it was chosen.
void enterCastMode(mlir::ModuleOp module);

/// Whether the code at `b` is in that mode.
bool castsSaturate(Builder &b);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_CASTMODE_H
