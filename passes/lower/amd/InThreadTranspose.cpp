//===- InThreadTranspose.cpp - amdg.in_thread_transpose -------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/ConversionPlan.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class InThreadTransposePattern
    : public lower::Pattern<amdg::InThreadTransposeOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::InThreadTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto plan = planConversion(ttg::toLinearLayout(op.getSrc().getType()),
                               ttg::toLinearLayout(op.getType()));
    if (!plan || plan->reach != Reach::Thread)
      return op.emitOpError("moves elements between threads; it may only "
                            "reorder the registers of each");
    lower::Builder b(op, rewriter);
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    rewriter.replaceOp(op, packElements(b, converter,
                                        pick(elements, registerSources(*plan)),
                                        op.getType()));
    return success();
  }
};

} // namespace

void lower::populateInThreadTransposePatterns(const TypeConverter &converter,
                                              Patterns &patterns,
                                              const TargetHooks &hooks) {
  patterns.add<InThreadTransposePattern>(converter, hooks);
}
