//===- ParseMessages.cpp - MLIR's parse errors, sorted and reworded -------===//

#include "server/analysis/ParseMessages.h"

#include "server/analysis/NearMisses.h"
#include "server/analysis/spellings/Spellings.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace kernelscope;
using llvm::StringRef;
using mlir::Location;
using mlir::MLIRContext;

bool kernelscope::isKnownDialect(MLIRContext &context, StringRef name) {
  return context.getOrLoadDialect(name) != nullptr;
}

/// The byte of the buffer that a location of the parser names.
static size_t offsetOf(Location location, llvm::SourceMgr &sources) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  if (!place || place.getFilename() != bufferName)
    return 0;
  llvm::SMLoc loc =
      sources.FindLocForLineAndColumn(1, place.getLine(), place.getColumn());
  return loc.isValid()
             ? loc.getPointer() - sources.getMemoryBuffer(1)->getBufferStart()
             : 0;
}

bool kernelscope::parseText(llvm::SourceMgr &sources, mlir::Block *block,
                            mlir::AsmParserState &state,
                            std::vector<ParseError> &errors) {
  MLIRContext *context = block->getParentOp()->getContext();
  mlir::ScopedDiagnosticHandler handler(
      context, [&](mlir::Diagnostic &diagnostic) {
        ParseError error{offsetOf(diagnostic.getLocation(), sources),
                         diagnostic.getSeverity(),
                         diagnostic.str(),
                         {}};
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          error.notes.push_back(
              {offsetOf(note.getLocation(), sources), note.str()});
        errors.push_back(std::move(error));
      });
  mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  return succeeded(mlir::parseAsmSourceFile(sources, block, config, &state));
}

Severity kernelscope::severityOf(mlir::DiagnosticSeverity severity) {
  return severity == mlir::DiagnosticSeverity::Error     ? Severity::Error
         : severity == mlir::DiagnosticSeverity::Warning ? Severity::Warning
                                                         : Severity::Hint;
}

/// Text between the first pair of quotes.
static StringRef quoted(StringRef message) {
  return message.split('\'').second.split('\'').first;
}

StringRef kernelscope::mistypedValue(StringRef message) {
  if (message.starts_with("use of value '") ||
      message.starts_with("definition of SSA value '"))
    return quoted(message).split('#').first;
  return {};
}

bool kernelscope::isUndeclaredValue(StringRef message) {
  return message.starts_with("use of undeclared SSA value name");
}

bool kernelscope::isRedefinition(StringRef message) {
  return message.starts_with("redefinition of");
}

static size_t commonPrefix(StringRef a, StringRef b) {
  size_t length = 0;
  while (length < std::min(a.size(), b.size()) && a[length] == b[length])
    ++length;
  return length;
}

/// The operation whose name is nearest to `name`, or nothing if none is near.
/// If there are several, the one with the same prefix. `tt.ret` is the
/// beginning of `tt.return`, and so nearer to it than to `tt.dot`.
static std::string nearestOperation(MLIRContext &context, StringRef name) {
  auto [space, typed] = name.split('.');
  unsigned best = name.size() / 3 + 1;
  StringRef nearest, shortest;
  for (mlir::RegisteredOperationName operation :
       context.getRegisteredOperations()) {
    StringRef candidate = operation.getStringRef();
    if (operation.getDialectNamespace() != space)
      continue;
    if (typed.size() >= 3 && candidate.starts_with(name) &&
        (shortest.empty() || candidate.size() < shortest.size()))
      shortest = candidate;
    unsigned distance = countSlips(name, candidate, best);
    bool isBetter = distance < best || (distance == best && !nearest.empty() &&
                                        commonPrefix(name, candidate) >
                                            commonPrefix(name, nearest));
    if (isBetter) {
      best = distance;
      nearest = candidate;
    }
  }
  bool isSlip = !nearest.empty() && best == 1;
  return (shortest.empty() || isSlip ? nearest : shortest).str();
}

/// The operation of that name in the dialect with the name nearest to that of
/// `name`, or nothing.
static std::string inNearestDialect(MLIRContext &context, StringRef name) {
  auto [space, typed] = name.split('.');
  unsigned best = 3;
  StringRef nearest;
  context.loadAllAvailableDialects(); // the text may name none of its ops
  for (mlir::RegisteredOperationName operation :
       context.getRegisteredOperations()) {
    auto [other, own] = operation.getStringRef().split('.');
    if (own != typed)
      continue;
    unsigned slips = countSlips(space, other, best);
    if (slips < best && slips < other.size()) {
      best = slips;
      nearest = operation.getStringRef();
    }
  }
  return nearest.str();
}

/// The operation whose name is `name` with a dot, or nothing.
static std::string withDot(MLIRContext &context, StringRef name) {
  context.loadAllAvailableDialects(); // the text may name none of its ops
  for (mlir::RegisteredOperationName operation :
       context.getRegisteredOperations()) {
    auto [space, own] = operation.getStringRef().split('.');
    if (name.size() == space.size() + own.size() && name.starts_with(space) &&
        name.ends_with(own))
      return operation.getStringRef().str();
  }
  return "";
}

static void suggestOperation(Diagnostic &diagnostic, const std::string &nearest,
                             bool isQuoted) {
  if (nearest.empty())
    return;
  std::string quote = isQuoted ? "\"" : "";
  diagnostic.message += "; did you mean '" + nearest + "'?";
  diagnostic.fixes.push_back({"Change to '" + nearest + "'",
                              {{diagnostic.span, quote + nearest + quote}}});
}

void kernelscope::describeUnknownOperation(Diagnostic &diagnostic,
                                           MLIRContext &context, StringRef name,
                                           bool isQuoted) {
  auto [space, rest] = name.split('.');
  if (rest.empty() && !name.contains('.')) {
    diagnostic.code = isQuoted ? "unknown-op" : "syntax";
    diagnostic.message =
        ((isQuoted ? "operation '" : "expected an operation, found '") + name +
         (isQuoted ? "' has no dialect in its name" : "'"))
            .str();
    suggestOperation(diagnostic, withDot(context, name), isQuoted);
    return;
  }
  if (!isKnownDialect(context, space)) {
    diagnostic.code = "unknown-dialect";
    diagnostic.message =
        ("unknown dialect '" + space + "' of operation '" + name + "'").str();
    suggestOperation(diagnostic, inNearestDialect(context, name), isQuoted);
    return;
  }
  if (std::optional<std::string> gone = describeGoneOp(name)) {
    diagnostic.severity = Severity::Hint;
    diagnostic.code = "older-spelling";
    diagnostic.message = std::move(*gone);
    return;
  }
  diagnostic.code = "unknown-op";
  diagnostic.message =
      ("dialect '" + space + "' has no operation '" + name + "'").str();
  suggestOperation(diagnostic, nearestOperation(context, name), isQuoted);
}

/// What to say for a message of MLIR's parser or lexer that names its own
/// notions; empty for others.
static std::string plainer(StringRef message) {
  return llvm::StringSwitch<const char *>(message)
      .Case("expected operation name in quotes", "expected an operation")
      .Case("expected non-function type", "expected a type")
      .Case("invalid SSA name", "expected the name of a value after '%'")
      .Case("invalid block name", "expected the name of a block after '^'")
      .Case("invalid attribute name",
            "expected the name of an alias or a layout after '#'")
      .Case("invalid type identifier", "expected the name of a type after '!'")
      .Default("");
}

void kernelscope::classifyParseError(Diagnostic &diagnostic,
                                     MLIRContext &context) {
  StringRef message = diagnostic.message;
  diagnostic.code = "syntax";
  if (message.starts_with("custom op '")) {
    std::string operation(quoted(message));
    if (message.contains("' is unknown"))
      return describeUnknownOperation(diagnostic, context, operation);
    // "custom op 'x.y' expected ..."
    diagnostic.message = message.split("' ").second.ltrim().str();
    message = diagnostic.message;
  }
  if (message.starts_with("Dialect `")) {
    // "Dialect `x' not found for custom op 'x.y'"
    StringRef operation = message.split("custom op '").second.split('\'').first;
    return describeUnknownOperation(diagnostic, context,
                                    std::string(operation));
  }
  if (std::string plain = plainer(message); !plain.empty())
    diagnostic.message = std::move(plain);
  else if (isUndeclaredValue(message))
    diagnostic.code = "undeclared-value";
  else if (!mistypedValue(message).empty())
    diagnostic.code = "type-mismatch";
  else if (isRedefinition(message))
    diagnostic.code = "redefinition";
  else if (message.starts_with("undefined symbol alias"))
    diagnostic.code = "undeclared-alias";
  else if (message.contains("unknown") && message.contains("type"))
    diagnostic.code = "unknown-type";
  else if (message.contains("unknown") && message.contains("attribute"))
    diagnostic.code = "unknown-attribute";
}

static void collectPlaces(Location location, std::vector<SourcePlace> &places) {
  // Bounded, because the nesting in a broken dump can be arbitrarily deep.
  constexpr size_t limit = 8;
  if (places.size() >= limit)
    return;
  if (auto file = llvm::dyn_cast<mlir::FileLineColRange>(location)) {
    if (file.getFilename() != bufferName)
      places.push_back({file.getFilename().str(), file.getStartLine(),
                        file.getStartColumn()});
  } else if (auto name = llvm::dyn_cast<mlir::NameLoc>(location)) {
    collectPlaces(name.getChildLoc(), places);
  } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    collectPlaces(call.getCallee(), places);
    collectPlaces(call.getCaller(), places);
  } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collectPlaces(part, places);
  }
}

std::vector<SourcePlace> kernelscope::sourcePlaces(Location location) {
  std::vector<SourcePlace> places;
  collectPlaces(location, places);
  return places;
}

void kernelscope::addSourcePlaces(Diagnostic &diagnostic, Location location) {
  bool isInner = true;
  for (SourcePlace &place : sourcePlaces(location)) {
    diagnostic.related.push_back({std::nullopt, std::move(place),
                                  isInner ? "from here" : "called from here"});
    isInner = false;
  }
}
