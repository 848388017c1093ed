//===- Barrier.h - mbarriers as operands -----------------------*- C++ -*-===//
//
// What ops on mbarriers, and asynchronous ops that signal one, share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_BARRIER_H
#define KERNELSCOPE_EXECUTOR_OPS_BARRIER_H

#include "dialects/ttg/TTG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Planner.h"

namespace kernelscope::executor {

/// A barrier that one run of an op signals. Each member is false, or null,
/// after a fault.
struct BarrierAddress {
  mlir::Operation *op;
  const char *at;

  MBarrier *find(Frame &frame) const;
  /// The agent arrives.
  bool arrive(Frame &frame, uint32_t count) const;
  /// Asynchronous work has ended and arrives, or completes its bytes; `by` is
  /// what is known then.
  bool arrive(Frame &frame, uint32_t count, const sanitize::Release &by) const;
  bool complete(Frame &frame, int64_t bytes, const sanitize::Release &by) const;
  bool fault(Frame &frame, const llvm::Twine &message) const;

private:
  /// Reports a wait that this signal may have made miss its phase. True.
  bool checkWaits(Frame &frame, MBarrier &barrier) const;
};

/// The barrier operand of an op. CTAs may share one: it is then in the memory
/// of the first of them, their leader, who alone initialises it, waits for it
/// and invalidates it.
struct BarrierOperand {
  mlir::Operation *op;
  Slot view;
  CTAs shared = 0; ///< bits of the CTA id that its CTAs differ in

  bool isLeader(unsigned cta) const { return !(cta & shared); }
  bool isLeader(const Frame &frame) const { return isLeader(frame.cta); }
  /// The barrier of the CTA of `frame`.
  BarrierAddress at(Frame &frame) const { return at(frame, frame.cta); }
  /// That of CTA `cta`. Waits until its leader has initialised it: lowering has
  /// a barrier of the cluster after that. Of no address after a fault.
  BarrierAddress at(Frame &frame, unsigned cta) const;
  /// As above, without its leader's place.
  BarrierAddress ownAt(Frame &frame, unsigned cta) const;
};

/// The barrier that `memory` is.
BarrierOperand planBarrier(Planner &planner, mlir::Operation *op,
                           mlir::TypedValue<ttg::MemDescType> memory);

/// A barrier for `count` arrivals.
Step planBarrierInit(BarrierOperand barrier, uint32_t count);
/// Waits for the end of the phase of this parity. False after a fault.
bool waitForPhase(Frame &frame, BarrierAddress barrier, uint32_t parity);
/// Waits for the end of the phase whose parity is in slot `phase`.
Step planBarrierWait(BarrierOperand barrier, Slot phase,
                     std::optional<Slot> predicate);
/// The agent's copies so far end with `arrivals` at the barrier; with
/// `addsThem` its phase awaits them from now on, otherwise its count has them.
bool arriveWhenCopied(Frame &frame, const BarrierAddress &barrier,
                      uint32_t arrivals, bool addsThem);
/// The same as a step.
Step planCopiesArrive(BarrierOperand barrier, uint32_t arrivals, bool addsThem);

/// The bits of a CTA id along which each has a copy of `memory`.
CTAs copiesOf(mlir::TypedValue<ttg::MemDescType> memory);
/// Of `ctas`, those whose number differs from that of `cta` in `bits` at most.
llvm::SmallVector<unsigned> ctasOfGroup(unsigned cta, CTAs bits, unsigned ctas);

/// Bytes that each CTA gets when all of `memory` is written: what a copy
/// completes on the barrier of each.
int64_t bytesPerCTA(mlir::TypedValue<ttg::MemDescType> memory);

/// Whether the predicate in this slot, if there is one, is true.
bool isTrue(Frame &frame, std::optional<Slot> predicate);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_BARRIER_H
