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

/// A number in the text of an op, in an attribute that is named or, with an
/// empty name, the first of its numbers, and the right one.
struct SuggestedNumber {
  int64_t from, to;
  llvm::StringRef attribute;
};

/// Gives to an error on an op the number that would be right in place of
/// another one, for an editor to offer. The name must be a literal.
inline void suggestNumber(mlir::InFlightDiagnostic &error,
                          SuggestedNumber number) {
  if (mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic()) {
    diagnostic->getMetadata().emplace_back(number.from);
    diagnostic->getMetadata().emplace_back(number.to);
    diagnostic->getMetadata().emplace_back(number.attribute);
  }
}

/// What `suggestNumber` gave to an error.
inline std::optional<SuggestedNumber> suggestedNumber(mlir::Diagnostic &error) {
  auto &given = error.getMetadata();
  using Kind = mlir::DiagnosticArgument::DiagnosticArgumentKind;
  if (given.size() != 3 || given[0].getKind() != Kind::Integer ||
      given[1].getKind() != Kind::Integer || given[2].getKind() != Kind::String)
    return std::nullopt;
  return SuggestedNumber{given[0].getAsInteger(), given[1].getAsInteger(),
                         given[2].getAsString()};
}

/// Gives to an error on an op with a note on another one the operand of that
/// which would be right in place of one of its own, for an editor to offer.
/// Both count from 0.
inline void suggestOperand(mlir::InFlightDiagnostic &error, unsigned own,
                           unsigned ofNote) {
  if (mlir::Diagnostic *diagnostic = error.getUnderlyingDiagnostic()) {
    diagnostic->getMetadata().emplace_back(own);
    diagnostic->getMetadata().emplace_back(ofNote);
  }
}

/// What `suggestOperand` gave to an error: the operand, and that of the op of
/// the first note.
inline std::optional<std::pair<unsigned, unsigned>>
suggestedOperand(mlir::Diagnostic &error) {
  auto &given = error.getMetadata();
  using Kind = mlir::DiagnosticArgument::DiagnosticArgumentKind;
  if (given.size() != 2 || given[0].getKind() != Kind::Unsigned ||
      given[1].getKind() != Kind::Unsigned)
    return std::nullopt;
  return std::pair(unsigned(given[0].getAsUnsigned()),
                   unsigned(given[1].getAsUnsigned()));
}

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_NOTES_H
