//===- AnnotateAccessRuns.cpp - How wide global accesses may be -----------===//

#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ANNOTATEACCESSRUNS
#include "passes/Passes.h.inc"

namespace {

struct AnnotateAccessRuns : impl::AnnotateAccessRunsBase<AnnotateAccessRuns> {
  using AnnotateAccessRunsBase::AnnotateAccessRunsBase;

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target) || failed(checkLayouts(getOperation())))
      return signalPassFailure();
    auto hooks = lower::createHooks(*target, /*ctas=*/1);
    lower::annotateAccessRuns(getOperation(), hooks->maxGlobalBits());
  }
};

} // namespace
} // namespace kernelscope
