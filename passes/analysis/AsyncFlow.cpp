//===- AsyncFlow.cpp - Which asynchronous copies are still under way ------===//

#include "passes/analysis/AsyncFlow.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/Barriers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace kernelscope;
using ttg::Completion;

/// The shared memory, but for barriers, that is written.
static SmallVector<Value, 1>
sharedWritesOf(ArrayRef<ttg::MemoryAccess> accesses) {
  SmallVector<Value, 1> destinations;
  for (const ttg::MemoryAccess &access : accesses)
    if (access.isWrite && access.space == ttg::MemorySpace::Shared &&
        !access.onBarrier)
      destinations.push_back(access.memory);
  return destinations;
}

SmallVector<Value, 1> kernelscope::destinationsOf(Operation *op) {
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  if (!memory || memory.getAccessMode().completion == Completion::AtOnce)
    return {};
  return sharedWritesOf(ttg::accessesOf(op));
}

bool kernelscope::startsCopy(Operation *op) {
  return !destinationsOf(op).empty();
}

bool kernelscope::isSyncedLoad(Operation *op) {
  auto mark = op->getAttrOfType<BoolAttr>("ttg.amdg.syncedViaAsyncWait");
  return mark && mark.getValue() && isa<ttg::LocalLoadOp>(op);
}

namespace {

/// A copy that may be under way.
struct Copy {
  Value destination;
  Completion completion;
  /// The fewest groups that were closed after that of the copy; nothing while
  /// its own is open.
  std::optional<int64_t> newer;
  /// The last wait since, which did not cover it.
  Operation *wait = nullptr;
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
      if (!isNew)
        own->second.newer = std::min(own->second.newer, copy.newer);
    }
  }
  void forget() {
    copies.clear();
    waited = true;
  }
};

/// An op that has to do with copies, or has regions.
struct Event {
  Operation *op;
  bool isCall = false, commits = false, isMarked = false;
  /// What it waits for, and how much of it it leaves.
  std::optional<Completion> awaited = {};
  std::optional<int64_t> pending = {};
  /// The shared memory that it reads, if who reads it does not see to that
  /// itself.
  SmallVector<Value, 2> reads = {};
  SmallVector<Value, 1> destinations = {};

  bool matters() const {
    return op->getNumRegions() != 0 || isCall || commits || isMarked ||
           awaited || !reads.empty() || !destinations.empty();
  }
};

class Flow {
public:
  explicit Flow(Operation *function) {
    std::optional<Target> target = ttg::lookupTarget(function);
    countsGroups = target && target->isNvidia();
    // LLVM puts in the waits for gfx9's copies, unless a load is marked.
    onlyMarked =
        !target || (target->isAmd() && !target->hasScatteredAsyncCopies);
  }

  SmallVector<EarlyLoad> found;

  void run(Block &block, State &state, bool reports);

private:
  void runLoop(Operation *loop, ArrayRef<Block *> blocks, State &state,
               bool reports);
  void visit(const Event &event, State &state, bool reports);
  void wait(const Event &event, State &state) const;
  void load(const Event &event, const State &state);
  ArrayRef<Event> eventsOf(Block &block);

  bool countsGroups, onlyMarked;
  /// Of each block, found once: loops are gone through twice.
  std::map<Block *, std::vector<Event>> events;
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

/// What `op` does to shared memory. Other engines than matrix units may read
/// behind the copies by themselves.
static void addAccesses(Event &event) {
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(event.op);
  ttg::AccessMode mode = memory ? memory.getAccessMode() : ttg::AccessMode();
  bool reads = event.op->hasTrait<ttg::LocalLoadTrait>() ||
               (memory && mode.proxy == ttg::Proxy::TensorCore);
  bool copies = memory && mode.completion != Completion::AtOnce;
  if (!reads && !copies)
    return;
  SmallVector<ttg::MemoryAccess> accesses = ttg::accessesOf(event.op);
  if (copies)
    event.destinations = sharedWritesOf(accesses);
  for (const ttg::MemoryAccess &access : accesses)
    if (reads && !access.isWrite && access.memory && !access.onBarrier &&
        access.space == ttg::MemorySpace::Shared)
      event.reads.push_back(access.memory);
}

static Event eventOf(Operation *op) {
  Event event = {op};
  event.isCall = isa<CallOpInterface>(op);
  event.commits = isa<ttg::AsyncCommitGroupOp>(op);
  event.isMarked = isSyncedLoad(op);
  if (auto awaits = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
    if (awaits.getAwaited() != Completion::WgmmaGroup) {
      event.awaited = awaits.getAwaited();
      event.pending = awaits.getPending();
    }
  } else if (llvm::any_of(ttg::barrierActionsOf(op),
                          [](const ttg::BarrierAction &action) {
                            return action.kind == ttg::BarrierAction::Wait;
                          })) {
    event.awaited = Completion::MBarrier;
  }
  addAccesses(event);
  return event;
}

ArrayRef<Event> Flow::eventsOf(Block &block) {
  auto [found, isNew] = events.try_emplace(&block);
  if (isNew)
    for (Operation &op : block) {
      if (onlyComputes(&op))
        continue;
      if (Event event = eventOf(&op); event.matters())
        found->second.push_back(std::move(event));
    }
  return found->second;
}

/// What a wait leaves of the copies that it is for.
void Flow::wait(const Event &event, State &state) const {
  state.waited = true;
  state.copies.remove_if([&](auto &entry) {
    Copy &copy = entry.second;
    bool isCovered = copy.completion == event.awaited;
    // AMD's numbers are of groups or, later in the pipeline, of instructions.
    if (isCovered && event.awaited == Completion::CommitGroup && countsGroups)
      isCovered = copy.newer && *copy.newer >= event.pending.value_or(0);
    if (!isCovered)
      copy.wait = event.op;
    return isCovered;
  });
}

void Flow::load(const Event &event, const State &state) {
  if (event.isMarked && !state.waited) {
    found.push_back({event.op, nullptr, nullptr, std::nullopt});
    return;
  }
  if (state.copies.empty() || event.reads.empty() ||
      (onlyMarked && !event.isMarked))
    return;
  for (const auto &[copyOp, copy] : state.copies) {
    Value whole = wholeOf(copy.destination);
    if (llvm::none_of(event.reads, [&](Value read) {
          return areSameView(wholeOf(read), whole);
        }))
      continue;
    bool counts = copy.wait && copy.completion == Completion::CommitGroup &&
                  isa<ttg::AsyncWaitOp>(copy.wait);
    // A wait for a group that is still open covers nothing of it.
    found.push_back({event.op, copyOp, copy.wait,
                     counts ? copy.newer : std::optional<int64_t>(),
                     copy.newer.has_value()});
    return;
  }
}

void Flow::visit(const Event &event, State &state, bool reports) {
  if (event.isCall)
    return state.forget();
  if (reports)
    load(event, state);
  if (event.commits)
    for (auto &[start, copy] : state.copies)
      if (copy.completion == Completion::CommitGroup)
        copy.newer = copy.newer ? *copy.newer + 1 : 0;
  if (event.awaited)
    wait(event, state);
  for (Value destination : event.destinations)
    state.copies[event.op] = {
        destination,
        cast<ttg::MemoryAccessOpInterface>(event.op).getAccessMode().completion,
        std::nullopt};
}

void Flow::runLoop(Operation *loop, ArrayRef<Block *> blocks, State &state,
                   bool reports) {
  // Once to see what comes around, and once for all iterations. A loop is taken
  // to run at least once.
  State around = state;
  for (Block *block : blocks)
    run(*block, around, false);
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
  for (const Event &event : eventsOf(block)) {
    Operation &op = *event.op;
    if (op.getNumRegions() == 0) {
      visit(event, state, reports);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      runLoop(loop, {loop.getBody()}, state, reports);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      runLoop(loop, {loop.getBeforeBody(), loop.getAfterBody()}, state,
              reports);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      State otherwise = state;
      run(branch.getThenRegion().front(), state, reports);
      if (!branch.getElseRegion().empty())
        run(branch.getElseRegion().front(), otherwise, reports);
      // One condition may decide over both a copy and its wait.
      auto isInBranch = [&](auto &entry) {
        return branch->isAncestor(entry.first);
      };
      state.copies.remove_if(isInBranch);
      otherwise.copies.remove_if(isInBranch);
      state.join(otherwise);
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
  Flow flow(root);
  flow.run(function.getFunctionBody().front(), state, true);
  return flow.found;
}
