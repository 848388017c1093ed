//===- Notes.h - the other op of a conflict ---------------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTG_NOTES_H
#define KERNELSCOPE_DIALECTS_TTG_NOTES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::ttg {

/// Adds to an error a note at the op that gave `value`, `what` it is to the op
/// that the error is on; nothing for an argument.
inline mlir::InFlightDiagnostic withOrigin(mlir::InFlightDiagnostic error,
                                           mlir::Value value,
                                           llvm::StringRef what) {
  if (mlir::Operation *op = value.getDefiningOp())
    error.attachNote(op->getLoc()) << what << " comes from here";
  return error;
}

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_NOTES_H
