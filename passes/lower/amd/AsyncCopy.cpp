//===- AsyncCopy.cpp - Copies to LDS by lanes, and their waits ------------===//
//
// ttg.async_copy_global_to_local, async_commit_group and amdg.async_wait. The
// chips have no groups: a counter of the warp tells how many copies are under
// way, on gfx9 together with loads to registers.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/amd/CachePolicy.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// Whether `mask`, null for none, is the same for all elements.
static bool isUniform(Value mask) {
  return mask && mask.getDefiningOp<tt::SplatOp>();
}

namespace {

class CopyToLdsPattern : public lower::Pattern<ttg::AsyncCopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type element =
        converter.convertElement(op.getResult().getType().getElementType());
    LdsCopy copy = {op, op.getSrc().getType(), op.getResult().getType()};
    copy.memory = adaptor.getResult();
    copy.sources = unpackElements(b, adaptor.getSrc());
    copy.masks = unpackOptional(b, adaptor.getMask());
    if (!copy.masks.empty() && !isAbsentOrZero(op.getOther()))
      copy.others = unpackElements(b, adaptor.getOther());
    // Pipelined loops copy under one condition for the whole tensor, and do
    // not read what no copy brought.
    copy.fillsMasked = op.getOther() || !isUniform(op.getMask());
    const Target &target = hooks.getTarget();
    Value policy = b.i32(cachePolicyOf(op.getCache(), /*isLoad=*/true,
                                       target.bufferCachePolicy));
    // CTAs that load the same pointers to the same places do it together.
    Value multicast = target.hasScatteredAsyncCopies
                          ? multicastMask(b, hooks, copy.type)
                          : Value();
    if (multicast && !multicastMask(b, hooks, copy.lanes))
      multicast = {};
    auto emit = [&](Value address, unsigned bytes, Value source, Value) {
      if (multicast)
        b.intrinsic("llvm.amdgcn.cluster.load.async.to.lds.b" +
                        std::to_string(8 * bytes),
                    {}, {source, address, b.i32(0), policy, multicast});
      else if (target.hasScatteredAsyncCopies)
        b.intrinsic("llvm.amdgcn.global.load.async.to.lds.b" +
                        std::to_string(8 * bytes),
                    {}, {source, address, b.i32(0), policy});
      else
        b.intrinsic("llvm.amdgcn.global.load.lds", {},
                    {source, address, b.i32(static_cast<int32_t>(bytes)),
                     b.i32(0), policy});
    };
    if (failed(emitLdsCopy(b, rewriter, hooks, copy, element,
                           /*isGuarded=*/true, emit)))
      return failure();
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class CopyFromLdsPattern
    : public lower::Pattern<amdg::AsyncCopyLocalToGlobalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::AsyncCopyLocalToGlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    LdsCopy copy = {op, cast<RankedTensorType>(op.getDst().getType()),
                    op.getSrc().getType()};
    copy.memory = adaptor.getSrc();
    copy.sources = unpackElements(b, adaptor.getDst());
    copy.masks = unpackOptional(b, adaptor.getMask());
    copy.isStore = true;
    copy.fillsMasked = false;
    Value policy = b.i32(cachePolicyOf(op.getCache(), /*isLoad=*/false,
                                       hooks.getTarget().bufferCachePolicy));
    auto emit = [&](Value address, unsigned bytes, Value pointer, Value) {
      b.intrinsic("llvm.amdgcn.global.store.async.from.lds.b" +
                      std::to_string(8 * bytes),
                  {}, {pointer, address, b.i32(0), policy});
    };
    if (failed(emitLdsCopy(
            b, rewriter, hooks, copy,
            converter.convertElement(op.getSrc().getType().getElementType()),
            /*isGuarded=*/true, emit)))
      return failure();
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class LdsGroupPattern : public lower::Pattern<ttg::AsyncCommitGroupOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCommitGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class LdsWaitPattern : public lower::Pattern<amdg::AsyncWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::AsyncWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    // Both counters have six bits.
    auto left = std::min<uint32_t>(op.getNumInst(), 63);
    if (hooks.getTarget().hasScatteredAsyncCopies)
      b.intrinsic("llvm.amdgcn.s.wait.asynccnt", {},
                  {b.intConstant(b.intType(16), left)});
    else
      // s_waitcnt of gfx9: bits 3:0 and 15:14 are vmcnt; the rest waits for
      // nothing (CDNA3 ISA, "SOPP Instructions").
      b.intrinsic("llvm.amdgcn.s.waitcnt", {},
                  {b.i32(static_cast<int32_t>((left & 15) | left >> 4 << 14 |
                                              7 << 4 | 15 << 8))});
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateCopyToLdsPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<CopyToLdsPattern, LdsGroupPattern, LdsWaitPattern>(converter,
                                                                  hooks);
  if (hooks.getTarget().hasScatteredAsyncCopies)
    patterns.add<CopyFromLdsPattern>(converter, hooks);
}
