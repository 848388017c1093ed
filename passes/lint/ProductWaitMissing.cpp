//===- ProductWaitMissing.cpp - accumulators read too early ---------------===//
//
// The registers of an asynchronous product are its own until a wait says that
// it is done (PTX ISA, "wgmma.mma_async": accessing them before is undefined).
// Only further products may take them, as their accumulator.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/Barriers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;

static bool isProduct(Operation *op) {
  auto access = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  return access && access.getAccessMode().proxy == ttg::Proxy::TensorCore;
}

bool kernelscope::isAboutProducts(Operation *op) {
  return isProduct(op) &&
         cast<ttg::MemoryAccessOpInterface>(op).getAccessMode().completion ==
             ttg::Completion::WgmmaGroup;
}

namespace {
/// Goes back from a place to the product that defines a value there, through
/// waits and around loops.
class ProductSearch {
public:
  /// The product that gives `value`, and may still be at work when `place` is
  /// reached; null where it is done, or where that is not seen.
  Operation *inFlight(Value value, Operation *place) {
    return find(value, place);
  }
  /// How many products are newer than the one that computes `value`, whatever
  /// waits come between; nothing where that is not seen.
  std::optional<int64_t> countNewer(Value value, Operation *place);

private:
  Operation *find(Value value, Operation *place);
  Operation *findCarried(BlockArgument value, Operation *place);
  Operation *findInBranches(Operation *branch, unsigned number);
  Operation *findInChoice(arith::SelectOp choice);
  bool passBetween(Operation *from, Operation *to);
  bool passWait(ttg::AsyncWaitOpInterface wait);
  Operation *findIn(Value value, Operation *place) {
    ++depth;
    Operation *found = depth < 20 ? find(value, place) : nullptr;
    --depth;
    return found;
  }

  /// Products seen on the way, and how many of them a wait would have to have
  /// for the one that is looked for to be done.
  int64_t newer = 0, enough = INT64_MAX;
  bool mindsWaits = true;
  unsigned depth = 0;
};
} // namespace

/// Whether `op` hands on one of two values as a branch does that asks the same:
/// the code has no instruction for it (branch-over-sums).
static bool isChoice(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select &&
         llvm::any_of(select.getCondition().getUsers(), [&](Operation *user) {
           return isa<scf::IfOp>(user) && user->getBlock() == op->getBlock() &&
                  op->isBeforeInBlock(user);
         });
}

/// Whether `user` takes what products leave in registers.
static bool readsResult(Operation *user) {
  return !isProduct(user) && !user->hasTrait<OpTrait::IsTerminator>() &&
         !isa<LoopLikeOpInterface, ttg::AsyncWaitOpInterface>(user) &&
         !isChoice(user);
}

/// Whether `op` waits for products, in a region or itself.
static bool hasWaitIn(Operation *op) {
  return op
      ->walk([](ttg::AsyncWaitOpInterface wait) {
        return wait.getAwaited() == ttg::Completion::WgmmaGroup
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `wait`, as one of those between, is for products.
bool ProductSearch::passWait(ttg::AsyncWaitOpInterface wait) {
  if (wait.getAwaited() != ttg::Completion::WgmmaGroup)
    return false;
  enough = std::min(enough, newer + wait.getPending());
  return true;
}

/// Notes what is between two ops of a block; false where an op in it may issue
/// products or wait for them. `from` null is the beginning of the block.
bool ProductSearch::passBetween(Operation *from, Operation *to) {
  for (Operation *op = to->getPrevNode(); op != from; op = op->getPrevNode()) {
    if (!op)
      return false;
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op);
        wait && passWait(wait))
      continue;
    if (op->getNumRegions() != 0 &&
        (hasWaitIn(op) || op->walk([](Operation *inner) {
                              return isProduct(inner) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                            }).wasInterrupted()))
      return false;
    if (!isProduct(op))
      continue;
    // One that is not asynchronous waits for all before it.
    if (!kernelscope::isAboutProducts(op))
      enough = std::min(enough, newer);
    ++newer;
  }
  return true;
}

/// Of a value that a loop carries: what comes before the loop, or what the last
/// iteration gave.
Operation *ProductSearch::findCarried(BlockArgument value, Operation *place) {
  auto loop = dyn_cast<scf::ForOp>(value.getOwner()->getParentOp());
  if (!loop || value.getArgNumber() == 0 || !passBetween(nullptr, place))
    return nullptr;
  unsigned number = value.getArgNumber() - 1;
  auto before = std::pair(newer, enough);
  if (Operation *product = findIn(loop.getInitArgs()[number], loop))
    return product;
  std::tie(newer, enough) = before;
  Operation *end = loop.getBody()->getTerminator();
  return findIn(end->getOperand(number), end);
}

/// Of a result of an `scf.if`: what one of its branches yields.
Operation *ProductSearch::findInBranches(Operation *branch, unsigned number) {
  auto after = std::pair(newer, enough);
  for (Region &region : branch->getRegions()) {
    Operation *end = region.front().getTerminator();
    if (Operation *product = findIn(end->getOperand(number), end))
      return product;
    std::tie(newer, enough) = after;
  }
  return nullptr;
}

Operation *ProductSearch::findInChoice(arith::SelectOp choice) {
  auto after = std::pair(newer, enough);
  if (Operation *product = findIn(choice.getTrueValue(), choice))
    return product;
  std::tie(newer, enough) = after;
  return findIn(choice.getFalseValue(), choice);
}

Operation *ProductSearch::find(Value value, Operation *place) {
  // From where it is read to the block that has it.
  while (place->getBlock() != value.getParentBlock()) {
    Operation *parent = place->getParentOp();
    if (!isa_and_nonnull<scf::ForOp, scf::IfOp>(parent) ||
        !passBetween(nullptr, place))
      return nullptr;
    place = parent;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return findCarried(argument, place);
  Operation *op = value.getDefiningOp();
  if (!passBetween(op, place))
    return nullptr;
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
    bool passes = op->getNumOperands() == op->getNumResults() && passWait(wait);
    return passes ? findIn(op->getOperand(number), op) : nullptr;
  }
  if (kernelscope::isAboutProducts(op))
    return !mindsWaits || newer < enough ? op : nullptr;
  if (isa<scf::IfOp>(op))
    return findInBranches(op, number);
  if (isChoice(op))
    return findInChoice(cast<arith::SelectOp>(op));
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return nullptr;
  Operation *end = loop.getBody()->getTerminator();
  return findIn(end->getOperand(number), end);
}

std::optional<int64_t> ProductSearch::countNewer(Value value,
                                                 Operation *place) {
  mindsWaits = false;
  return find(value, place) ? std::optional(newer) : std::nullopt;
}

/// A wait for products that leaves one in flight whose result is read; whether
/// it is.
static bool checkCount(ttg::AsyncWaitOpInterface wait, EmitLint emit) {
  int64_t left = wait.getPending();
  if (left == 0 || wait->getNumOperands() != wait->getNumResults())
    return false;
  for (auto [given, result] :
       llvm::zip(wait->getOperands(), wait->getResults())) {
    bool isRead = llvm::any_of(result.getUsers(), [&](Operation *user) {
      return user->getBlock() == wait->getBlock() && readsResult(user);
    });
    std::optional<int64_t> newer =
        isRead ? ProductSearch().countNewer(given, wait) : std::nullopt;
    if (!newer || *newer >= left)
      continue;
    emit({wait, "product-wait-missing",
          "leaves up to " + std::to_string(left) +
              " products in flight, but only " + std::to_string(*newer) +
              (*newer == 1 ? " is" : " are") +
              " newer than the one whose result is read next; it must "
              "leave at most " +
              std::to_string(*newer),
          nullptr, "", LintLevel::Warning, NumberFix{wait, left, *newer}});
    return true;
  }
  return false;
}

/// The values that may be the result of a product, as waits, loops and branches
/// pass it on.
static llvm::SetVector<Value> valuesOf(Operation *product) {
  llvm::SetVector<Value> values;
  values.insert(product->result_begin(), product->result_end());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      bool isWait = isa<ttg::AsyncWaitOpInterface>(user) &&
                    user->getNumOperands() == user->getNumResults();
      if (isWait)
        values.insert(user->getResult(use.getOperandNumber()));
      else if (isChoice(user))
        values.insert(user->getResult(0));
      else if (isa<scf::ForOp>(user) ||
               (isa<scf::YieldOp>(user) &&
                isa<scf::ForOp, scf::IfOp>(user->getParentOp())))
        llvm::for_each(flowsTo(use),
                       [&](Value value) { values.insert(value); });
    }
  return values;
}

void kernelscope::lintProductWaitMissing(LintInput &input, EmitLint emit) {
  SmallPtrSet<Operation *, 4> told;
  input.function->walk([&](ttg::AsyncWaitOpInterface wait) {
    if (wait.getAwaited() == ttg::Completion::WgmmaGroup &&
        checkCount(wait, emit))
      told.insert(wait);
  });
  input.function->walk([&](Operation *product) {
    if (!isAboutProducts(product))
      return;
    for (Value value : valuesOf(product)) {
      if (told.contains(value.getDefiningOp()))
        continue;
      for (Operation *user : value.getUsers())
        if (readsResult(user) &&
            ProductSearch().inFlight(value, user) == product &&
            told.insert(user).second)
          emit({user, "product-wait-missing",
                "reads the result of an asynchronous product that may still be "
                "computed; a 'ttng.warp_group_dot_wait' must come between the "
                "two",
                product, "computed by this product", LintLevel::Warning,
                MissingOps{user,
                           "$result = ttng.warp_group_dot_wait $0 {pendings = "
                           "0 : i32} : $type",
                           {value},
                           "",
                           /*givesResult=*/true}});
    }
  });
}
