//===- opt.cpp - `kernelscope opt`: MLIR's pass driver over our dialects --===//

#include "dialects/Dialects.h"
#include "passes/Pipelines.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/cli/Commands.h"
#include "server/cli/Source.h"
#include "server/text/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <unistd.h>

using namespace kernelscope;

static constexpr const char overview[] =
    R"(runs passes and pipelines over a file, as mlir-opt does

For example:
  kernelscope opt kernel.ttir --to-llvm=arch=sm_90a
  kernelscope opt kernel.ttgir --ttgir-to-llvm=arch=gfx942 --mlir-print-ir-after-all
  kernelscope opt kernel.ttgir --pass-pipeline='builtin.module(allocate-shared-memory,insert-barriers)'
  kernelscope opt kernel.ttgir --release=3.6

The output is in the spelling of the Triton release that wrote the file (the newest if the file does not show it), or of --release.
LLVM's own options are listed by --help-hidden.
)";

/// Whether a text is valid as it stands: some older spellings parse, but break
/// a rule of today.
static bool isRead(llvm::StringRef text, mlir::MLIRContext &context) {
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::ParserConfig config(&context);
  return bool(mlir::parseSourceString(text, config));
}

/// Says what of `printed`, in our spelling, `release` does not take, and in
/// which lines of `read`, the input in our spelling, it stands.
static void warnOfNewer(const Syntax &printed, llvm::StringRef read,
                        Release release, llvm::StringRef input,
                        mlir::MLIRContext &context) {
  std::vector<Diagnostic> hints = findNewer(printed, release, context);
  llvm::erase_if(hints,
                 [](const Diagnostic &hint) { return !hint.fixes.empty(); });
  if (hints.empty())
    return;
  Text text(read.str());
  std::vector<Diagnostic> inInput =
      findNewer(Syntax(text.str()), release, context);
  llvm::StringSet<> told;
  for (const Diagnostic &hint : hints) {
    if (!told.insert(hint.message).second)
      continue;
    auto isSame = [&](const Diagnostic &other) {
      return other.message == hint.message;
    };
    for (const Diagnostic &other : llvm::make_filter_range(inInput, isSame))
      llvm::WithColor::warning(
          llvm::errs(),
          (input + ":" + llvm::Twine(text.lineAt(other.span.begin) + 1)).str())
          << hint.message << '\n';
    // A pass may have made it.
    if (llvm::none_of(inInput, isSame))
      llvm::WithColor::warning(llvm::errs(), input) << hint.message << '\n';
  }
}

/// Reads `input` of any release, and prints in the spelling of the release
/// `name`. If it is empty, in that of the release that wrote the input, or of
/// the newest if nothing shows it; for `main`, as our dialects print. Returns
/// the exit code.
static int runInRelease(const std::string &input, const std::string &output,
                        llvm::StringRef name, mlir::DialectRegistry &registry,
                        const mlir::MlirOptMainConfig &config) {
  std::optional<std::string> text = cli::readIR(input);
  if (!text)
    return 2;
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::optional<Release> release =
      name.empty()
          ? workOutRelease(Syntax(*text), context).value_or(newestRelease)
          : Release::parse(name);
  OurSpelling ours = inOurSpelling(*text, context);
  const std::string &read =
      isRead(*text, context) && !ours.isNeeded ? *text : ours.text;
  std::string shown = input == "-" ? "<stdin>" : input;
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(read, shown);
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  if (failed(mlir::MlirOptMain(stream, std::move(buffer), registry, config)))
    return 1;
  if (release) {
    Syntax syntax(printed);
    warnOfNewer(syntax, read, *release, shown, context);
    printed = withEdits(printed, editsFor(syntax, *release, context));
  }
  return cli::writeOutput(output, printed) ? 0 : 2;
}

int cli::opt(int argc, char **argv) {
  // What is registered by now is LLVM's, some 230 options of its optimiser and
  // code generators.
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      option->setHiddenFlag(llvm::cl::Hidden);
  llvm::cl::opt<std::string> release(
      "release", llvm::cl::value_desc("3.x"),
      llvm::cl::desc("Print as this release of Triton does; main is its main "
                     "branch of August 2026"));

  llvm::WithColor::setAutoDetectFunction([](const llvm::raw_ostream &) {
    return cli::wantsColours(STDERR_FILENO);
  });

  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPipelines(registry);
  mlir::registerTransformsPasses();
  std::string name = "kernelscope opt";
  argv[0] = name.data();
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::init("-"),
                                   llvm::cl::desc("<input file>"));
  llvm::cl::opt<std::string> output("o", llvm::cl::init("-"),
                                    llvm::cl::value_desc("filename"),
                                    llvm::cl::desc("Output filename"));
  std::string header = mlir::registerCLIOptions(overview, registry);
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs()))
    return 2;
  if (!release.empty() && release != "main" && !Release::parse(release)) {
    llvm::errs() << "kernelscope opt: --release: '" << release
                 << "' is not one of " << allReleases() << ", main\n";
    return 2;
  }
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  bool printsNoText =
      config.shouldEmitBytecode() || config.shouldListPasses() ||
      config.shouldShowDialects() || config.shouldVerifyDiagnostics();
  if (printsNoText)
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return runInRelease(input, output, release, registry, config);
}
