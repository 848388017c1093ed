//===- MBarriers.cpp - Barriers in shared memory, and fences --------------===//
//
// ttng.init_barrier, arrive_barrier, wait_barrier and their like, as `mbarrier`
// instructions, the fences between proxies, and the barrier of a cluster. One
// thread initialises, arrives and announces for all that execute the op; all of
// them wait. PTX ISA, "Parallel Synchronization and Communication Instructions:
// mbarrier".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

//===----------------------------------------------------------------------===//
// Where a barrier is
//===----------------------------------------------------------------------===//

MBarrier::MBarrier(Builder &b, const TargetHooks &hooks, Operation *op,
                   Value packed, ttg::MemDescType type) {
  // Of several barriers each CTA has one; those that it shares are copies.
  MemDesc memory = MemDesc::unpack(b, packed);
  Value offset = type.getDimSize(0) == 1 ? memory.offsets.front() : b.i32(0);
  address = b.gep(b.intType(64), memory.base, offset);
  sharedCTABits = hooks.getCtas() == 1 || ttg::isOlderDump(op)
                      ? 0
                      : ttg::toLinearLayout(type).getZeroMask(
                            ttg::LayoutDims(b.getContext()).block);
}

Value lower::mapToCTA(Builder &b, Value local, Value cta) {
  Ptx ptx(b);
  std::string mapped = ptx.output(32), from = ptx.input(local, "r"),
              in = ptx.input(cta, "r");
  return ptx
      .emit("mapa.shared::cluster.u32 " + mapped + ", " + from + ", " + in +
            ";")
      .front();
}

StringRef MBarrier::groupOfCopies(Operation *op, bool isElsewhere) const {
  const bool inPair = isShared() && ttng::lookupTwoCTAs(op).value_or(false);
  return inPair || isElsewhere ? ".cta_group::2" : "";
}

Value MBarrier::used(Builder &b, const TargetHooks &hooks) const {
  return of(b, b.bitAnd(hooks.ctaId(b), b.i32(~sharedCTABits)));
}

Value MBarrier::of(Builder &b, Value cta) const {
  return mapToCTA(b, address, cta);
}

Value MBarrier::isLeader(Builder &b, const TargetHooks &hooks) const {
  if (!sharedCTABits)
    return {};
  return b.icmp(ICmp::eq, b.bitAnd(hooks.ctaId(b), b.i32(sharedCTABits)),
                b.i32(0));
}

//===----------------------------------------------------------------------===//
// What is done with it
//===----------------------------------------------------------------------===//

void lower::emitOnBarrier(Builder &b, StringRef instruction, Value address,
                          const Twine &suffix, Value predicate) {
  Ptx ptx(b);
  std::string to = "[" + ptx.input(address, "r") + "]";
  std::string guard = ptx.predicate(predicate);
  ptx.emit((guard + instruction + " " + to + suffix + ";").str());
}

void lower::waitForPhase(Builder &b, const TargetHooks &hooks, Value address,
                         Value parity, Value predicate) {
  Ptx ptx(b);
  std::string from = ptx.input(address, "r");
  std::string phase = ptx.input(parity, "r");
  std::string skip;
  if (predicate)
    skip = "@!" + ptx.input(predicate, "b") + " bra done;\n";
  std::string scope = hooks.getCtas() == 1 ? "" : ".acquire.cluster";
  // Before sm_90 no wait suspends the thread.
  StringRef wait = hooks.getTarget().hasMbarriers ? "try_wait" : "test_wait";
  // Names of labels and registers end with the braces.
  ptx.emit("{\n"
           ".reg .pred complete;\n" +
           skip + "again: mbarrier." + wait.str() + ".parity" + scope +
           ".shared::cta.b64 complete, [" + from + "], " + phase +
           ";\n"
           "@!complete bra again;\n"
           "done:\n"
           "}");
}

namespace {

/// True in the thread that acts for all; `predicates` may be null.
Value actsForAll(lower::Builder &b, const TargetHooks &hooks,
                 ArrayRef<Value> predicates = {}) {
  Value acts = b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
  for (Value predicate : predicates)
    if (predicate)
      acts = b.bitAnd(acts, predicate);
  return acts;
}

/// The arrivals of an op at the barriers of a cluster, or at the one of a
/// single CTA.
struct Arrival {
  /// After "mbarrier.arrive" and its scope.
  StringRef form;
  std::string operand;
  Value predicate;
  /// The barrier of a CTA takes the arrival of the CTA whose id it has in these
  /// bits, without the others.
  std::optional<uint32_t> fromCTA;
  /// The bits of the id along which an arrival goes to all CTAs.
  uint32_t multicastCTA;
};

void arrive(lower::Builder &b, const TargetHooks &hooks,
            const MBarrier &barrier, const Arrival &arrival) {
  uint32_t all = hooks.getCtas() - 1;
  uint32_t spread = arrival.multicastCTA & all;
  if (arrival.fromCTA)
    spread |= ~*arrival.fromCTA & all;
  if (!spread && !barrier.isShared())
    return emitOnBarrier(
        b, ("mbarrier.arrive" + arrival.form + ".shared::cta.b64 _,").str(),
        barrier.local(), arrival.operand,
        actsForAll(b, hooks, arrival.predicate));

  std::string instruction = ("mbarrier.arrive" + arrival.form +
                             ".release.cluster.shared::cluster.b64 _,")
                                .str();
  if (!spread)
    return emitOnBarrier(b, instruction, barrier.used(b, hooks),
                         arrival.operand,
                         actsForAll(b, hooks, arrival.predicate));
  // Those that no barrier takes an arrival of stay out.
  Value cta = hooks.ctaId(b), takes;
  if (arrival.fromCTA)
    takes = b.icmp(
        ICmp::eq,
        b.bitAnd(cta, b.i32(static_cast<int32_t>(~*arrival.fromCTA & all))),
        b.i32(0));
  Value predicate = actsForAll(b, hooks, {arrival.predicate, takes});
  for (uint32_t to = 0;; to = (to - spread) & spread) {
    Value target = b.bitXor(cta, b.i32(static_cast<int32_t>(to)));
    emitOnBarrier(b, instruction, barrier.of(b, target), arrival.operand,
                  predicate);
    if (to == spread)
      break;
  }
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::InitBarrierOp op,
          ttng::InitBarrierOp::Adaptor, const MBarrier &barrier) {
  // Each of the CTAs that share it arrives.
  emitOnBarrier(b, "mbarrier.init.shared::cta.b64", barrier.local(),
                ", " + Twine(op.getCount() * barrier.users()),
                actsForAll(b, hooks, barrier.isLeader(b, hooks)));
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::InvalBarrierOp,
          ttng::InvalBarrierOp::Adaptor, const MBarrier &barrier) {
  emitOnBarrier(b, "mbarrier.inval.shared::cta.b64", barrier.local(), "",
                actsForAll(b, hooks, barrier.isLeader(b, hooks)));
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::BarrierExpectOp op,
          ttng::BarrierExpectOp::Adaptor adaptor, const MBarrier &barrier) {
  arrive(b, hooks, barrier,
         {".expect_tx", ", " + std::to_string(op.getSize()), adaptor.getPred(),
          op.getFromCTA(), 0});
}

/// Before sm_90 an arrival that may end the phase is a single one.
void arriveWithoutCount(lower::Builder &b, const MBarrier &barrier,
                        uint32_t count, Value predicate) {
  Ptx ptx(b);
  std::string to = "[" + ptx.input(barrier.local(), "r") + "]";
  std::string guard = ptx.predicate(predicate), earlier;
  if (count > 1)
    earlier = guard + "mbarrier.arrive.noComplete.shared::cta.b64 state, " +
              to + ", " + std::to_string(count - 1) + ";\n";
  ptx.emit("{\n.reg .b64 state;\n" + earlier + guard +
           "mbarrier.arrive.shared::cta.b64 state, " + to + ";\n}");
}

/// What the other threads did is ordered before by the barrier that
/// `insert-barriers` puts in front.
void emit(lower::Builder &b, const TargetHooks &hooks, ttng::ArriveBarrierOp op,
          ttng::ArriveBarrierOp::Adaptor adaptor, const MBarrier &barrier) {
  if (!hooks.getTarget().hasMbarriers)
    return arriveWithoutCount(b, barrier, op.getCount(),
                              actsForAll(b, hooks, adaptor.getPred()));
  arrive(b, hooks, barrier,
         {"", ", " + std::to_string(op.getCount()), adaptor.getPred(),
          op.getFromCTA(), op.getMulticastCTA()});
}

/// Each thread arrives when its own copies are done.
void emit(lower::Builder &b, const TargetHooks &,
          ttng::AsyncCopyMbarrierArriveOp op,
          ttng::AsyncCopyMbarrierArriveOp::Adaptor, const MBarrier &barrier) {
  emitOnBarrier(b,
                op.getNoIncrement()
                    ? "cp.async.mbarrier.arrive.noinc.shared::cta.b64"
                    : "cp.async.mbarrier.arrive.shared::cta.b64",
                barrier.local(), "", {});
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::WaitBarrierOp,
          ttng::WaitBarrierOp::Adaptor adaptor, const MBarrier &barrier) {
  // Only the leader can wait for what a pair shares.
  Value predicate = adaptor.getPred();
  if (Value isLeader = barrier.isLeader(b, hooks))
    predicate = predicate ? b.bitAnd(predicate, isLeader) : isLeader;
  waitForPhase(b, hooks, barrier.local(), adaptor.getPhase(), predicate);
}

/// Replaces an op on one mbarrier by what `emit` makes of it.
template <typename Op> class BarrierPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    // The barrier is the first operand of all of them.
    auto type = cast<ttg::MemDescType>(op->getOperand(0).getType());
    MBarrier barrier(b, this->hooks, op, adaptor.getOperands().front(), type);
    emit(b, this->hooks, op, adaptor, barrier);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Fences and the cluster's barrier
//===----------------------------------------------------------------------===//

/// Replaces an op without operands by PTX.
template <typename Op, std::string (*ptxOf)(Op)>
class PtxPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Ptx(b).emit(ptxOf(op));
    rewriter.eraseOp(op);
    return success();
  }
};

std::string ptxOf(ttng::FenceAsyncSharedOp op) {
  return op.getBCluster() ? "fence.proxy.async.shared::cluster;"
                          : "fence.proxy.async.shared::cta;";
}

std::string ptxOf(ttng::FenceMBarrierInitReleaseClusterOp) {
  return "fence.mbarrier_init.release.cluster;";
}

std::string ptxOf(ttng::ClusterBarrierOp op) {
  return op.getRelaxed() ? "barrier.cluster.arrive.relaxed.aligned;\n"
                           "barrier.cluster.wait.aligned;"
                         : "barrier.cluster.arrive.aligned;\n"
                           "barrier.cluster.wait.aligned;";
}

template <typename Op> using PtxOpPattern = PtxPattern<Op, ptxOf>;

} // namespace

void lower::populateMBarrierPatterns(const TypeConverter &converter,
                                     Patterns &patterns,
                                     const TargetHooks &hooks) {
  patterns.add<BarrierPattern<ttng::InitBarrierOp>,
               BarrierPattern<ttng::InvalBarrierOp>,
               BarrierPattern<ttng::ArriveBarrierOp>,
               BarrierPattern<ttng::AsyncCopyMbarrierArriveOp>,
               BarrierPattern<ttng::WaitBarrierOp>>(converter, hooks);
  // What counts bytes, is for the asynchronous proxy or for clusters.
  if (hooks.getTarget().hasMbarriers)
    patterns.add<BarrierPattern<ttng::BarrierExpectOp>,
                 PtxOpPattern<ttng::FenceAsyncSharedOp>,
                 PtxOpPattern<ttng::FenceMBarrierInitReleaseClusterOp>,
                 PtxOpPattern<ttng::ClusterBarrierOp>>(converter, hooks);
}
