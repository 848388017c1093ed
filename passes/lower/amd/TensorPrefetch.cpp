//===- TensorPrefetch.cpp - amdg.tdm_prefetch -----------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/amd/BlockMessages.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/Indices.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A line of the block that a thread prefetches: its place in lines along each
/// dimension, i32, and whether there is one; null if there always is.
struct Line {
  SmallVector<Value> place;
  Value exists;
};

/// Each thread asks for the lines that are its turn, or for those whose offsets
/// it returns.
class PrefetchPattern : public lower::Pattern<amdg::TDMPrefetchOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::TDMPrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    const TensorDescriptor tensor =
        descriptorOf(b, op.getDesc().getType(), adaptor.getDesc());
    const Type i64 = b.intType(64);
    auto dot = [&](ValueRange places, ArrayRef<Value> strides) {
      Value sum = b.i64(0);
      for (auto [place, stride] : llvm::zip_equal(places, strides))
        sum = b.add(sum, b.mul(b.sext(i64, place), stride));
      return sum;
    };
    const Value begin = dot(adaptor.getIndices(), tensor.strides),
                end = b.mul(b.zext(i64, tensor.sizes.front()),
                            tensor.strides.front());
    SmallVector<Value> lineStrides(tensor.strides);
    lineStrides.back() = b.i64(op.getElementsPerLine());
    const Value isLive =
        b.bitAnd(adaptor.getPred(), b.icmp(ICmp::ne, tensor.enabled, b.i32(0)));
    // Scope 1 is L2; temporal hint 1 waits for a translation of the address.
    const Value hint = b.i32(op.getSpeculative() ? 8 : 9);
    SmallVector<Value> offsets;
    for (const Line &line : linesOf(b, op)) {
      Value offset = b.add(begin, dot(line.place, lineStrides));
      Value isWanted = line.exists ? b.bitAnd(isLive, line.exists) : isLive;
      // Only the end of the tensor is one: what is past a row is the next row.
      if (!op.getSpeculative())
        isWanted = b.bitAnd(isWanted, b.icmp(ICmp::slt, offset, end));
      Value address = b.add(
          tensor.address,
          b.mul(offset, b.i64(static_cast<int64_t>(tensor.elementBytes))));
      actWhere(b, rewriter, isWanted, [&] {
        b.intrinsic("llvm.amdgcn.global.prefetch", {},
                    {b.inttoptr(b.pointerType(Global), address), hint});
      });
      offsets.push_back(b.select(isWanted, offset, b.i64(0)));
    }
    if (Value result = op.getMaybeOffsets())
      rewriter.replaceOp(op,
                         packElements(b, converter, offsets, result.getType()));
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  SmallVector<Line> linesOf(lower::Builder &b, amdg::TDMPrefetchOp op) const {
    SmallVector<Line> lines;
    if (Value result = op.getMaybeOffsets()) {
      auto type = cast<RankedTensorType>(result.getType());
      for (SmallVector<Value> &place :
           emitIndices(b, ttg::toLinearLayout(type), hooks))
        lines.push_back({std::move(place), {}});
      return lines;
    }
    const SmallVector<int64_t> shape = op.getLines();
    const int64_t count = ShapedType::getNumElements(shape);
    const int64_t threads =
        int64_t{b.getScope().warps} * hooks.getTarget().warpSize;
    for (int64_t first = 0; first < count; first += threads) {
      Value number =
          b.add(hooks.threadId(b), b.i32(static_cast<int32_t>(first)));
      Value exists =
          b.icmp(ICmp::ult, number, b.i32(static_cast<int32_t>(count)));
      SmallVector<Value> place(shape.size());
      for (size_t dim = shape.size(); dim-- > 0;) {
        const Value size = b.i32(static_cast<int32_t>(shape[dim]));
        place[dim] = b.urem(number, size);
        number = b.udiv(number, size);
      }
      lines.push_back({std::move(place), exists});
    }
    return lines;
  }
};

} // namespace

void lower::addTensorPrefetchPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<PrefetchPattern>(converter, hooks);
}
