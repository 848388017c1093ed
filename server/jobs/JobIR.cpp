//===- JobIR.cpp - the IR that a job works on -----------------------------===//

#include "server/jobs/JobIR.h"

#include "dialects/Dialects.h"
#include "dialects/ttg/LaunchConfig.h"
#include "passes/LaunchTarget.h"
#include "server/analysis/ParseForCompile.h"
#include "server/text/Text.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace kernelscope;

namespace {

/// The answer for a list of diagnostics: its message is the first error's.
Json failureWith(JobFailure kind, std::vector<JobDiagnostic> list) {
  JobError error;
  error.kind = kind;
  error.message = "the compilation failed without a message";
  auto first =
      std::find_if(list.begin(), list.end(), [](const JobDiagnostic &entry) {
        return entry.severity == "error";
      });
  if (first != list.end()) {
    error.message = first->message;
    error.line = first->line;
    error.column = first->column;
  }
  error.diagnostics = std::move(list);
  return failedJob(error);
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
  JobDiagnostic entry{severity, {}, {}, diagnostic.str()};
  // A compound location has at least one with a line.
  mlir::FileLineColLoc place;
  diagnostic.getLocation()->walk([&](mlir::Location location) {
    place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (place && place.getLine() > 0) {
    entry.line = place.getLine() - 1;
    entry.column = place.getColumn() ? place.getColumn() - 1 : 0;
    if (severity[0] == 'e')
      progress.line(place.getLine() - 1);
  }
  diagnostics.push_back(std::move(entry));
}

Json IRDiagnostics::failure(JobFailure kind) const {
  return failureWith(kind, diagnostics);
}

mlir::OwningOpRef<mlir::ModuleOp>
kernelscope::parseRequest(const KernelRequest &request, Json &failure) {
  std::vector<Diagnostic> found;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseForCompile(
      request.text, request.path, jobContext(), found, request.line);
  if (module)
    return module;
  Text text(request.text);
  std::vector<JobDiagnostic> list;
  for (const Diagnostic &diagnostic : found) {
    Range range = text.rangeAt(diagnostic.span, PositionEncoding::UTF8);
    const char *severity = diagnostic.severity == Severity::Error ? "error"
                           : diagnostic.severity == Severity::Warning
                               ? "warning"
                               : "note";
    list.push_back({severity, range.start.line, range.start.character,
                    diagnostic.message});
  }
  failure = failureWith(JobFailure::InvalidIR, std::move(list));
  return nullptr;
}

llvm::Error kernelscope::readChoices(mlir::ModuleOp module,
                                     const CompileRequest &request,
                                     CompileOptions &options) {
  mlir::Operation *root = module;
  auto set = [&](const char *flag, const char *attribute,
                 std::optional<unsigned> asked, std::optional<int> own,
                 unsigned &option) -> llvm::Error {
    if (asked && own && unsigned(*own) != *asked)
      return llvm::createStringError(
          llvm::formatv("{0} is for TTIR; the layouts of this file need "
                        "\"{1}\" = {2}, not {3}",
                        flag, attribute, *own, *asked));
    option = asked.value_or(option);
    return llvm::Error::success();
  };
  std::optional<int> warps, ctas;
  if (hasLayouts(root)) {
    warps = ttg::lookupNumWarps(root);
    ctas = ttg::lookupNumCTAs(root).value_or(1);
    if (request.stages)
      return llvm::createStringError(
          "--num-stages is for TTIR; this file has layouts, and the loops of "
          "TTGIR are compiled as they are");
  }
  options.stages = request.stages.value_or(options.stages);
  if (llvm::Error error = set("--num-warps", "ttg.num-warps", request.warps,
                              warps, options.warps))
    return error;
  return set("--num-ctas", "ttg.num-ctas", request.ctas, ctas, options.ctas);
}
