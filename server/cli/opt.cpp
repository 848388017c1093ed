//===- opt.cpp - `kernelscope opt`: MLIR's pass driver over our dialects --===//

#include "dialects/Dialects.h"
#include "passes/Passes.h"
#include "server/cli/Commands.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int kernelscope::cli::opt(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Kernelscope's pass driver\n", registry));
}
