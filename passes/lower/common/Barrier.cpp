//===- Barrier.cpp - ttg.barrier and gpu.barrier --------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A barrier of the whole block orders its shared and its global memory.
template <typename Op> class BarrierPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    this->hooks.barrier(b);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateBarrierPatterns(const TypeConverter &converter,
                                    Patterns &patterns,
                                    const TargetHooks &hooks) {
  patterns.add<BarrierPattern<ttg::BarrierOp>, BarrierPattern<gpu::BarrierOp>>(
      converter, hooks);
}
