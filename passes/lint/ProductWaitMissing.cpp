//===- ProductWaitMissing.cpp - accumulators read too early ---------------===//
//
// The registers of an asynchronous product are its own until a wait says that
// it is done (PTX ISA, "wgmma.mma_async": accessing them before is undefined).
// Only further products may take them, as their accumulator.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// How many products are issued after `from`, in its block and before `to`;
/// nothing where an op between the two may issue some.
static std::optional<int64_t> productsBetween(Operation *from, Operation *to) {
  int64_t products = 0;
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    if (!op)
      return std::nullopt;
    bool inside = op->getNumRegions() != 0 &&
                  op->walk([](Operation *inner) {
                      return isProduct(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
                    }).wasInterrupted();
    if (inside)
      return std::nullopt;
    products += isProduct(op);
  }
  return products;
}

/// How many products are newer at `place` than the one that gives `value`,
/// through waits and out of loops; nothing where that is not seen.
static std::optional<int64_t> newerProducts(Value value, Operation *place) {
  int64_t newer = 0;
  for (unsigned steps = 0; steps < 100; ++steps) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != place->getBlock())
      return std::nullopt;
    auto result = cast<OpResult>(value);
    if (isa<ttg::AsyncWaitOpInterface>(op) &&
        op->getNumOperands() == op->getNumResults()) {
      value = op->getOperand(result.getResultNumber());
      continue;
    }
    std::optional<int64_t> after = productsBetween(op, place);
    if (!after)
      return std::nullopt;
    newer += *after;
    if (isAboutProducts(op))
      return newer;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return std::nullopt;
    place = loop.getBody()->getTerminator();
    value = place->getOperand(result.getResultNumber());
  }
  return std::nullopt;
}

/// A wait for products that leaves one in flight whose result is read.
static void checkCount(ttg::AsyncWaitOpInterface wait, EmitLint emit) {
  int64_t left = wait.getPending();
  if (left == 0 || wait->getNumOperands() != wait->getNumResults())
    return;
  for (auto [given, result] :
       llvm::zip(wait->getOperands(), wait->getResults())) {
    bool isRead = llvm::any_of(result.getUsers(), [&](Operation *user) {
      return user->getBlock() == wait->getBlock() && !isProduct(user) &&
             !user->hasTrait<OpTrait::IsTerminator>() &&
             !isa<ttg::AsyncWaitOpInterface, LoopLikeOpInterface>(user);
    });
    std::optional<int64_t> newer =
        isRead ? newerProducts(given, wait) : std::nullopt;
    if (!newer || *newer >= left)
      continue;
    return emit({wait, "product-wait-missing",
                 "leaves up to " + std::to_string(left) +
                     " products in flight, but only " + std::to_string(*newer) +
                     (*newer == 1 ? " is" : " are") +
                     " newer than the one whose result is read next; it must "
                     "leave at most " +
                     std::to_string(*newer),
                 nullptr, "", LintLevel::Warning,
                 NumberFix{wait, left, *newer}});
  }
}

void kernelscope::lintProductWaitMissing(LintInput &input, EmitLint emit) {
  input.function->walk([&](ttg::AsyncWaitOpInterface wait) {
    if (wait.getAwaited() == ttg::Completion::WgmmaGroup)
      checkCount(wait, emit);
  });
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
