//===- MatrixTiles.h - Tensors in tiles of shared memory --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_MATRIXTILES_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_MATRIXTILES_H

#include "passes/lower/support/LoadMatrixPlan.h"
#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// How ldmatrix or stmatrix moves registers at `places` that hold values of the
/// (unconverted) type `element`, if it can.
std::optional<LoadMatrixPlan> planTiles(const SharedPlaces &places,
                                        mlir::Type element);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_MATRIXTILES_H
