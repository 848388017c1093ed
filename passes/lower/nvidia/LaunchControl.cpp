//===- LaunchControl.cpp - Cluster launch control -------------------------===//
//
// ttng.clc_try_cancel and what reads its response. The first CTA of a cluster
// asks, and each CTA gets the response. PTX ISA, "clusterlaunchcontrol".
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/LaunchControl.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Bits and alignment of a response.
constexpr unsigned responseBits = 128, responseBytes = responseBits / 8;

class TryCancelPattern : public lower::Pattern<ttng::CLCTryCancelOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::CLCTryCancelOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    MBarrier barrier(b, hooks, op, adaptor.getMbarrier(),
                     op.getMbarrier().getType());
    Value asks = b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
    StringRef receivers;
    if (hooks.getCtas() > 1) {
      asks = b.bitAnd(asks, b.icmp(ICmp::eq, hooks.ctaId(b), b.i32(0)));
      receivers = ".multicast::cluster::all";
    }
    Ptx ptx(b);
    std::string to =
        ptx.input(MemDesc::unpack(b, adaptor.getResult()).base, "r");
    std::string done = ptx.input(barrier.local(), "r");
    std::string guard = ptx.predicate(asks);
    ptx.emit((guard +
              "clusterlaunchcontrol.try_cancel.async.shared::cta"
              ".mbarrier::complete_tx::bytes" +
              receivers + ".b128 [" + to + "], [" + done + "];")
                 .str());
    rewriter.eraseOp(op);
    return success();
  }
};

class LoadResultPattern : public lower::Pattern<ttng::CLCLoadResultOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::CLCLoadResultOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    rewriter.replaceOp(op, b.load(b.intType(responseBits),
                                  MemDesc::unpack(b, adaptor.getSrc()).base,
                                  responseBytes));
    return success();
  }
};

/// What `query` of the response says.
Value queryResponse(lower::Builder &b, Value response, const Twine &query,
                    Type type, StringRef constraint) {
  Ptx ptx(b);
  std::string result = ptx.output(type, constraint);
  std::string from = ptx.input(response, "q");
  return ptx
      .emitPure(("clusterlaunchcontrol.query_cancel." + query + ".b128 " +
                 result + ", " + from + ";")
                    .str())
      .front();
}

class IsCanceledPattern : public lower::Pattern<ttng::CLCIsCanceledOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::CLCIsCanceledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    rewriter.replaceOp(op,
                       queryResponse(b, adaptor.getClcResult(),
                                     "is_canceled.pred", b.intType(1), "b"));
    return success();
  }
};

class GetProgramIdPattern : public lower::Pattern<ttng::CLCGetProgramIdOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::CLCGetProgramIdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto axis = static_cast<unsigned>(op.getDim());
    Value id = queryResponse(b, adaptor.getClcResult(),
                             "get_first_ctaid::" + Twine("xyz"[axis]) + ".b32",
                             b.intType(32), "r");
    // A program is a cluster, whose CTAs follow each other along x.
    if (axis == 0 && hooks.getCtas() > 1)
      id = b.udiv(id, b.i32(static_cast<int32_t>(hooks.getCtas())));
    rewriter.replaceOp(op, id);
    return success();
  }
};

} // namespace

void lower::populateLaunchControlPatterns(const TypeConverter &converter,
                                          Patterns &patterns,
                                          const TargetHooks &hooks) {
  patterns.add<TryCancelPattern, LoadResultPattern, IsCanceledPattern,
               GetProgramIdPattern>(converter, hooks);
}
