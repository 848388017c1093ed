//===- JobDiagnostics.cpp - MLIR's diagnostics in a job's answer ----------===//

#include "server/jobs/JobDiagnostics.h"

#include "mlir/IR/Location.h"

using namespace kernelscope;

namespace {

/// The answer for a list of diagnostics: its message is the first error's.
Json failureWith(Json list) {
  std::string message = "the compilation failed without a message";
  Json answer;
  for (const Json &entry : list) {
    if (entry["severity"] != "error")
      continue;
    answer = jobError(JobFailure::InvalidIR, entry["message"]);
    if (entry.contains("line")) {
      answer["error"]["line"] = entry["line"];
      answer["error"]["column"] = entry["column"];
    }
    break;
  }
  if (answer.is_null())
    answer = jobError(JobFailure::InvalidIR, message);
  answer["error"]["diagnostics"] = std::move(list);
  return answer;
}

} // namespace

IRDiagnostics::IRDiagnostics(mlir::MLIRContext &context, JobProgress &progress)
    : progress(progress),
      handler(&context, [this](mlir::Diagnostic &diagnostic) {
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

Json IRDiagnostics::failure() const { return failureWith(diagnostics); }

Json kernelscope::failureOf(const std::vector<Diagnostic> &found,
                            const Text &text) {
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
  return failureWith(std::move(list));
}
