//===- EnsureTtgir.cpp - TTGIR out of TTIR or TTGIR -----------------------===//

#include "dialects/nvws/NVWS.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ENSURETTGIR
#include "passes/Passes.h.inc"

namespace {

struct EnsureTtgir : impl::EnsureTtgirBase<EnsureTtgir> {
  using EnsureTtgirBase::EnsureTtgirBase;

  // MLIR loads dialects before the first pass runs, so the dialects of the
  // inner pipeline are declared here.
  void getDependentDialects(DialectRegistry &registry) const override {
    createPipeline().getDependentDialects(registry);
    createLowering().getDependentDialects(registry);
  }

  void runOnOperation() override {
    const bool isTtgir = hasLayouts(getOperation());
    if (isTtgir && !hasReferences())
      return markAllAnalysesPreserved();
    OpPassManager pipeline = isTtgir ? createLowering() : createPipeline();
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }

  /// Whether partitions are only marked, or hand each other references.
  bool hasReferences() {
    return getOperation()
        .walk([](Operation *op) {
          return isa_and_nonnull<nvws::NVWSDialect>(op->getDialect()) ||
                         op->hasAttr("ttg.partition.stages")
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static OpPassManager createLowering() {
    OpPassManager pipeline(ModuleOp::getOperationName());
    buildNvwsToTtgir(pipeline);
    return pipeline;
  }

  OpPassManager createPipeline() const {
    OpPassManager pipeline(ModuleOp::getOperationName());
    TtirToTtgirOptions options;
    options.arch = arch;
    options.numWarps = numWarps;
    options.numCtas = numCtas;
    buildTtirToTtgir(pipeline, options);
    return pipeline;
  }
};

} // namespace
} // namespace kernelscope
