//===- stock_lsp.cpp - MLIR's stock language server over our dialects -----===//
//
// The peer of the latency harness: what MLIR offers out of the box.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  kernelscope::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
