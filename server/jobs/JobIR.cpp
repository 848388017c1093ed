//===- JobIR.cpp - the IR that a job works on -----------------------------===//

#include "server/jobs/JobIR.h"

#include "dialects/Dialects.h"
#include "dialects/target/Occupancy.h"
#include "dialects/ttg/LaunchConfig.h"
#include "passes/LaunchTarget.h"
#include "server/analysis/ParseForCompile.h"
#include "server/jobs/TritonMetadata.h"
#include "server/text/Text.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
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

void IRDiagnostics::explain(mlir::Operation *op, llvm::StringRef message) {
  std::vector<JobDiagnostic> notes = std::move(diagnostics);
  diagnostics.clear();
  op->emitError(message);
  for (JobDiagnostic &note : notes) {
    note.severity = "note";
    diagnostics.push_back(std::move(note));
  }
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

/// The options for AMD. An error for one that is given for NVIDIA, or that
/// `arch` cannot have.
static llvm::Error readAmdOptions(const CompileRequest &request,
                                  llvm::StringRef arch,
                                  AmdKernelOptions &options) {
  const std::pair<const char *, bool> given[] = {
      {"--waves-per-eu", request.wavesPerEu.has_value()},
      {"--allow-flush-denorm", request.allowFlushDenorm.has_value()},
      {"--wgp-cu-mode", !request.wgpCuMode.empty()},
      {"--llvm-fn-attrs", !request.llvmFnAttrs.empty()}};
  if (vendorOf(arch) == Vendor::Nvidia)
    for (auto [flag, isGiven] : given)
      if (isGiven)
        return llvm::createStringError(llvm::formatv(
            "{0} is for AMD; this kernel is compiled for {1}", flag, arch));
  options.wavesPerEu = request.wavesPerEu.value_or(0);
  if (llvm::Expected<Target> target = Target::parse(arch)) {
    if (const unsigned most = maxWavesPerSimd(*target);
        target->isAmd() && options.wavesPerEu > most)
      return llvm::createStringError(llvm::formatv(
          "--waves-per-eu is {0}, but a SIMD of {1} holds at most {2} waves",
          options.wavesPerEu, arch, most));
  } else {
    llvm::consumeError(target.takeError());
  }
  options.flushDenormals = request.allowFlushDenorm.value_or(false);
  options.cuMode = request.wgpCuMode == "cu";
  for (llvm::StringRef attribute : llvm::split(request.llvmFnAttrs, ',')) {
    auto [name, value] = attribute.split('=');
    if (!name.trim().empty())
      options.attributes.emplace_back(name.trim().str(), value.trim().str());
  }
  return llvm::Error::success();
}

llvm::Error kernelscope::readChoices(mlir::ModuleOp module,
                                     const CompileRequest &given,
                                     llvm::StringRef arch,
                                     CompileOptions &options) {
  mlir::Operation *root = module;
  CompileRequest request = given;
  if (vendorOf(arch) != Vendor::Nvidia)
    addTritonMetadata(request, !hasLayouts(root));
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
  options.fuseFloatOps = request.enableFpFusion.value_or(options.fuseFloatOps);
  if (llvm::Error error = readAmdOptions(request, arch, options.amd))
    return error;
  if (llvm::Error error = set("--num-warps", "ttg.num-warps", request.warps,
                              warps, options.warps))
    return error;
  return set("--num-ctas", "ttg.num-ctas", request.ctas, ctas, options.ctas);
}
