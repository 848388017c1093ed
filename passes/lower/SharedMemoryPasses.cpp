//===- SharedMemoryPasses.cpp - Shared memory, as passes ------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Pass/Pass.h"
#include "passes/Passes.h"
#include "passes/lower/SharedBuffers.h"

using namespace mlir;
using namespace kernelscope;

namespace {

struct AllocateSharedMemory
    : PassWrapper<AllocateSharedMemory, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocateSharedMemory)

  StringRef getArgument() const override { return "allocate-shared-memory"; }
  StringRef getDescription() const override {
    return "Gives each buffer and each op's scratch a place in shared memory";
  }
  void runOnOperation() override {
    if (failed(lower::allocateSharedMemory(getOperation())))
      signalPassFailure();
  }
};

struct InsertBarriers : PassWrapper<InsertBarriers, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InsertBarriers)

  StringRef getArgument() const override { return "insert-barriers"; }
  StringRef getDescription() const override {
    return "Orders threads' accesses to shared memory; after "
           "allocate-shared-memory";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ttg::TTGDialect>();
  }
  void runOnOperation() override { lower::insertBarriers(getOperation()); }
};

} // namespace

std::unique_ptr<Pass> kernelscope::createAllocateSharedMemory() {
  return std::make_unique<AllocateSharedMemory>();
}

std::unique_ptr<Pass> kernelscope::createInsertBarriers() {
  return std::make_unique<InsertBarriers>();
}
