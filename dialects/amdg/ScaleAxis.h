//===- ScaleAxis.h - Which scale an element of a product has ----*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_AMDG_SCALEAXIS_H
#define KERNELSCOPE_DIALECTS_AMDG_SCALEAXIS_H

#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope::amdg {

/// Elements along K that share a scale of `amdg.upcast_mxfp`.
constexpr int64_t elementsPerMXFPScale = 32;

/// The dimension of K of an operand of a product: the last one, but of a right
/// operand, as its layout says, the one before. The scales of both have K last:
/// [batch,] rows of the left or columns of the right operand, K / 32.
unsigned depthAxis(mlir::RankedTensorType operand);

} // namespace kernelscope::amdg

#endif // KERNELSCOPE_DIALECTS_AMDG_SCALEAXIS_H
