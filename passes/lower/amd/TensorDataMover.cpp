//===- TensorDataMover.cpp - Copies of blocks on gfx1250 ------------------===//
//
// amdg.async_tdm_copy_*, amdg.async_tdm_fused_*, and waits. The warps that take
// part share out a block along its outer dimensions, each by one message of its
// own.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/layout/Counted.h"
#include "passes/lower/amd/BlockMessages.h"
#include "passes/lower/amd/CachePolicy.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

int32_t policyOf(tt::CacheModifier cache, bool isLoad,
                 const TargetHooks &hooks) {
  return cachePolicyOf(cache, isLoad, hooks.getTarget().bufferCachePolicy);
}

template <typename Op> class BlockCopyPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isStore =
      std::is_same_v<Op, amdg::AsyncTDMCopyLocalToGlobalOp>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    ttg::MemDescType type;
    Value memory, predicate;
    std::optional<uint32_t> hint;
    if constexpr (isStore) {
      type = op.getSrc().getType();
      memory = adaptor.getSrc();
    } else {
      type = op.getResult().getType();
      memory = adaptor.getResult();
      predicate = adaptor.getPred();
      hint = op.getWarpUsedHint();
    }
    auto block = BlockInLds::of(op, type, memory);
    if (failed(block))
      return failure();
    tt::TensorDescType described = op.getDesc().getType();
    Value barrier = barrierOf(b, op.getBarrier(), adaptor.getBarrier());
    const int64_t rounds = roundsOf(b, *block, hint);
    for (int64_t round = 0; round < rounds; ++round) {
      // What the mover did before is done when the last message arrives.
      auto message = messageOf(
          op, b, this->hooks, descriptorOf(b, described, adaptor.getDesc()),
          SmallVector<Value>(adaptor.getIndices()), predicate, *block, hint,
          isStore, round + 1 == rounds ? barrier : Value(), round);
      if (failed(message))
        return failure();
      send(b, message->words(b),
           static_cast<unsigned>(described.getShape().size()), isStore,
           policyOf(op.getCache(), !isStore, this->hooks));
    }
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class FusedCopyPattern
    : public lower::Pattern<amdg::AsyncTDMFusedCopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::AsyncTDMFusedCopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    SmallVector<Value> words;
    unsigned rank = 0;
    Value bit = b.shl(b.i32(1), hooks.uniformWarpId(b));
    for (auto [desc, described, dest, memory, hint] :
         llvm::zip_equal(op.getDescs(), adaptor.getDescs(), op.getDests(),
                         adaptor.getDests(), op.getWarpUsedHints())) {
      auto type = cast<tt::TensorDescType>(desc.getType());
      auto block =
          BlockInLds::of(op, cast<ttg::MemDescType>(dest.getType()), memory);
      if (failed(block))
        return failure();
      if (roundsOf(b, *block, static_cast<uint32_t>(hint)) > 1)
        return op.emitOpError("moves ")
               << block->pieces
               << " pieces of a partitioned_shared buffer with "
               << counted(llvm::popcount(static_cast<uint32_t>(hint)), "warp")
               << ", each of which can move only one";
      auto message =
          messageOf(op, b, hooks, descriptorOf(b, type, described), {}, {},
                    *block, static_cast<uint32_t>(hint), /*isStore=*/false);
      if (failed(message))
        return failure();
      rank = std::max(rank, static_cast<unsigned>(type.getShape().size()));
      // Each warp sends the message of the member that it copies.
      SmallVector<Value> own = message->words(b);
      Value isOwn = b.icmp(ICmp::ne, b.bitAnd(bit, b.i32(hint)), b.i32(0));
      if (words.empty())
        words = own;
      else
        for (auto [word, other] : llvm::zip_equal(words, own))
          word = b.select(isOwn, other, word);
    }
    send(b, words, rank, /*isStore=*/false,
         policyOf(op.getCache(), /*isLoad=*/true, hooks));
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

/// An op is one message of each warp at least, so that what leaves as many
/// messages as ops in flight waits for enough.
template <typename Op> class MoverWaitPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    uint32_t left;
    if constexpr (std::is_same_v<Op, amdg::AsyncTDMWaitOp>)
      left = op.getNum();
    else
      left = op.getCount();
    // The counter has six bits.
    b.intrinsic("llvm.amdgcn.s.wait.tensorcnt", {},
                {b.intConstant(b.intType(16), std::min(left, 63u))});
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateTensorDataMoverPatterns(const TypeConverter &converter,
                                            Patterns &patterns,
                                            const TargetHooks &hooks) {
  patterns.add<BlockCopyPattern<amdg::AsyncTDMCopyGlobalToLocalOp>,
               BlockCopyPattern<amdg::AsyncTDMCopyLocalToGlobalOp>,
               FusedCopyPattern, MoverWaitPattern<amdg::AsyncTDMWaitOp>,
               MoverWaitPattern<amdg::AsyncTDMIntrinsicWaitOp>>(converter,
                                                                hooks);
  addRowCopyPatterns(converter, patterns, hooks);
  addTensorPrefetchPatterns(converter, patterns, hooks);
}
