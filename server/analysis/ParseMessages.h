//===- ParseMessages.h - MLIR's parse errors, sorted and reworded -*- C++ -*-=//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PARSEMESSAGES_H
#define KERNELSCOPE_SERVER_ANALYSIS_PARSEMESSAGES_H

#include "server/analysis/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SourceMgr.h"

#include <vector>

namespace mlir {
class AsmParserState;
class Block;
} // namespace mlir

namespace kernelscope {

/// What MLIR's parser says.
struct ParseError {
  size_t offset; ///< In the parsed buffer.
  mlir::DiagnosticSeverity severity;
  std::string message;
  std::vector<std::pair<size_t, std::string>> notes; ///< Offset and message.
};

/// Parses the only buffer of `sources` into `block`, without verification.
/// False if that fails; whatever the parser says goes to `errors`.
bool parseText(llvm::SourceMgr &sources, mlir::Block *block,
               mlir::AsmParserState &state, std::vector<ParseError> &errors);

/// A remark is a hint.
Severity severityOf(mlir::DiagnosticSeverity severity);

/// Fills in the code of a diagnostic that has MLIR's message of a parse error,
/// says it better where MLIR's words do not help, and offers the nearest name
/// for a misspelt operation.
void classifyParseError(Diagnostic &diagnostic, mlir::MLIRContext &context);

/// Says that there is no operation `name`, which is at the diagnostic's place,
/// in quotes in the generic form, and offers the nearest.
void describeUnknownOperation(Diagnostic &diagnostic,
                              mlir::MLIRContext &context, llvm::StringRef name,
                              bool isQuoted = false);

/// The name in a message like "use of value '%x' expects ..."; else empty.
llvm::StringRef mistypedValue(llvm::StringRef message);
bool isUndeclaredValue(llvm::StringRef message);
bool isRedefinition(llvm::StringRef message);

/// Whether `name` is a dialect that can be loaded.
bool isKnownDialect(mlir::MLIRContext &context, llvm::StringRef name);

/// The source lines of a location, the innermost call first.
std::vector<SourcePlace> sourcePlaces(mlir::Location location);

/// The same, as a diagnostic tells them.
void addSourcePlaces(Diagnostic &diagnostic, mlir::Location location);

/// What texts are called when they are parsed. A location in it says no more
/// than where an op without a `loc` stands; `sourcePlaces` leaves it out.
inline constexpr llvm::StringLiteral bufferName = "kernelscope:text";

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PARSEMESSAGES_H
