//===- Lint.cpp - what no verifier says -----------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/nvws/NVWS.h"
#include "passes/analysis/AsyncFlow.h"

using namespace mlir;
using namespace kernelscope;

bool kernelscope::isAboutCopies(Operation *op) {
  return startsCopy(op) || isSyncedLoad(op);
}

bool kernelscope::isAboutBarriers(Operation *op) {
  return isa<nvws::DescriptorLoadOp>(op) ||
         llvm::any_of(ttg::barrierActionsOf(op),
                      [](const ttg::BarrierAction &action) {
                        return action.kind == ttg::BarrierAction::Init;
                      });
}

bool kernelscope::isAboutReferences(Operation *op) {
  return isa<nvws::ArefCreateOp, nvws::ArefPutEnterOp, nvws::ArefGetEnterOp>(
      op);
}

bool kernelscope::isAboutLints(Operation *op) {
  return llvm::any_of(lints,
                      [&](const Lint &lint) { return lint.isAbout(op); });
}

void kernelscope::runLints(Operation *function, EmitLint emit) {
  using IsAbout = bool (*)(Operation *);
  SmallVector<IsAbout> open, found;
  for (const Lint &lint : lints)
    if (!llvm::is_contained(open, lint.isAbout))
      open.push_back(lint.isAbout);
  function->walk([&](Operation *op) {
    if (onlyComputes(op))
      return;
    llvm::erase_if(open, [&](IsAbout isAbout) {
      if (!isAbout(op))
        return false;
      found.push_back(isAbout);
      return true;
    });
  });
  LintInput input(function);
  for (const Lint &lint : lints)
    if (llvm::is_contained(found, lint.isAbout))
      lint.run(input, emit);
}
