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

class InitBarrierPattern : public lower::Pattern<ttng::InitBarrierOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::InitBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address =
        addressOf(b, op, adaptor.getAlloc(), op.getAlloc().getType());
    if (failed(address))
      return failure();
    emitOnBarrier(b, "mbarrier.init.shared::cta.b64", *address,
                  ", " + Twine(op.getCount()), actsForAll(b, hooks));
    rewriter.eraseOp(op);
    return success();
  }
};

class InvalBarrierPattern : public lower::Pattern<ttng::InvalBarrierOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::InvalBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address =
        addressOf(b, op, adaptor.getAlloc(), op.getAlloc().getType());
    if (failed(address))
      return failure();
    emitOnBarrier(b, "mbarrier.inval.shared::cta.b64", *address, "",
                  actsForAll(b, hooks));
    rewriter.eraseOp(op);
    return success();
  }
};

class BarrierExpectPattern : public lower::Pattern<ttng::BarrierExpectOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::BarrierExpectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address = addressOf(b, op, adaptor.getAlloc(), op.getAlloc().getType(),
                             op.getFromCTA().has_value());
    if (failed(address))
      return failure();
    emitOnBarrier(b, "mbarrier.arrive.expect_tx.shared::cta.b64 _,", *address,
                  ", " + Twine(op.getSize()),
                  actsForAll(b, hooks, adaptor.getPred()));
    rewriter.eraseOp(op);
    return success();
  }
};

class ArriveBarrierPattern : public lower::Pattern<ttng::ArriveBarrierOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::ArriveBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address = addressOf(b, op, adaptor.getAlloc(), op.getAlloc().getType(),
                             op.getFromCTA().has_value() || op.isMulticast());
    if (failed(address))
      return failure();
    // What the other threads did is ordered before by the barrier that
    // `insert-barriers` puts in front.
    emitOnBarrier(b, "mbarrier.arrive.shared::cta.b64 _,", *address,
                  ", " + Twine(op.getCount()),
                  actsForAll(b, hooks, adaptor.getPred()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Each thread arrives when its own copies are done.
class AsyncCopyArrivePattern
    : public lower::Pattern<ttng::AsyncCopyMbarrierArriveOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncCopyMbarrierArriveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address =
        addressOf(b, op, adaptor.getBarrier(), op.getBarrier().getType());
    if (failed(address))
      return failure();
    emitOnBarrier(b,
                  op.getNoIncrement()
                      ? "cp.async.mbarrier.arrive.noinc.shared::cta.b64"
                      : "cp.async.mbarrier.arrive.shared::cta.b64",
                  *address, "", {});
    rewriter.eraseOp(op);
    return success();
  }
};

class WaitBarrierPattern : public lower::Pattern<ttng::WaitBarrierOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::WaitBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto address =
        addressOf(b, op, adaptor.getAlloc(), op.getAlloc().getType());
    if (failed(address))
      return failure();
    Ptx ptx(b);
    std::string from = ptx.input(*address, "r");
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
  patterns.add<InitBarrierPattern, InvalBarrierPattern, BarrierExpectPattern,
               ArriveBarrierPattern, AsyncCopyArrivePattern, WaitBarrierPattern,
               FenceAsyncSharedPattern>(converter, hooks);
}
