//===- Barrier.cpp - Barriers between agents, and within one --------------===//
//
// mbarriers count arrivals of agents; only a wait for one, or a barrier of the
// cluster, stops an agent. What synchronises the warps of one agent has nothing
// to do here: whole tensors are run at once.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Barrier.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

using namespace mlir;

namespace kernelscope::executor {

/// Of the memory that a barrier takes.
constexpr size_t barrierBytes = 8;

bool BarrierAddress::fault(Frame &frame, const Twine &message) const {
  return frame.fault(op, frame.programName() + ": " + message);
}

MBarrier *BarrierAddress::find(Frame &frame) const {
  if (!at) // There is a fault already.
    return nullptr;
  MBarriers &barriers = frame.program.barriers;
  MBarrier *found = barriers.find(at);
  if (found)
    return found;
  Fault made{op,
             frame.programName() +
                 ": the barrier is not initialised; an init_barrier must come "
                 "first, with no inval_barrier in between",
             {}};
  if (Operation *invalidated = barriers.invalidatedBy(at))
    made.notes.emplace_back(invalidated, "it has been invalidated here");
  frame.program.scheduler.fail(std::move(made));
  return nullptr;
}

bool BarrierAddress::arrive(Frame &frame, uint32_t count) const {
  return arrive(frame, count, watchRelease(frame));
}

bool BarrierAddress::arrive(Frame &frame, uint32_t count,
                            const sanitize::Release &by) const {
  MBarrier *barrier = find(frame);
  return barrier &&
         ((barrier->arrive(count, by) && checkWaits(frame, *barrier)) ||
          fault(frame, "arrives " + Twine(count) +
                           " times at a barrier whose phase " +
                           Twine(barrier->phase()) + " needs only " +
                           barrier->missing()));
}

bool BarrierAddress::complete(Frame &frame, int64_t bytes,
                              const sanitize::Release &by) const {
  MBarrier *barrier = find(frame);
  return barrier &&
         ((barrier->complete(bytes, by) && checkWaits(frame, *barrier)) ||
          fault(frame, "copies " + Twine(bytes) +
                           " bytes that complete on a barrier whose phase " +
                           Twine(barrier->phase()) + " needs only " +
                           barrier->missing()));
}

bool BarrierAddress::checkWaits(Frame &frame, MBarrier &barrier) const {
  Operation *missed = barrier.takeMissed();
  if (missed && frame.program.sanitizer)
    frame.program.sanitizer->report(
        sanitize::missedPhase(op, missed, barrier.init));
  return true;
}

BarrierAddress BarrierOperand::at(Frame &frame, unsigned cta) const {
  return ownAt(frame, cta & ~shared);
}

/// Names a barrier's memory among the addresses through which agents publish
/// what they know: those of global memory are positive.
static int64_t publishedAt(const char *barrier) {
  return -reinterpret_cast<int64_t>(barrier);
}

BarrierAddress BarrierOperand::ownAt(Frame &frame, unsigned cta) const {
  char *base = frame.at<View>(view)->base;
  const Images &images = frame.program.images;
  if (cta == frame.cta)
    return {op, images.resolve(base)};
  const char *at = nullptr;
  auto isThere = [&] {
    at = images.resolve(frame.program.cluster->peer(frame.cta, cta, base));
    return at && frame.program.barriers.find(at);
  };
  const bool found = frame.wait({op, isThere, [&] {
                                   return "CTA " + std::to_string(cta) +
                                          " to initialise the barrier";
                                 }});
  // The lowering has CTAs meet after they initialise barriers, so that one that
  // uses another's knows what came before.
  if (found && frame.watch)
    frame.watch->seeStored(publishedAt(at));
  return {op, found ? at : nullptr};
}

BarrierOperand planBarrier(Planner &planner, Operation *op,
                           TypedValue<ttg::MemDescType> memory) {
  BarrierOperand made{op, planner.slot(memory)};
  auto layout =
      dyn_cast<ttg::LayoutEncodingTrait>(memory.getType().getEncoding());
  // Each CTA had a barrier of its own, whatever the layout.
  if (planner.plan.ctas > 1 && layout && !ttg::isOlderDump(op))
    made.shared = layout.getCGALayout().getLinearLayout().getZeroMask(
        ttg::LayoutDims(op->getContext()).block);
  return made;
}

CTAs copiesOf(TypedValue<ttg::MemDescType> memory) {
  auto layout =
      dyn_cast<ttg::LayoutEncodingTrait>(memory.getType().getEncoding());
  return layout ? layout.getCGALayout().getLinearLayout().getZeroMask(
                      ttg::LayoutDims(memory.getContext()).block)
                : 0;
}

SmallVector<unsigned> ctasOfGroup(unsigned cta, CTAs bits, unsigned ctas) {
  SmallVector<unsigned> group;
  for (unsigned other = 0; other < ctas; ++other)
    if (((other ^ cta) & ~bits) == 0)
      group.push_back(other);
  return group;
}

int64_t bytesPerCTA(TypedValue<ttg::MemDescType> memory) {
  ttg::MemDescType type = memory.getType();
  int64_t bytes = static_cast<int64_t>(bytesInMemory(type.getElementType()));
  for (int64_t size : type.getShape())
    bytes *= size;
  // Each bit of the CTA id either divides the tensor or has copies of it.
  if (auto layout = dyn_cast<ttg::LayoutEncodingTrait>(type.getEncoding())) {
    StringAttr block = ttg::LayoutDims(type.getContext()).block;
    const LinearLayout &ctas = layout.getCGALayout().getLinearLayout();
    const auto copies = static_cast<uint32_t>(ctas.getZeroMask(block));
    bytes /= std::max<int64_t>(1, ctas.getInDimSize(block) >>
                                      llvm::popcount(copies));
  }
  return bytes;
}

bool isTrue(Frame &frame, std::optional<Slot> predicate) {
  return !predicate || *frame.at<uint8_t>(*predicate);
}

namespace {

Step planInit(Planner &planner, ttng::InitBarrierOp op) {
  return planBarrierInit(planBarrier(planner, op, op.getAlloc()),
                         op.getCount());
}

/// The function or partitions that `op` is in.
Operation *agentOf(Operation *op) {
  return op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
}

Step planInvalidate(Planner &planner, ttng::InvalBarrierOp op) {
  return [barrier = planBarrier(planner, op, op.getAlloc())](Frame &frame) {
    if (!barrier.isLeader(frame))
      return true;
    const BarrierAddress address = barrier.at(frame);
    const MBarrier *found = address.find(frame);
    if (!found)
      return false;
    if (found->hasWaiters())
      return address.fault(frame, "the barrier is invalidated while another "
                                  "partition waits for it");
    if (Operation *pending = frame.watch ? frame.program.barriers.pendingSignal(
                                               address.at, frame.watch->known())
                                         : nullptr)
      frame.program.sanitizer->report(
          sanitize::invalidated(address.op, pending, found->init,
                                agentOf(pending) != agentOf(address.op)));
    frame.program.barriers.invalidate(address.at, address.op);
    return true;
  };
}

/// The barriers at which an arrival of the CTA of `frame` counts. With
/// `fromCTA` each barrier gets that of the CTA which has only these bits of its
/// number, and `multicast` are bits along which it goes to all CTAs.
SmallVector<BarrierAddress> targetsOf(Frame &frame,
                                      const BarrierOperand &barrier,
                                      std::optional<uint32_t> fromCTA,
                                      CTAs multicast = 0) {
  const unsigned ctas =
      frame.program.cluster ? frame.program.cluster->size() : 1;
  SmallVector<BarrierAddress> targets;
  if (!fromCTA) {
    for (unsigned cta : ctasOfGroup(frame.cta, multicast, ctas))
      targets.push_back(barrier.at(frame, cta));
    return targets;
  }
  const CTAs others = (ctas - 1) & ~*fromCTA;
  if (!(frame.cta & others))
    for (unsigned cta : ctasOfGroup(frame.cta, others | multicast, ctas))
      targets.push_back(barrier.ownAt(frame, cta));
  return targets;
}

Step planExpect(Planner &planner, ttng::BarrierExpectOp op) {
  return [barrier = planBarrier(planner, op, op.getAlloc()),
          bytes = int32_t(op.getSize()), fromCTA = op.getFromCTA(),
          predicate = planner.slot(op.getPred())](Frame &frame) {
    return !isTrue(frame, predicate) ||
           llvm::all_of(targetsOf(frame, barrier, fromCTA),
                        [&](const BarrierAddress &address) {
                          MBarrier *found = address.find(frame);
                          if (!found)
                            return false;
                          found->expect(bytes);
                          return address.arrive(frame, 1);
                        });
  };
}

Step planArrive(Planner &planner, ttng::ArriveBarrierOp op) {
  return
      [barrier = planBarrier(planner, op, op.getAlloc()), count = op.getCount(),
       fromCTA = op.getFromCTA(), multicast = CTAs(op.getMulticastCTA()),
       predicate = optionalSlot(planner, op.getPred())](Frame &frame) {
        return !isTrue(frame, predicate) ||
               llvm::all_of(targetsOf(frame, barrier, fromCTA, multicast),
                            [&](const BarrierAddress &address) {
                              return address.arrive(frame, count);
                            });
      };
}

Step planWait(Planner &planner, ttng::WaitBarrierOp op) {
  return planBarrierWait(planBarrier(planner, op, op.getAlloc()),
                         planner.slot(op.getPhase()),
                         optionalSlot(planner, op.getPred()));
}

/// All copies to shared memory that the agent has started so far end with an
/// arrival of each of its threads.
Step planArriveWhenCopied(Planner &planner,
                          ttng::AsyncCopyMbarrierArriveOp op) {
  const uint32_t threads = ttg::lookupNumWarps(op).value_or(1) *
                           ttg::lookupThreadsPerWarp(op).value_or(32);
  return planCopiesArrive(planBarrier(planner, op, op.getBarrier()), threads,
                          !op.getNoIncrement());
}

/// Its agent's ordinary accesses to its CTA's memory, or to that of the whole
/// cluster, come before those of the async proxy.
Step planFence(Planner &planner, ttng::FenceAsyncSharedOp op) {
  return
      [inCluster = op.getBCluster(), ctas = planner.plan.ctas](Frame &frame) {
        if (frame.watch)
          frame.watch->fence(inCluster ? 0 : frame.cta,
                             inCluster ? ctas : frame.cta + 1);
        return true;
      };
}

} // namespace

Step planBarrierInit(BarrierOperand barrier, uint32_t count) {
  return [=](Frame &frame) {
    if (!barrier.isLeader(frame))
      return true;
    const BarrierAddress address = barrier.at(frame);
    View memory;
    memory.base = const_cast<char *>(address.at);
    watchAccess(frame, address.op, memory, {1}, barrierBytes, /*isWrite=*/true);
    if (frame.watch && frame.program.cluster)
      frame.watch->synchronizeAt(publishedAt(address.at));
    return frame.program.barriers.init(address.at,
                                       count << llvm::popcount(barrier.shared),
                                       address.op) ||
           address.fault(frame, "the barrier is already initialised; an "
                                "inval_barrier must come in between");
  };
}

bool waitForPhase(Frame &frame, BarrierAddress barrier, uint32_t parity) {
  MBarrier *found = barrier.find(frame);
  if (!found)
    return false;
  // Triton extends a flag by its sign; the chip takes the lowest bit.
  if (parity == ~uint32_t(0))
    parity = 1;
  if (parity > 1)
    return barrier.fault(frame, "the phase is " + Twine(int32_t(parity)) +
                                    "; it must be 0 or 1, the parity of the "
                                    "phase to wait for");
  const uint64_t awaited = found->phase();
  if (awaited % 2 != parity) {
    // A wait for the phase before the first returns at once, and must be
    // executed before the first ends.
    if (frame.watch) {
      if (awaited > 0)
        frame.watch->acquire(found->known(awaited - 1));
      found->endWait(awaited - 1, barrier.op, frame.watch->now());
    }
    return true;
  }
  found->beginWait(awaited, barrier.op);
  if (!frame.wait({barrier.op, [&] { return found->phase() != awaited; },
                   [&] {
                     return "phase " + std::to_string(awaited) +
                            " of the barrier, which still needs " +
                            found->missing();
                   }}))
    return false;
  if (frame.watch)
    frame.watch->acquire(found->known(awaited));
  found->endWait(awaited, barrier.op,
                 frame.watch ? frame.watch->now() : sanitize::Moment());
  return true;
}

Step planBarrierWait(BarrierOperand barrier, Slot phase,
                     std::optional<Slot> predicate) {
  return [=](Frame &frame) {
    return !isTrue(frame, predicate) || !barrier.isLeader(frame) ||
           waitForPhase(frame, barrier.at(frame), *frame.at<uint32_t>(phase));
  };
}

bool arriveWhenCopied(Frame &frame, const BarrierAddress &barrier,
                      uint32_t arrivals, bool addsThem) {
  MBarrier *found = barrier.find(frame);
  if (!found)
    return false;
  if (addsThem)
    found->add(arrivals);
  AsyncQueue &copies = frame.queue(ttg::Completion::CommitGroup);
  auto done = watchRelease(frame);
  if (done)
    done->done.learn(copies.allDone());
  copies.signal();
  return frame.program.barriers.issue(
      barrier.at, barrier.op, done,
      [=, &frame, &copies, end = copies.issued()] {
        return copies.finishUntil(end) && barrier.arrive(frame, arrivals, done);
      });
}

Step planCopiesArrive(BarrierOperand barrier, uint32_t arrivals,
                      bool addsThem) {
  return [=](Frame &frame) {
    return arriveWhenCopied(frame, barrier.at(frame), arrivals, addsThem);
  };
}

void registerBarrier(Registry &r) {
  r.add<ttng::InitBarrierOp>(planInit);
  r.add<ttng::InvalBarrierOp>(planInvalidate);
  r.add<ttng::BarrierExpectOp>(planExpect);
  r.add<ttng::ArriveBarrierOp>(planArrive);
  r.add<ttng::WaitBarrierOp>(planWait);
  r.add<ttng::AsyncCopyMbarrierArriveOp>(planArriveWhenCopied);
  r.add<ttng::FenceAsyncSharedOp>(planFence);
  for (StringRef name :
       {"ttg.barrier", "gpu.barrier", "rocdl.s.barrier", "nvvm.tcgen05.wait",
        "ttng.fence_mbarrier_init_release_cluster"})
    r.add(name, planNothing);
}

} // namespace kernelscope::executor
