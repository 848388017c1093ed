//===- JobIR.cpp - the IR that a job works on -----------------------------===//

#include "server/jobs/JobIR.h"

#include "dialects/Dialects.h"
#include "server/analysis/ParseForCompile.h"
#include "server/text/Text.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

using namespace kernelscope;

namespace {

/// The answer for a list of diagnostics: its message is the first error's.
Json failureWith(JobFailure kind, Json list) {
  std::string message = "the compilation failed without a message";
  Json answer;
  for (const Json &entry : list) {
    if (entry["severity"] != "error")
      continue;
    answer = jobError(kind, entry["message"]);
    if (entry.contains("line")) {
      answer["error"]["line"] = entry["line"];
      answer["error"]["column"] = entry["column"];
    }
    break;
  }
  if (answer.is_null())
    answer = jobError(kind, message);
  answer["error"]["diagnostics"] = std::move(list);
  return answer;
}

} // namespace

mlir::MLIRContext &kernelscope::jobContext() {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    auto *made =
        new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    made->printOpOnDiagnostic(false);
    return made;
  }();
  return *context;
}

std::string kernelscope::stringOf(const Json &request, const char *key) {
  auto it = request.find(key);
  return it != request.end() && it->is_string() ? it->get<std::string>()
                                                : std::string();
}

IRDiagnostics::IRDiagnostics(JobProgress &progress)
    : progress(progress),
      handler(&jobContext(), [this](mlir::Diagnostic &diagnostic) {
        add(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          add(note);
        return mlir::success();
      }) {}

void IRDiagnostics::add(mlir::Diagnostic &diagnostic) {
  const char *severity =
      diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error ? "error"
      : diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning
          ? "warning"
          : "note";
  Json entry = {{"severity", severity}, {"message", diagnostic.str()}};
  // A location made of others has at least one of a line.
  mlir::FileLineColLoc place;
  diagnostic.getLocation()->walk([&](mlir::Location location) {
    place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (place && place.getLine() > 0) {
    entry["line"] = place.getLine() - 1;
    entry["column"] = place.getColumn() ? place.getColumn() - 1 : 0;
    if (severity[0] == 'e')
      progress.line(place.getLine() - 1);
  }
  diagnostics.push_back(std::move(entry));
}

Json IRDiagnostics::failure(JobFailure kind) const {
  return failureWith(kind, diagnostics);
}

mlir::OwningOpRef<mlir::ModuleOp> kernelscope::parseRequest(const Json &request,
                                                            Json &failure) {
  std::string content = stringOf(request, "text");
  std::optional<size_t> line;
  if (auto it = request.find("line");
      it != request.end() && it->is_number_unsigned())
    line = *it;
  std::vector<Diagnostic> found;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseForCompile(
      content, stringOf(request, "path"), jobContext(), found, line);
  if (module)
    return module;
  Text text(content);
  Json list = Json::array();
  for (const Diagnostic &diagnostic : found) {
    Range range = text.rangeAt(diagnostic.span, PositionEncoding::UTF8);
    const char *severity = diagnostic.severity == Severity::Error ? "error"
                           : diagnostic.severity == Severity::Warning
                               ? "warning"
                               : "note";
    list.push_back({{"severity", severity},
                    {"line", range.start.line},
                    {"column", range.start.character},
                    {"message", diagnostic.message}});
  }
  failure = failureWith(JobFailure::InvalidIR, std::move(list));
  return nullptr;
}
