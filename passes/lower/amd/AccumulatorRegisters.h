//===- AccumulatorRegisters.h - VGPRs or AGPRs for sums of MFMA -*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_ACCUMULATORREGISTERS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_ACCUMULATORREGISTERS_H

#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// Keeps `sum`, the elements of a fragment of C or D, in the registers that the
/// product `op` names by `amdg.cd_regclass`, as Gluon's `mfma(cd_regclass=)`
/// writes it: "a" for AGPRs, "v" for VGPRs. Without the attribute LLVM chooses.
llvm::SmallVector<mlir::Value> constrainSums(Builder &b, mlir::Operation *op,
                                             llvm::ArrayRef<mlir::Value> sum);

/// An error if `op` names other registers.
llvm::LogicalResult checkSumRegisters(mlir::Operation *op);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_ACCUMULATORREGISTERS_H
