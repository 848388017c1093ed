//===- ProductWaitMissing.cpp - accumulators read too early ---------------===//
//
// The registers of an asynchronous product are its own until a wait says that
// it is done (PTX ISA, "wgmma.mma_async": accessing them before is undefined).
// Only further products may take them, as their accumulator.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;

static bool isProduct(Operation *op) {
  auto access = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  return access && access.getAccessMode().proxy == ttg::Proxy::TensorCore;
}

/// Whether a wait for products stands between two ops of one block, or in an op
/// between them.
static bool hasWaitBetween(Operation *product, Operation *use) {
  for (Operation *op = product->getNextNode(); op != use;
       op = op->getNextNode()) {
    WalkResult found = op->walk([](ttg::AsyncWaitOpInterface wait) {
      return wait.getAwaited() == ttg::Completion::WgmmaGroup
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return true;
  }
  return false;
}

bool kernelscope::isAboutProducts(Operation *op) {
  return isProduct(op) &&
         cast<ttg::MemoryAccessOpInterface>(op).getAccessMode().completion ==
             ttg::Completion::WgmmaGroup;
}

void kernelscope::lintProductWaitMissing(LintInput &input, EmitLint emit) {
  input.function->walk([&](Operation *product) {
    if (!isAboutProducts(product))
      return;
    llvm::SetVector<Operation *> users(product->user_begin(),
                                       product->user_end());
    for (Operation *user : users) {
      // What another block makes of it is not looked at.
      if (user->getBlock() != product->getBlock() || isProduct(user) ||
          user->hasTrait<OpTrait::IsTerminator>() ||
          isa<LoopLikeOpInterface>(user) ||
          isa<ttg::AsyncWaitOpInterface>(user) || hasWaitBetween(product, user))
        continue;
      emit({user, "product-wait-missing",
            "reads the result of an asynchronous product that may still be "
            "computed; a 'ttng.warp_group_dot_wait' must come between the two",
            product, "computed by this product"});
    }
  });
}
