//===- Passes.cpp - The passes by name ------------------------------------===//

#include "passes/Passes.h"
#include "mlir/Pass/Pass.h"
#include "passes/lower/ConvertToLlvm.h"

void kernelscope::registerPasses() {
  mlir::registerPass([] { return createConvertTtirToTtgir(); });
  mlir::registerPass([] { return createConvertTtgirToLlvm(); });
  mlir::registerPass([] { return createAllocateSharedMemory(); });
  mlir::registerPass([] { return createInsertBarriers(); });
  mlir::registerPass([] { return createPrintAxisInfo(); });
}
