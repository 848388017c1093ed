//===- Scalars.h - integers while a program runs ----------------*- C++ -*-===//
//
// What an integer op computes from integers that are known. Two-valued logic
// and selects give an answer where one operand decides it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H
#define KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace kernelscope {

/// An integer of at most 64 bits, sign-extended; nothing where it is not known.
using Scalar = std::optional<int64_t>;

/// Whether `evaluateScalar` knows `op`: an op on integers, each with one
/// result.
bool isScalarOp(mlir::Operation *op);

/// The result of `op`, one of those, on `operands`.
Scalar evaluateScalar(mlir::Operation *op, llvm::ArrayRef<Scalar> operands);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H
