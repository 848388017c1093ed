//===- RescalingFactor.h - What sums are rescaled by -----------*- C++ -*-===//
//
// An online softmax multiplies its sum by exp(m - max(m, ...)) whenever it
// finds a larger element.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_TTIR_RESCALINGFACTOR_H
#define KERNELSCOPE_PASSES_TTIR_RESCALINGFACTOR_H

#include "mlir/IR/Value.h"

namespace kernelscope {

/// What `value` is a conversion to another layout of, or `value`.
mlir::Value withoutConversion(mlir::Value value);

/// Whether `factor` is an `exp` or `exp2` that is seen to be between 0 and 1,
/// or NaN. Others overflow for exponents that are large enough.
bool isAtMostOne(mlir::Value factor);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_RESCALINGFACTOR_H
