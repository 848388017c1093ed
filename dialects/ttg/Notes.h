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

/// Gives to `error` the layout that would be right in place of `from`, for an
/// editor to offer.
inline void suggestLayout(mlir::InFlightDiagnostic &error, mlir::Attribute from,
                          mlir::Attribute to) {
  if (mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic()) {
    diagnostic->getMetadata().emplace_back(from);
    diagnostic->getMetadata().emplace_back(to);
  }
}

/// What `suggestLayout` gave to an error: the layout, and the right one.
inline std::optional<std::pair<mlir::Attribute, mlir::Attribute>>
suggestedLayout(mlir::Diagnostic &error) {
  auto &given = error.getMetadata();
  using Kind = mlir::DiagnosticArgument::DiagnosticArgumentKind;
  if (given.size() != 2 || given[0].getKind() != Kind::Attribute ||
      given[1].getKind() != Kind::Attribute)
    return std::nullopt;
  return std::pair(given[0].getAsAttribute(), given[1].getAsAttribute());
}

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_NOTES_H
