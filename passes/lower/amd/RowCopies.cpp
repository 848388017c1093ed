//===- RowCopies.cpp - Rows gathered and scattered by the data mover ------===//
//
// amdg.async_tdm_gather, amdg.async_tdm_scatter: as many messages of each warp
// as its rows' indices need.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/amd/BlockMessages.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/support/Indices.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

template <typename Op> class RowsCopyPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isStore = std::is_same_v<Op, amdg::AsyncTDMScatterOp>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    ttg::MemDescType type;
    Value memory, packed;
    RankedTensorType indices;
    if constexpr (isStore) {
      type = op.getSrc().getType();
      memory = adaptor.getSrc();
      indices = op.getDstRowIndices().getType();
      packed = adaptor.getDstRowIndices();
    } else {
      type = op.getDst().getType();
      memory = adaptor.getDst();
      indices = op.getSrcRowIndices().getType();
      packed = adaptor.getSrcRowIndices();
    }
    auto block = BlockInLds::of(op, type, memory);
    if (failed(block))
      return failure();
    ttg::LayoutDims names(op.getContext());
    LinearLayout layout = ttg::toLinearLayout(indices);
    // In the order of rows; of copies the first.
    std::map<int32_t, unsigned> registers;
    for (auto [r, at] : llvm::enumerate(registerCoordinates(indices)))
      registers.try_emplace(at[0], r);
    SmallVector<Value> values = unpackElements(b, packed);
    Value warp = hooks.uniformWarpId(b);
    Value firstRow =
        applyLayout(b, layout.sublayout({names.warp}, layout.getOutDimNames()),
                    {{names.warp, warp}})
            .front();
    Value isFirst =
        b.icmp(ICmp::eq, b.bitAnd(warp, b.i32(layout.getZeroMask(names.warp))),
               b.i32(0));

    tt::TensorDescType described = op.getDesc().getType();
    TensorDescriptor whole = descriptorOf(b, described, adaptor.getDesc());
    whole.enabled = b.select(isFirst, whole.enabled, b.i32(0));
    // Rows are counted in the tensor; columns begin at the CTA's.
    whole.advance(b, {b.i32(0), block->ctaOffsets(b, hooks)[1]},
                  /*clamps=*/true);
    Value barrier = barrierOf(b, op.getBarrier(), adaptor.getBarrier());
    Value multicast = isStore ? Value() : multicastMask(b, hooks, type);
    const size_t limit =
        indices.getElementType().getIntOrFloatBitWidth() == 32 ? 8 : 16;
    for (auto next = registers.begin(); next != registers.end();) {
      const int32_t row = next->first;
      TensorMessage message{
          whole,
          block->addressOf(b,
                           b.mul(b.add(firstRow, b.i32(row)),
                                 b.i32(static_cast<int32_t>(block->shape[1]))),
                           /*piece=*/b.i32(0)),
          {0, block->shape[1]}};
      message.barrier = barrier;
      message.multicast = multicast;
      while (next != registers.end() && message.rows.size() < limit &&
             next->first == row + static_cast<int32_t>(message.rows.size())) {
        Value index = values[next->second];
        Value word = b.intrinsic("llvm.amdgcn.readfirstlane.i32", b.intType(32),
                                 {b.zextOrTrunc(b.intType(32), index)});
        message.rows.push_back(b.zextOrTrunc(index.getType(), word));
        ++next;
      }
      message.tile[0] = static_cast<int64_t>(message.rows.size());
      if (failed(setGaps(op, b, *block, isStore, message)))
        return failure();
      send(b, message.words(b), /*rank=*/5, isStore, 0);
    }
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }

private:
  using lower::Pattern<Op>::hooks;
};

} // namespace

void lower::addRowCopyPatterns(const TypeConverter &converter,
                               Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<RowsCopyPattern<amdg::AsyncTDMGatherOp>,
               RowsCopyPattern<amdg::AsyncTDMScatterOp>>(converter, hooks);
}
