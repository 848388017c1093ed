//===- run.cpp - `kernelscope run`: runs a kernel and reports -------------===//
//
// On the CPU executor or a GPU, on the inputs of a launch spec or on defaults.
//
//===----------------------------------------------------------------------===//

#include "server/run/Run.h"

#include "dialects/Dialects.h"
#include "server/analysis/ParseForCompile.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/text/Text.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <nlohmann/json.hpp>

using namespace kernelscope;

namespace {

void printError(const std::string &place, const std::string &message) {
  llvm::errs() << place << ": error: " << message << "\n";
}

/// Prints MLIR's diagnostics with the line of the IR file.
void printDiagnostic(mlir::Diagnostic &diagnostic, const std::string &path) {
  std::string place = path;
  if (auto at =
          diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    place = path + ":" + std::to_string(at.getLine()) + ":" +
            std::to_string(at.getColumn());
  const bool isError =
      diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  llvm::errs() << place << (isError ? ": error: " : ": note: ")
               << diagnostic.str() << "\n";
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note, path);
}

} // namespace

int cli::run(int argc, char **argv) {
  CLI::App app("Runs a kernel and reports its outputs, its time and how far "
               "the results are "
               "from the CPU executor's. Inputs come from a launch spec, "
               "FILE.launch.json "
               "unless --spec names another; what it leaves out is worked out "
               "from the IR.",
               "kernelscope run");
  app.footer(
      "Exit codes: 0 done; 1 an error in the IR or at run time, or results "
      "that differ; "
      "2 wrong usage or a launch spec that does not fit; 3 no driver or GPU.\n"
      "For example:\n"
      "  kernelscope run kernel.ttgir --device cuda\n"
      "  kernelscope run kernel.ttir --device cpu --spec inputs.json --output "
      "results/");
  std::string file, device = "cpu", specPath, format = "text";
  std::optional<bool> compare;
  run::RunOptions options;
  app.add_option("file", file, "A .ttir, .ttgir or .mlir file.")->required();
  app.add_option("--device", device, "cuda, hip or cpu.")
      ->check(CLI::IsMember({"cuda", "hip", "cpu"}))
      ->capture_default_str();
  std::string kernel;
  app.add_option("--kernel", kernel,
                 "Which kernel of the file, when there are several.");
  app.add_option("--spec", specPath,
                 "The launch spec. Default: FILE.launch.json, if it is there.");
  app.add_option("--arch", options.arch,
                 "Compile for this architecture, not the file's or GPU's.");
  app.add_option("--output", options.outputFolder,
                 "Write each output to this folder, as .npy.");
  app.add_option("--format", format, "text or json.")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_flag("--compare,!--no-compare", compare,
               "Compare with the CPU executor. Default: on a GPU, when the "
               "buffers are small.");
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;
  options.device = *run::parseDevice(device);
  options.compare = compare;
  options.print = &llvm::outs();

  if (specPath.empty() && llvm::sys::fs::exists(run::sidecarPath(file)))
    specPath = run::sidecarPath(file);
  if (!specPath.empty()) {
    llvm::Expected<run::LaunchSpec> spec = run::readLaunchSpec(specPath);
    if (!spec) {
      llvm::errs() << "error: " << llvm::toString(spec.takeError()) << "\n";
      return 2;
    }
    options.spec = std::move(*spec);
  }
  if (!kernel.empty())
    options.spec.kernel = kernel;

  auto text = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!text) {
    printError(file, "cannot read the file: " + text.getError().message());
    return 2;
  }
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  std::vector<Diagnostic> found;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseForCompile((*text)->getBuffer(), file, context, found);
  if (!module) {
    const Text content((*text)->getBuffer().str());
    for (const Diagnostic &diagnostic : found) {
      const Range range =
          content.rangeAt(diagnostic.span, PositionEncoding::UTF8);
      printError(file + ":" + std::to_string(range.start.line + 1) + ":" +
                     std::to_string(range.start.character + 1),
                 diagnostic.message);
    }
    return 1;
  }
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          printDiagnostic(diagnostic, file);
                                          return mlir::success();
                                        });
  run::RunResult result = run::run(*module, options);
  if (result.report) {
    if (format == "json")
      llvm::outs() << run::toJson(*result.report).dump(2) << "\n";
    else
      llvm::outs() << run::toText(*result.report);
  }
  llvm::outs().flush();
  if (!result.error.empty())
    printError(file, result.error);
  return static_cast<int>(result.status);
}
