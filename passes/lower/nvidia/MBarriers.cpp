//===- MBarriers.cpp - Barriers in shared memory, and fences --------------===//
//
// ttng.init_barrier, arrive_barrier, wait_barrier and their like, as `mbarrier`
// instructions, and the fences between proxies. One thread initialises, arrives
// and announces for all that execute the op; all of them wait. PTX ISA,
// "Parallel Synchronization and Communication Instructions: mbarrier".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// The address of the mbarrier that `type` describes. Failure, with an error on
/// `op`, when CTAs share it.
FailureOr<Value> addressOf(lower::Builder &b, Operation *op, Value packed,
                           ttg::MemDescType type, bool crossesCTAs = false) {
  if (crossesCTAs)
    return op->emitOpError(
        "arrives at barriers of other CTAs, which is not lowered yet");
  if (type.getDimSize(0) != 1)
    return op->emitOpError("is on a barrier of ")
           << type.getDimSize(0)
           << " CTAs, which is not lowered yet; it must be of 1";
  MemDesc memory = MemDesc::unpack(b, packed);
  return b.gep(b.intType(64), memory.base, memory.offsets.front());
}

/// True in the thread that acts for all; `predicate` may be null.
Value actsForAll(lower::Builder &b, const TargetHooks &hooks,
                 Value predicate = {}) {
  Value isFirst = b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
  return predicate ? b.bitAnd(isFirst, predicate) : isFirst;
}

/// Emits `instruction [address]suffix;` where `predicate` holds.
void emitOnBarrier(lower::Builder &b, StringRef instruction, Value address,
                   const Twine &suffix, Value predicate) {
  Ptx ptx(b);
  std::string to = "[" + ptx.input(address, "r") + "]";
  std::string guard = ptx.predicate(predicate);
  ptx.emit((guard + instruction + " " + to + suffix + ";").str());
}

bool crossesCTAs(Operation *) { return false; }
bool crossesCTAs(ttng::BarrierExpectOp op) {
  return op.getFromCTA().has_value();
}
bool crossesCTAs(ttng::ArriveBarrierOp op) {
  return op.getFromCTA().has_value() || op.isMulticast();
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::InitBarrierOp op,
          ttng::InitBarrierOp::Adaptor, Value address) {
  emitOnBarrier(b, "mbarrier.init.shared::cta.b64", address,
                ", " + Twine(op.getCount()), actsForAll(b, hooks));
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::InvalBarrierOp,
          ttng::InvalBarrierOp::Adaptor, Value address) {
  emitOnBarrier(b, "mbarrier.inval.shared::cta.b64", address, "",
                actsForAll(b, hooks));
}

void emit(lower::Builder &b, const TargetHooks &hooks, ttng::BarrierExpectOp op,
          ttng::BarrierExpectOp::Adaptor adaptor, Value address) {
  emitOnBarrier(b, "mbarrier.arrive.expect_tx.shared::cta.b64 _,", address,
                ", " + Twine(op.getSize()),
                actsForAll(b, hooks, adaptor.getPred()));
}

/// What the other threads did is ordered before by the barrier that
/// `insert-barriers` puts in front.
void emit(lower::Builder &b, const TargetHooks &hooks, ttng::ArriveBarrierOp op,
          ttng::ArriveBarrierOp::Adaptor adaptor, Value address) {
  emitOnBarrier(b, "mbarrier.arrive.shared::cta.b64 _,", address,
                ", " + Twine(op.getCount()),
                actsForAll(b, hooks, adaptor.getPred()));
}

/// Each thread arrives when its own copies are done.
void emit(lower::Builder &b, const TargetHooks &,
          ttng::AsyncCopyMbarrierArriveOp op,
          ttng::AsyncCopyMbarrierArriveOp::Adaptor, Value address) {
  emitOnBarrier(b,
                op.getNoIncrement()
                    ? "cp.async.mbarrier.arrive.noinc.shared::cta.b64"
                    : "cp.async.mbarrier.arrive.shared::cta.b64",
                address, "", {});
}

void emit(lower::Builder &b, const TargetHooks &, ttng::WaitBarrierOp,
          ttng::WaitBarrierOp::Adaptor adaptor, Value address) {
  Ptx ptx(b);
  std::string from = ptx.input(address, "r");
  std::string phase = ptx.input(adaptor.getPhase(), "r");
  std::string skip;
  if (adaptor.getPred())
    skip = "@!" + ptx.input(adaptor.getPred(), "b") + " bra done;\n";
  // Names of labels and registers end with the braces.
  ptx.emit("{\n"
           ".reg .pred complete;\n" +
           skip +
           "again: mbarrier.try_wait.parity.shared::cta.b64 complete, [" +
           from + "], " + phase +
           ";\n"
           "@!complete bra again;\n"
           "done:\n"
           "}");
}

/// Replaces an op on one mbarrier by what `emit` makes of its address.
template <typename Op> class BarrierPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    // The barrier is the first operand of all of them.
    auto type = cast<ttg::MemDescType>(op->getOperand(0).getType());
    auto address =
        addressOf(b, op, adaptor.getOperands().front(), type, crossesCTAs(op));
    if (failed(address))
      return failure();
    emit(b, this->hooks, op, adaptor, *address);
    rewriter.eraseOp(op);
    return success();
  }
};

class FenceAsyncSharedPattern
    : public lower::Pattern<ttng::FenceAsyncSharedOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::FenceAsyncSharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Ptx(b).emit(op.getBCluster() ? "fence.proxy.async.shared::cluster;"
                                 : "fence.proxy.async.shared::cta;");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateMBarrierPatterns(const TypeConverter &converter,
                                     Patterns &patterns,
                                     const TargetHooks &hooks) {
  patterns.add<BarrierPattern<ttng::InitBarrierOp>,
               BarrierPattern<ttng::InvalBarrierOp>,
               BarrierPattern<ttng::BarrierExpectOp>,
               BarrierPattern<ttng::ArriveBarrierOp>,
               BarrierPattern<ttng::AsyncCopyMbarrierArriveOp>,
               BarrierPattern<ttng::WaitBarrierOp>, FenceAsyncSharedPattern>(
      converter, hooks);
}
