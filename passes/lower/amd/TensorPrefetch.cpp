//===- TensorPrefetch.cpp - amdg.tdm_prefetch -----------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/amd/BlockMessages.h"
#include "passes/lower/support/AtomicAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Each thread asks for a line of every row that is its turn.
class PrefetchPattern : public lower::Pattern<amdg::TDMPrefetchOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::TDMPrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getReturnOffsets())
      return op.emitOpError(
          "returns the offsets that it prefetches, which is not lowered yet");
    lower::Builder b(op, rewriter);
    tt::TensorDescType described = op.getDesc().getType();
    TensorDescriptor tensor = descriptorOf(b, described, adaptor.getDesc());
    tensor.advance(b, SmallVector<Value>(adaptor.getIndices()), true);
    constexpr int64_t lineBytes = 256;
    const int64_t perLine =
        std::max<int64_t>(lineBytes / tensor.elementBytes, 1);
    SmallVector<int64_t> lines(described.getShape());
    lines.back() = llvm::divideCeil(lines.back(), perLine);
    int64_t count = 1;
    for (int64_t size : lines)
      count *= size;
    const int64_t threads =
        int64_t{b.getScope().warps} * hooks.getTarget().warpSize;
    // Speculative ones have temporal hint 0, others want a translation first.
    Value hint = b.i32(op.getSpeculative() ? 0 : 8);
    for (int64_t first = 0; first < count; first += threads) {
      Value number =
          b.add(hooks.threadId(b), b.i32(static_cast<int32_t>(first)));
      Value isInside = b.bitAnd(
          adaptor.getPred(),
          b.icmp(ICmp::ult, number, b.i32(static_cast<int32_t>(count))));
      TensorDescriptor line = tensor;
      SmallVector<Value> at(lines.size());
      for (size_t dim = lines.size(); dim-- > 0;) {
        at[dim] = b.urem(number, b.i32(static_cast<int32_t>(lines[dim])));
        number = b.udiv(number, b.i32(static_cast<int32_t>(lines[dim])));
      }
      at.back() = b.mul(at.back(), b.i32(static_cast<int32_t>(perLine)));
      for (auto [offset, size] : llvm::zip_equal(at, tensor.sizes))
        isInside = b.bitAnd(isInside, b.icmp(ICmp::slt, offset, size));
      line.advance(b, at, /*clamps=*/false);
      actWhere(b, rewriter, isInside, [&] {
        b.intrinsic("llvm.amdgcn.global.prefetch", {},
                    {b.inttoptr(b.pointerType(Global), line.address), hint});
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::addTensorPrefetchPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<PrefetchPattern>(converter, hooks);
}
