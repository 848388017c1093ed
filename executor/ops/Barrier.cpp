//===- Barrier.cpp - Barriers between agents, and within one --------------===//
//
// mbarriers count arrivals of agents; only a wait for one stops an agent. What
// synchronises the warps of one agent has nothing to do here: whole tensors are
// run at once.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The barrier operand of an op.
struct BarrierOperand {
  Operation *op;
  Slot view;

  const char *address(Frame &frame) const { return frame.at<View>(view)->base; }

  bool fault(Frame &frame, const Twine &message) const {
    return frame.fault(op, frame.programName() + ": " + message);
  }

  /// Null after a fault.
  MBarrier *find(Frame &frame) const {
    MBarrier *found = frame.program.barriers.find(address(frame));
    if (!found)
      fault(frame, "the barrier is not initialised; it needs a "
                   "ttng.init_barrier that no ttng.inval_barrier follows");
    return found;
  }

  bool arrive(Frame &frame, MBarrier &barrier, uint32_t count) const {
    return barrier.arrive(count) ||
           fault(frame, "arrives " + Twine(count) +
                            " times at a barrier whose phase " +
                            Twine(barrier.phase()) + " lacks only " +
                            barrier.missing());
  }
};

/// None after an error. An agent stands for all CTAs of its cluster, so
/// arrivals at a barrier that they share cannot be counted.
std::optional<BarrierOperand> barrierOf(Planner &planner, Operation *op,
                                        TypedValue<ttg::MemDescType> memory,
                                        bool crossesCTAs = false) {
  const int64_t ctas = ttg::lookupNumCTAs(op).value_or(1);
  if (crossesCTAs || memory.getType().getDimSize(0) != ctas) {
    op->emitError("the CPU executor does not run '")
        << op->getName() << "' on a barrier that CTAs share";
    return std::nullopt;
  }
  return BarrierOperand{op, planner.slot(memory)};
}

bool isTrue(Frame &frame, std::optional<Slot> predicate) {
  return !predicate || *frame.at<uint8_t>(*predicate);
}

Step planInit(Planner &planner, ttng::InitBarrierOp op) {
  auto barrier = barrierOf(planner, op, op.getAlloc());
  if (!barrier)
    return {};
  return [barrier = *barrier, count = op.getCount()](Frame &frame) {
    return frame.program.barriers.init(barrier.address(frame), count) ||
           barrier.fault(frame, "the barrier is already initialised; a "
                                "ttng.inval_barrier must come between");
  };
}

Step planInvalidate(Planner &planner, ttng::InvalBarrierOp op) {
  auto barrier = barrierOf(planner, op, op.getAlloc());
  if (!barrier)
    return {};
  return [barrier = *barrier](Frame &frame) {
    const MBarrier *found = barrier.find(frame);
    if (!found)
      return false;
    if (found->waiters)
      return barrier.fault(frame, "the barrier is invalidated while another "
                                  "partition waits for it");
    frame.program.barriers.invalidate(barrier.address(frame));
    return true;
  };
}

Step planExpect(Planner &planner, ttng::BarrierExpectOp op) {
  auto barrier =
      barrierOf(planner, op, op.getAlloc(), op.getFromCTA().has_value());
  if (!barrier)
    return {};
  return [barrier = *barrier, bytes = int32_t(op.getSize()),
          predicate = planner.slot(op.getPred())](Frame &frame) {
    if (!isTrue(frame, predicate))
      return true;
    MBarrier *found = barrier.find(frame);
    if (!found)
      return false;
    found->expect(bytes);
    return barrier.arrive(frame, *found, 1);
  };
}

Step planArrive(Planner &planner, ttng::ArriveBarrierOp op) {
  auto barrier = barrierOf(planner, op, op.getAlloc(),
                           op.getFromCTA().has_value() || op.isMulticast());
  if (!barrier)
    return {};
  return [barrier = *barrier, count = op.getCount(),
          predicate = optionalSlot(planner, op.getPred())](Frame &frame) {
    if (!isTrue(frame, predicate))
      return true;
    MBarrier *found = barrier.find(frame);
    return found && barrier.arrive(frame, *found, count);
  };
}

Step planWait(Planner &planner, ttng::WaitBarrierOp op) {
  auto barrier = barrierOf(planner, op, op.getAlloc());
  if (!barrier)
    return {};
  return [barrier = *barrier, phase = planner.slot(op.getPhase()),
          predicate = optionalSlot(planner, op.getPred())](Frame &frame) {
    if (!isTrue(frame, predicate))
      return true;
    MBarrier *found = barrier.find(frame);
    if (!found)
      return false;
    const uint32_t parity = *frame.at<uint32_t>(phase);
    if (parity > 1)
      return barrier.fault(frame, "the phase is " + Twine(int32_t(parity)) +
                                      "; it must be 0 or 1, the parity of the "
                                      "phase to wait for");
    const uint64_t awaited = found->phase();
    if (awaited % 2 != parity)
      return true;
    ++found->waiters;
    if (!frame.wait({barrier.op, [&] { return found->phase() != awaited; },
                     [&] {
                       return "phase " + std::to_string(awaited) +
                              " of the barrier, which lacks " +
                              found->missing();
                     }}))
      return false;
    --found->waiters;
    return true;
  };
}

} // namespace

void registerBarrier(Registry &r) {
  r.add<ttng::InitBarrierOp>(planInit);
  r.add<ttng::InvalBarrierOp>(planInvalidate);
  r.add<ttng::BarrierExpectOp>(planExpect);
  r.add<ttng::ArriveBarrierOp>(planArrive);
  r.add<ttng::WaitBarrierOp>(planWait);
  for (StringRef name :
       {"ttg.barrier", "gpu.barrier", "rocdl.s.barrier",
        "ttng.fence_async_shared", "ttng.cluster_barrier",
        "amdg.cluster_barrier_arrive", "amdg.cluster_barrier_wait"})
    r.add(name, planNothing);
}

} // namespace kernelscope::executor
