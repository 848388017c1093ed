//===- Lint.cpp - what no verifier says -----------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/nvws/NVWS.h"
#include "passes/analysis/AsyncFlow.h"

using namespace mlir;
using namespace kernelscope;

/// Whether `op` is what lints that need `needs` are about.
static bool isAbout(Operation *op, LintNeeds needs) {
  switch (needs) {
  case LintNeeds::AsyncCopies:
    return startsCopy(op) || isSyncedLoad(op);
  case LintNeeds::Barriers:
    return isa<nvws::DescriptorLoadOp>(op) ||
           llvm::any_of(ttg::barrierActionsOf(op),
                        [](const ttg::BarrierAction &action) {
                          return action.kind == ttg::BarrierAction::Init;
                        });
  case LintNeeds::Arefs:
    return isa<nvws::ArefCreateOp, nvws::ArefPutEnterOp, nvws::ArefGetEnterOp>(
        op);
  }
  return false;
}

void kernelscope::runLints(Operation *function, EmitLint emit) {
  SmallVector<LintNeeds> found;
  function->walk([&](Operation *op) {
    for (LintNeeds needs :
         {LintNeeds::AsyncCopies, LintNeeds::Barriers, LintNeeds::Arefs})
      if (!llvm::is_contained(found, needs) && isAbout(op, needs))
        found.push_back(needs);
  });
  LintInput input(function);
  for (const Lint &lint : lints)
    if (llvm::is_contained(found, lint.needs))
      lint.run(input, emit);
}
