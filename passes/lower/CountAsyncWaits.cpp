//===- CountAsyncWaits.cpp - Waits for groups of copies on AMD ------------===//

#include "dialects/amdg/AMDG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/amd/CopyToLds.h"
#include <limits>
#include <map>

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_COUNTASYNCWAITS
#include "passes/Passes.h.inc"

namespace {

/// How few are counted on the paths that have reached a place, which have the
/// rest of their way in common if `Key` is the same.
template <typename Key> class FewestAt {
public:
  /// Whether a path with as few has been here.
  bool isKnown(void *place, Key key, unsigned count) {
    auto [known, isNew] = fewest.try_emplace({place, key}, count);
    if (!isNew && known->second <= count)
      return true;
    known->second = count;
    return false;
  }

private:
  std::map<std::pair<void *, Key>, unsigned> fewest;
};

/// The fewest copies that a warp has issued since the last group that a wait is
/// for, over all paths to the wait. What is not understood ends a path: what it
/// has counted up to there is certain.
class NewerCopies {
public:
  /// `groups` are those that the wait leaves.
  NewerCopies(const Target &target, unsigned groups)
      : target(target), groups(groups) {}

  unsigned before(Operation *op) { return before(op, 0, 0); }

private:
  /// Nothing on a path to here has to be waited for.
  static constexpr unsigned anyNumber = std::numeric_limits<unsigned>::max();

  unsigned before(Operation *op, unsigned seen, unsigned copies) {
    return paths.isKnown(op, seen, copies)
               ? anyNumber
               : walk(op->getBlock(), op->getIterator(), seen, copies);
  }
  unsigned atEnd(Region &region, unsigned seen, unsigned copies) {
    if (!region.hasOneBlock())
      return copies;
    return paths.isKnown(&region, seen, copies)
               ? anyNumber
               : walk(&region.front(), region.front().end(), seen, copies);
  }

  static bool hasCopies(Operation *op) {
    return op
        ->walk([](Operation *inner) {
          return isa<ttg::AsyncCommitGroupOp, ttg::AsyncCopyGlobalToLocalOp,
                     amdg::BufferLoadToLocalOp, amdg::AsyncCopyLocalToGlobalOp,
                     CallOpInterface>(inner)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  unsigned walk(Block *block, Block::iterator place, unsigned seen,
                unsigned copies) {
    while (place != block->begin()) {
      Operation *op = &*--place;
      if (isa<ttg::AsyncCommitGroupOp>(op)) {
        if (seen++ == groups)
          return copies;
      } else if (isa<scf::IfOp>(op) && hasCopies(op)) {
        auto branch = cast<scf::IfOp>(op);
        unsigned least = atEnd(branch.getThenRegion(), seen, copies);
        return std::min(least, branch.elseBlock()
                                   ? atEnd(branch.getElseRegion(), seen, copies)
                                   : before(op, seen, copies));
      } else if (isa<scf::ExecuteRegionOp>(op) && hasCopies(op)) {
        return atEnd(op->getRegion(0), seen, copies);
      } else if (isa<scf::ForOp>(op) && hasCopies(op)) {
        return std::min(atEnd(op->getRegion(0), seen, copies),
                        before(op, seen, copies));
      } else if (isa<CallOpInterface>(op) ||
                 (op->getNumRegions() && hasCopies(op))) {
        return copies;
      } else {
        copies += lower::fewestLdsCopies(op, target);
      }
    }
    Operation *parent = block->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(parent))
      return function.isPublic() ? anyNumber : copies;
    if (isa<scf::IfOp, scf::ExecuteRegionOp>(parent))
      return before(parent, seen, copies);
    if (isa<scf::ForOp>(parent))
      return std::min(before(parent, seen, copies),
                      atEnd(parent->getRegion(0), seen, copies));
    return copies;
  }

  const Target &target;
  const unsigned groups;
  FewestAt<unsigned> paths; ///< By the groups seen.
};

/// The fewest messages that a warp has sent to the data mover since the one of
/// a token, over all paths to a wait for it. What is not understood ends a
/// path, too.
class NewerMessages {
public:
  unsigned before(Operation *op, Value token) { return before(op, token, 0); }

private:
  /// A shorter path has been here.
  static constexpr unsigned anyNumber = std::numeric_limits<unsigned>::max();

  unsigned before(Operation *op, Value token, unsigned messages) {
    return paths.isKnown(op, token.getAsOpaquePointer(), messages)
               ? anyNumber
               : walk(op->getBlock(), op->getIterator(), token, messages);
  }
  /// From the end of `block`, which yields the token as its result `index`.
  unsigned atEnd(Block *block, unsigned index, unsigned messages) {
    Value token = block->getTerminator()->getOperand(index);
    return paths.isKnown(block, token.getAsOpaquePointer(), messages)
               ? anyNumber
               : walk(block, block->end(), token, messages);
  }

  static bool sendsMessage(Operation *op) {
    return isa<amdg::AsyncTDMCopyGlobalToLocalOp,
               amdg::AsyncTDMFusedCopyGlobalToLocalOp,
               amdg::AsyncTDMCopyLocalToGlobalOp, amdg::AsyncTDMGatherOp,
               amdg::AsyncTDMScatterOp>(op);
  }
  /// A loop may run no iteration.
  static unsigned fewestMessages(Operation *op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return sendsMessage(op);
    auto within = [](Block *block) {
      unsigned messages = 0;
      for (Operation &op : *block)
        messages += fewestMessages(&op);
      return messages;
    };
    return branch.elseBlock() ? std::min(within(branch.thenBlock()),
                                         within(branch.elseBlock()))
                              : 0;
  }

  /// The token is a result of `op`, or comes from outside of it.
  unsigned atDefinition(Operation *op, unsigned index, unsigned messages) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return std::min(before(op, loop.getInitArgs()[index], messages),
                      atEnd(loop.getBody(), index, messages));
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return std::min(atEnd(branch.thenBlock(), index, messages),
                      atEnd(branch.elseBlock(), index, messages));
    return messages;
  }
  unsigned walk(Block *block, Block::iterator place, Value token,
                unsigned messages) {
    while (place != block->begin()) {
      Operation *op = &*--place;
      if (token.getDefiningOp() == op)
        return atDefinition(op, cast<OpResult>(token).getResultNumber(),
                            messages);
      messages += fewestMessages(op);
    }
    Operation *parent = block->getParentOp();
    if (auto argument = dyn_cast<BlockArgument>(token);
        argument && argument.getOwner() == block) {
      auto loop = dyn_cast<scf::ForOp>(parent);
      return loop && argument.getArgNumber() > 0
                 ? atDefinition(loop, argument.getArgNumber() - 1, messages)
                 : messages;
    }
    return isa<scf::IfOp, scf::ForOp, scf::ExecuteRegionOp>(parent)
               ? before(parent, token, messages)
               : messages;
  }

  FewestAt<const void *> paths; ///< By the token.
};

/// The counter has six bits.
constexpr unsigned mostCounted = 63;

struct CountAsyncWaits : impl::CountAsyncWaitsBase<CountAsyncWaits> {
  using CountAsyncWaitsBase::CountAsyncWaitsBase;

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target))
      return signalPassFailure();
    if (target->isAmd() && !target->asyncCopyBits.empty())
      getOperation().walk(
          [&](ttg::AsyncWaitOp wait) { countCopies(wait, *target); });
    if (target->hasTensorDataMover)
      getOperation().walk(countMessages);
  }

private:
  static void countCopies(ttg::AsyncWaitOp wait, const Target &target) {
    const unsigned newer =
        NewerCopies(target, static_cast<unsigned>(wait.getNum())).before(wait);
    OpBuilder builder(wait);
    auto counted = amdg::AsyncWaitOp::create(
        builder, wait.getLoc(), wait.getRetToken().getType(),
        wait.getAsyncToken(), std::min(newer, mostCounted));
    wait.getRetToken().replaceAllUsesWith(counted.getRetToken());
    wait.erase();
  }

  /// Of a wait for tokens.
  static void countMessages(amdg::AsyncTDMWaitOp wait) {
    if (wait.getAsyncToken().empty())
      return;
    unsigned newer = mostCounted;
    for (Value token : wait.getAsyncToken())
      newer = std::min(newer, NewerMessages().before(wait, token));
    OpBuilder builder(wait);
    auto counted = amdg::AsyncTDMIntrinsicWaitOp::create(
        builder, wait.getLoc(), wait.getRetToken().getType(),
        wait.getAsyncToken(), std::max(newer, wait.getNum()));
    wait.getRetToken().replaceAllUsesWith(counted.getRetToken());
    wait.erase();
  }
};

} // namespace
} // namespace kernelscope
