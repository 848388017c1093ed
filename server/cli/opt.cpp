//===- opt.cpp - `kernelscope opt`: MLIR's pass driver over our dialects --===//

#include "dialects/Dialects.h"
#include "passes/Pipelines.h"
#include "server/cli/Commands.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

static constexpr const char overview[] =
    R"(runs passes and pipelines over a file, as mlir-opt does

For example:
  kernelscope opt kernel.ttir --to-llvm=arch=sm_90a
  kernelscope opt kernel.ttgir --ttgir-to-llvm=arch=gfx942 --mlir-print-ir-after-all
  kernelscope opt kernel.ttgir --pass-pipeline='builtin.module(allocate-shared-memory,insert-barriers)'

LLVM's own options are listed by --help-hidden.
)";

int kernelscope::cli::opt(int argc, char **argv) {
  // What is registered by now is LLVM's, some 230 options of its optimiser and
  // code generators.
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      option->setHiddenFlag(llvm::cl::Hidden);

  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPipelines(registry);
  mlir::registerTransformsPasses();
  std::string name = "kernelscope opt";
  argv[0] = name.data();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, overview, registry));
}
