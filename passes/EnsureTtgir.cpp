//===- EnsureTtgir.cpp - TTGIR out of TTIR or TTGIR -----------------------===//

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
  }

  void runOnOperation() override {
    if (hasLayouts(getOperation()))
      return markAllAnalysesPreserved();
    OpPassManager pipeline = createPipeline();
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
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
