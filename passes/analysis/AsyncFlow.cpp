//===- AsyncFlow.cpp - Which asynchronous copies are in flight ------------===//

#include "passes/analysis/AsyncFlow.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncEvents.h"
#include "passes/analysis/Barriers.h"
#include "passes/analysis/CopyRun.h"
#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::Completion;

namespace {

/// A copy that may be in flight.
struct Copy {
  Value destination;
  Completion completion;
  /// The fewest groups that were closed after that of the copy; nothing while
  /// its own is open. Of the data mover's, the fewest that started after it.
  std::optional<int64_t> newer;
  /// The last wait since, which did not cover it.
  Operation *wait = nullptr;
  /// On some path nothing reached global memory since.
  bool isNewest = true;
  /// It is started in a branch that has ended. One condition may decide over
  /// both the copy and its wait.
  bool isConditional = false;
  /// A barrier is signalled when it is done.
  bool isTold = false;
};

/// What is true at a place of the program.
struct State {
  /// By the op that starts them.
  llvm::MapVector<Operation *, Copy> copies;
  /// There was a wait on every path.
  bool waited = false;

  /// What is true after paths that end in this state and in `other`.
  void join(const State &other) {
    waited &= other.waited;
    for (const auto &[op, copy] : other.copies) {
      auto [own, isNew] = copies.insert({op, copy});
      if (isNew)
        continue;
      own->second.newer = std::min(own->second.newer, copy.newer);
      own->second.isNewest |= copy.isNewest;
      own->second.isConditional &= copy.isConditional;
      own->second.isTold &= copy.isTold;
    }
  }
  void forget() {
    copies.clear();
    waited = true;
  }
  /// The copies that are made in branches, which are no longer here then.
  llvm::MapVector<Operation *, Copy> takeConditional() {
    llvm::MapVector<Operation *, Copy> taken;
    for (auto &entry : copies)
      if (entry.second.isConditional)
        taken.insert(entry);
    if (!taken.empty())
      copies.remove_if([](auto &entry) { return entry.second.isConditional; });
    return taken;
  }
};

class Flow {
public:
  Flow(const std::optional<Target> &target, AsyncEvents &events)
      : events(events) {
    countsGroups = target && target->isNvidia();
    isAmd = target && target->isAmd();
    // LLVM puts in the waits for gfx9's copies, unless a load is marked.
    onlyMarked =
        !target || (target->isAmd() && !target->hasScatteredAsyncCopies);
  }

  SmallVector<EarlyLoad> found;

  void run(Block &block, State &state, bool reports);

private:
  void runLoop(Operation *loop, ArrayRef<Block *> blocks, State &state,
               bool reports);
  void visit(const AsyncEvent &event, State &state, bool reports);
  void wait(const AsyncEvent &event, State &state) const;
  bool isCovered(const Copy &copy, const AsyncEvent &wait) const;
  void load(const AsyncEvent &event, const State &state);
  void runBranch(scf::IfOp branch, State &state, bool reports);

  bool countsGroups, isAmd, onlyMarked;
  /// Loops are gone through twice.
  AsyncEvents &events;
};

} // namespace

/// The memory itself, of a view of all of it.
static Value wholeOf(Value view) {
  for (unsigned steps = 0; steps < 100; ++steps) {
    Operation *op = view.getDefiningOp();
    if (!op || !op->hasTrait<ttg::MemDescView>() ||
        isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp>(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

/// Whether `copy` is done after a wait for copies of its kind.
bool Flow::isCovered(const Copy &copy, const AsyncEvent &wait) const {
  int64_t left = wait.pending.value_or(0);
  bool countsInstructions =
      isa<ttg::AsyncWaitOpInterface>(wait.op) &&
      cast<ttg::AsyncWaitOpInterface>(wait.op).countsInstructions();
  if (copy.completion == Completion::CommitGroup && countsGroups)
    return copy.newer && *copy.newer >= left;
  if (copy.completion == Completion::TensorCounter && !countsInstructions)
    return *copy.newer >= left;
  // One op may be many instructions, so only none at all is certain; of an
  // unmarked number, groups and instructions must agree.
  if (isAmd && copy.completion == Completion::CommitGroup)
    return left == 0 || !copy.isNewest;
  return copy.completion != Completion::TensorCounter || left == 0 ||
         *copy.newer > 0;
}

/// What a wait leaves of the copies that it is for.
void Flow::wait(const AsyncEvent &event, State &state) const {
  state.waited = true;
  state.copies.remove_if([&](auto &entry) {
    Copy &copy = entry.second;
    if ((copy.completion == event.awaited && isCovered(copy, event)) ||
        (copy.isTold && event.awaited == Completion::MBarrier))
      return true;
    copy.wait = event.op;
    return false;
  });
}

/// Whether `view` is `memory` or a part of it, for certain.
static bool isWithin(Value view, Value memory) {
  for (unsigned steps = 0; steps < 100; ++steps) {
    if (areSameView(view, memory))
      return true;
    Operation *op = view.getDefiningOp();
    if (!op || !op->hasTrait<ttg::MemDescView>())
      return false;
    view = op->getOperand(0);
  }
  return false;
}

void Flow::load(const AsyncEvent &event, const State &state) {
  if (event.isMarked && !state.waited) {
    found.push_back({event.op, nullptr, nullptr, std::nullopt});
    return;
  }
  if (state.copies.empty() || event.reads.empty() ||
      (onlyMarked && !event.isMarked))
    return;
  for (const auto &[copyOp, copy] : state.copies) {
    Value whole = wholeOf(copy.destination);
    if (llvm::none_of(event.reads,
                      [&](Value read) { return isWithin(read, whole); }))
      continue;
    auto wait = dyn_cast_or_null<ttg::AsyncWaitOpInterface>(copy.wait);
    bool counts = wait && wait.getAwaited() == copy.completion;
    // A wait for a group that is still open covers nothing of it.
    std::optional<int64_t> newer;
    if (counts)
      newer =
          isAmd && copy.completion == Completion::CommitGroup ? 0 : copy.newer;
    found.push_back(
        {event.op, copyOp, copy.wait, newer, copy.newer.has_value()});
    return;
  }
}

void Flow::visit(const AsyncEvent &event, State &state, bool reports) {
  if (event.isCall)
    return state.forget();
  if (reports)
    load(event, state);
  if (event.commits)
    for (auto &[start, copy] : state.copies)
      if (copy.completion == Completion::CommitGroup)
        copy.newer = copy.newer ? *copy.newer + 1 : 0;
  if (event.tellsBarrier)
    for (auto &[start, copy] : state.copies)
      copy.isTold |= copy.completion == Completion::CommitGroup;
  if (event.awaited)
    wait(event, state);
  if (event.countsAsInstruction || event.countsAsTensorCopy)
    for (auto &[start, copy] : state.copies) {
      copy.isNewest &= !event.countsAsInstruction;
      if (copy.completion == Completion::TensorCounter)
        *copy.newer += event.countsAsTensorCopy;
    }
  for (Value destination : event.destinations) {
    auto mode = cast<ttg::MemoryAccessOpInterface>(event.op).getAccessMode();
    Copy copy = {destination, mode.completion, std::nullopt};
    if (mode.completion == Completion::TensorCounter)
      copy.newer = 0;
    state.copies[event.op] = copy;
  }
}

static bool hasWait(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<ttg::AsyncWaitOpInterface, ttg::MBarrierOpInterface>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void Flow::runBranch(scf::IfOp branch, State &state, bool reports) {
  // As where a function is called with a constant.
  if (Scalar taken = knownScalar(branch.getCondition())) {
    Region &region = branch->getRegion(*taken ? 0 : 1);
    if (!region.empty())
      run(region.front(), state, reports);
    return;
  }
  auto conditional = state.takeConditional();
  State otherwise = state;
  run(branch.getThenRegion().front(), state, reports);
  if (!branch.getElseRegion().empty())
    run(branch.getElseRegion().front(), otherwise, reports);
  for (State *own : {&state, &otherwise})
    for (auto &[op, copy] : own->copies)
      copy.isConditional |= branch->isAncestor(op);
  state.join(otherwise);
  if (!conditional.empty() && !hasWait(branch))
    for (auto &entry : conditional)
      state.copies.insert(entry);
}

void Flow::runLoop(Operation *loop, ArrayRef<Block *> blocks, State &state,
                   bool reports) {
  // Once to see what comes around, and once for all iterations. A loop is taken
  // to run at least once.
  State around = state;
  for (Block *block : blocks)
    run(*block, around, false);
  // The last iteration may be the only one that makes a copy.
  around.takeConditional();
  // A place that is chosen in each iteration is another one in the next.
  around.copies.remove_if([&](auto &entry) {
    Region *region = entry.second.destination.getParentRegion();
    return loop->isAncestor(region->getParentOp());
  });
  state.join(around);
  for (Block *block : blocks)
    run(*block, state, reports);
}

void Flow::run(Block &block, State &state, bool reports) {
  for (const AsyncEvent &event : events.of(block)) {
    Operation &op = *event.op;
    if (op.getNumRegions() == 0) {
      visit(event, state, reports);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      runLoop(loop, {loop.getBody()}, state, reports);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      runLoop(loop, {loop.getBeforeBody(), loop.getAfterBody()}, state,
              reports);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      runBranch(branch, state, reports);
    } else if (auto partitions =
                   dyn_cast<ttg::WarpSpecializePartitionsOp>(op)) {
      for (Region &region : partitions.getPartitionRegions()) {
        State own;
        own.waited = true;
        if (region.hasOneBlock())
          run(region.front(), own, reports);
      }
      state.forget();
    } else {
      // What runs side by side, or elsewhere, may wait.
      bool isParallel = isa<ttg::WarpSpecializeOp>(op);
      State inside = state;
      for (Region &region : op.getRegions())
        if (region.hasOneBlock())
          run(region.front(), inside, reports && isParallel);
      if (isParallel || inside.copies.size() != state.copies.size())
        state.forget();
    }
  }
}

SmallVector<EarlyLoad> kernelscope::findEarlyLoads(Operation *root) {
  auto function = dyn_cast<FunctionOpInterface>(root);
  if (!function || !onlyBlockOf(function.getFunctionBody()))
    return {};
  // Who calls a function may wait before.
  auto noinline = root->getAttrOfType<BoolAttr>("noinline");
  State state;
  state.waited = !function.isPublic() || (noinline && noinline.getValue());
  std::optional<Target> target = ttg::lookupTarget(root);
  AsyncEvents events(target && target->isAmd());
  Flow flow(target, events);
  flow.run(function.getFunctionBody().front(), state, true);
  if (flow.found.empty())
    if (std::optional<EarlyLoad> early = runCopies(root, events))
      flow.found.push_back(*early);
  return flow.found;
}
