//===- InsertBarriers.cpp - Order between threads in memory ---------------===//
//
// Walks each kernel in order of execution, through the functions that it calls,
// with the accesses to shared and tensor memory that threads may not have
// finished with since the last barrier. An op that would write what is read, or
// touch what is written, gets a barrier in front. An asynchronous access takes
// part once its thread has waited for it: before that no barrier helps. One
// that completes on an mbarrier never does, since every thread that uses the
// data waits there.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "passes/Passes.h"
#include "passes/memory/ClusterBarriers.h"
#include "passes/memory/FunctionBuffers.h"
#include "passes/memory/PendingWalk.h"
#include "passes/memory/ViewReach.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::BarrierAction;
using ttg::Completion;

namespace kernelscope {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// Names the cells of tensor memory that an op has each warp load or store: two
/// ops with the same give each warp the same cells. Null pointers if unknown.
using WarpCells = std::pair<const void *, const void *>;

struct ThreadAccess {
  enum Kind : uint8_t {
    Data,
    /// Makes or ends an mbarrier: one thread does all of these.
    Setup,
    /// Counts towards a phase of an mbarrier, atomically.
    Arrive,
    /// The same by one thread for all, who must be through with what they did
    /// before.
    Release,
    /// Waits for a phase of an mbarrier.
    Wait
  };
  MemorySpace space;
  Interval place;
  bool isWrite;
  Kind kind = Data;
  /// What has to tell the thread that it is done: `AtOnce` if it knows.
  Completion awaits = Completion::AtOnce;
  WarpCells cells = {};

  bool isDone() const { return awaits == Completion::AtOnce; }
  bool isArrival() const { return kind == Arrive || kind == Release; }
  /// True if `next` needs a barrier in front, for other threads to be through
  /// with this.
  bool needsBarrierBefore(const ThreadAccess &next) const {
    if (!isDone())
      return false;
    if (kind == Data && next.kind == Release)
      return true;
    // Arrivals are what a wait is for. The other way round, threads that have
    // not seen the end of a phase would miss it if the next one ended too.
    bool areOrdered =
        kind == Data
            ? cells.first && cells == next.cells
            : kind == next.kind ||
                  (isArrival() && (next.isArrival() || next.kind == Wait));
    return !areOrdered && space == next.space && place.overlaps(next.place) &&
           (isWrite || next.isWrite);
  }
  bool operator==(const ThreadAccess &) const = default;
};

using Accesses = PendingAccesses<ThreadAccess>;

/// The threads are through with what they know to be done in `space`.
void endAt(MemorySpace space, Accesses &pending) {
  pending.drop([&](const ThreadAccess &access) {
    return access.space == space && access.isDone();
  });
}

/// The thread knows that all that `awaited` tells of is done.
void finish(Completion awaited, Accesses &pending) {
  pending.change([&](ThreadAccess &access) {
    if (access.awaits == awaited)
      access.awaits = Completion::AtOnce;
  });
}

/// The spaces in which one of `next` needs a barrier in front.
SmallVector<MemorySpace, 2> conflictsOf(const Accesses &pending,
                                        const Accesses &next) {
  SmallVector<MemorySpace, 2> spaces;
  for (const ThreadAccess &before : pending)
    for (const ThreadAccess &after : next)
      if (!llvm::is_contained(spaces, before.space) &&
          before.needsBarrierBefore(after))
        spaces.push_back(before.space);
  return spaces;
}

constexpr MemorySpace ofCTA[] = {MemorySpace::Shared, MemorySpace::Tensor};

/// Whether a wait is for data that others read: they need a barrier right
/// behind it. Where memory was only read, whoever writes next asks for one.
bool publishes(Operation *op) {
  auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op);
  return wait && (wait.getAwaited() == Completion::CommitGroup ||
                  wait.getAwaited() == Completion::TensorCounter);
}

ThreadAccess::Kind kindOf(BarrierAction::Kind action) {
  switch (action) {
  case BarrierAction::Init:
  case BarrierAction::Invalidate:
    return ThreadAccess::Setup;
  case BarrierAction::Wait:
    return ThreadAccess::Wait;
  case BarrierAction::Arrive:
    return ThreadAccess::Release;
  default:
    return ThreadAccess::Arrive;
  }
}

WarpCells cellsOf(Operation *op, Value memory) {
  Value registers;
  if (auto load = dyn_cast<ttng::TMEMLoadOp>(op))
    registers = load.getResult();
  else if (auto store = dyn_cast<ttng::TMEMStoreOp>(op))
    registers = store.getSrc();
  else if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(op))
    registers = alloc.getSrc();
  if (!registers)
    return {};
  // Each of four warps has 32 lanes (PTX ISA, "Tensor Memory").
  if (ttg::lookupNumWarps(op) == 4)
    return {op->getContext(), nullptr};
  // A loop may pass overlapping windows under one name.
  Operation *view = memory.getDefiningOp();
  while (isa_and_nonnull<ttg::MemDescIndexOp, ttng::TMEMSubSliceOp>(view))
    view = view->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<ttng::TMEMAllocOp>(view))
    return {};
  return {memory.getAsOpaquePointer(),
          registers.getType().getAsOpaquePointer()};
}

class BarrierInserter : PendingWalk<ThreadAccess> {
public:
  explicit BarrierInserter(ModuleOp module) : functions(module) {
    for (FunctionOpInterface function : functions.entries())
      visit(function.getFunctionBody(), {});
  }

private:
  using PendingWalk::visit;
  void visit(Operation *op, Accesses &pending) override {
    const Buffers &buffers = functions.around(op);
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (FunctionOpInterface callee = functions.calleeOf(call)) {
        visitCallee(callee, pending);
        return;
      }
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
      finish(wait.getAwaited(), pending);
      if (publishes(op)) {
        insertAfter(op);
        endAt(MemorySpace::Shared, pending);
      }
      return;
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      // Partitions are handed their arguments before the first barrier.
      Accesses captures;
      if (const Buffers::Buffer *scratch = buffers.scratchOf(op))
        captures.add({scratch->space, scratch->place, true});
      orderBefore(op, captures, pending);
      // Whatever was pending, all warps meet before regions begin.
      visit(specialize.getDefaultRegion(), {});
      for (Region *region : specialize.getPartitionRegions())
        visit(*region, {});
      pending = {};
      return;
    }
    for (MemorySpace space : ofCTA)
      if (ttg::ordersThreads(op, space))
        endAt(space, pending);
    const Buffers::Buffer *scratch = buffers.scratchOf(op);
    if (op->getNumRegions() && !scratch) {
      visitRegions(op, pending);
      return;
    }

    Accesses accesses = accessesOf(op, buffers);
    if (scratch)
      accesses.add({scratch->space, scratch->place, true});
    orderBefore(op, accesses, pending);
    if (scratch) {
      // The op has a barrier between its stores and its loads.
      endAt(scratch->space, pending);
      accesses = {};
      accesses.add({scratch->space, scratch->place, false});
    }
    pending.add(accesses);
  }

  /// Puts a barrier in front of `op` if its `accesses` must wait.
  static void orderBefore(Operation *op, const Accesses &accesses,
                          Accesses &pending) {
    SmallVector<MemorySpace, 2> conflicts = conflictsOf(pending, accesses);
    if (conflicts.empty())
      return;
    OpBuilder builder(op);
    insert(builder, op->getLoc(), conflicts);
    for (MemorySpace space : conflicts)
      endAt(space, pending);
  }

  static Accesses accessesOf(Operation *op, const Buffers &buffers) {
    Accesses accesses;
    for (const ttg::MemoryAccess &access : ttg::accessesOf(op)) {
      if (access.space == MemorySpace::Global || !access.memory)
        continue;
      ThreadAccess::Kind kind =
          access.onBarrier ? kindOf(*access.onBarrier) : ThreadAccess::Data;
      for (const Buffers::Buffer *buffer : buffers.buffersOf(access.memory))
        accesses.add({buffer->space, placeOf(access.memory, *buffer),
                      access.isWrite, kind, access.mode.completion,
                      cellsOf(op, access.memory)});
    }
    return accesses;
  }

  /// What of `buffer` the descriptor `memory` reaches.
  static Interval placeOf(Value memory, const Buffers::Buffer &buffer) {
    auto reach =
        buffer.space == MemorySpace::Shared ? reachOf(memory) : std::nullopt;
    if (!reach)
      return buffer.place;
    return {buffer.place.begin + reach->begin,
            std::min(buffer.place.begin + reach->end, buffer.place.end)};
  }

  static void insert(OpBuilder &builder, Location loc,
                     ArrayRef<MemorySpace> spaces) {
    auto orders = ttg::AddrSpace::None;
    for (MemorySpace space : spaces)
      orders = orders |
               (space == MemorySpace::Shared
                    ? ttg::AddrSpace::Local
                    : ttg::AddrSpace::TensorRead | ttg::AddrSpace::TensorWrite);
    ttg::BarrierOp::create(builder, loc, orders);
  }
  static void insertAfter(Operation *op) {
    Operation *next = op->getNextNode();
    if (next &&
        (ttg::ordersThreads(next, MemorySpace::Shared) || publishes(next)))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    insert(builder, op->getLoc(), MemorySpace::Shared);
  }

  FunctionBuffers functions;
};

struct InsertBarriers : kernelscope::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal())
        insertClusterBarriers(function);
    BarrierInserter inserter(getOperation());
  }
};

} // namespace
