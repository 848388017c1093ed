//===- WarpPhases.cpp - Order between warps that are out of phase ---------===//

#include "passes/lower/WarpPhases.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "passes/analysis/IterationValues.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/memory/AtomicBarriers.h"
#include "passes/memory/ThreadAccess.h"

using namespace mlir;
using namespace kernelscope;
using memory::LocatedAccess;
using memory::MemorySpace;

/// More than a ring has slots: what is pending longer is so in any iteration.
constexpr unsigned iterationsFollowed = 10;

Operation *lower::createPlainBarrier(OpBuilder &builder, Location loc) {
  return builder.create(
      OperationState(loc, OperationName("rocdl.s.barrier", loc.getContext())));
}

namespace {

class Phases {
public:
  Phases(const lower::OutOfPhase &region, const memory::Buffers &buffers,
         const Target &target)
      : region(region), loop(region.loop), buffers(buffers), target(target) {
    if (loop)
      values.emplace(loop);
  }

  /// Goes through all iterations and repairs the first conflict; false if there
  /// is none.
  bool repairFirst();

private:
  struct Pending {
    LocatedAccess located;
    unsigned iteration;
    /// What its copies are waited for by, if it copies.
    memory::Completion completion = located.access.awaits;
    /// Since it was done, or may have been.
    unsigned barriers = 0;
    Operation *firstBarrier = nullptr;
    /// Its warp had waited for it at a barrier or before.
    bool isWaitedFor = false;
    bool isOrdered = false;
    /// Copies that its warp has certainly issued since.
    int64_t newer = 0;
    /// No later wait is the one that it needs.
    bool isSurelyDone = located.access.isDone();
  };

  void pass(Operation *barrier);
  void finish(ttg::AsyncWaitOpInterface wait);
  void issue(Operation *op, memory::Completion completion);
  bool repair(Operation *op, const LocatedAccess &next);
  bool conflict(const Pending &before, const LocatedAccess &next);
  static bool isBarrier(Operation *op) {
    return ttg::ordersThreads(op, MemorySpace::Shared) ||
           op->getName().getStringRef() == "rocdl.s.barrier";
  }

  const lower::OutOfPhase &region;
  scf::ForOp loop;
  const memory::Buffers &buffers;
  const Target &target;
  std::optional<IterationValues> values;
  SmallVector<Pending> pending;
  unsigned iteration = 0;
};

void Phases::pass(Operation *barrier) {
  const bool waits = ttg::ordersThreads(barrier, MemorySpace::Shared);
  for (Pending &access : pending) {
    if (!access.located.access.isDone())
      continue;
    access.isOrdered |= access.isWaitedFor && access.barriers > 0;
    if (access.barriers++ == 0)
      access.firstBarrier = barrier;
    access.isWaitedFor |= waits;
  }
  llvm::erase_if(pending, [](const Pending &access) {
    return access.isOrdered && access.isSurelyDone;
  });
}

/// Of copies that a wait may leave in flight, each wait may be the one that
/// their data needs, until it leaves none as old.
void Phases::finish(ttg::AsyncWaitOpInterface wait) {
  for (Pending &access : pending) {
    if (access.completion != wait.getAwaited() || access.isSurelyDone)
      continue;
    access.located.access.awaits = memory::Completion::AtOnce;
    access.barriers = 0;
    access.firstBarrier = nullptr;
    access.isWaitedFor = true;
    access.isOrdered = false;
    access.isSurelyDone = access.newer >= wait.getPending();
  }
}

void Phases::issue(Operation *op, memory::Completion completion) {
  // The data mover's waits count ops.
  const int64_t copies = completion == memory::Completion::TensorCounter
                             ? 1
                             : lower::fewestLdsCopies(op, target);
  for (Pending &access : pending)
    if (access.completion == completion)
      access.newer += copies;
}

bool Phases::conflict(const Pending &before, const LocatedAccess &next) {
  return !before.isOrdered &&
         before.located.access.needsBarrierBefore(next.access) &&
         !(values &&
           values->areInDifferentSlots(before.located.memory, next.memory,
                                       iteration - before.iteration));
}

bool Phases::repair(Operation *op, const LocatedAccess &next) {
  const auto *before = llvm::find_if(
      pending, [&](const Pending &access) { return conflict(access, next); });
  if (before == pending.end())
    return false;
  Operation *first = before->firstBarrier;
  OpBuilder builder(op);
  if (!first)
    first =
        ttg::BarrierOp::create(builder, op->getLoc(), ttg::AddrSpace::Local);
  if (before->barriers < 2) {
    builder.setInsertionPointAfter(first);
    lower::createPlainBarrier(builder, first->getLoc());
  }
  if (!ttg::ordersThreads(first, MemorySpace::Shared)) {
    builder.setInsertionPoint(first);
    ttg::BarrierOp::create(builder, first->getLoc(), ttg::AddrSpace::Local);
    first->erase();
  }
  return true;
}

bool Phases::repairFirst() {
  pending.clear();
  for (iteration = 0; iteration < (loop ? iterationsFollowed : 1); ++iteration)
    for (Operation *op = loop ? &loop.getBody()->front()
                              : region.shift->getNextNode();
         op && op != region.join; op = op->getNextNode()) {
      if (isBarrier(op)) {
        pass(op);
        continue;
      }
      if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
        finish(wait);
        continue;
      }
      SmallVector<LocatedAccess> accesses;
      op->walk([&](Operation *inner) {
        llvm::append_range(accesses, memory::threadAccessesOf(inner, buffers));
      });
      for (const LocatedAccess &access : accesses)
        if (repair(op, access))
          return true;
      std::optional<memory::Completion> issued;
      for (LocatedAccess &access : accesses)
        if (!access.access.isDone())
          issued = access.access.awaits;
      if (issued)
        issue(op, *issued);
      for (LocatedAccess &access : accesses)
        pending.push_back({access, iteration});
    }
  return false;
}

} // namespace

void lower::orderOutOfPhase(const OutOfPhase &region,
                            const memory::Buffers &buffers,
                            const Target &target) {
  Phases phases(region, buffers, target);
  while (phases.repairFirst()) {
  }
}

bool lower::isCallForOneWarp(Operation *call) {
  auto called = dyn_cast<tt::CallOp>(call);
  if (!called)
    return false;
  auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(
      call, called.getCalleeAttr());
  if (!callee || callee.isExternal())
    return false;
  auto isForMore = [](Operation *op) {
    auto scratch = dyn_cast<ttg::ScratchOpInterface>(op);
    return isa<CallOpInterface, ttg::WarpSpecializeOp>(op) ||
           isa<ttg::AsyncWaitOpInterface>(op) ||
           ttg::ordersThreads(op, ttg::MemorySpace::Shared) ||
           op->getName().getStringRef() == "rocdl.s.barrier" ||
           memory::ordersForCTA(op) || (scratch && scratch.getScratchBytes()) ||
           llvm::any_of(op->getOperandTypes(),
                        llvm::IsaPred<ttg::MemDescType>) ||
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<ttg::MemDescType>);
  };
  return !callee
              .walk([&](Operation *op) {
                return isForMore(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
              })
              .wasInterrupted();
}
