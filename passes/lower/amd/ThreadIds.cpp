//===- ThreadIds.cpp - Which thread of a workgroup this is ----------------===//
//
// ROCDL's ids, which Triton's block ping-pong compares to shift half of the
// warps. They are named, not included: ROCDL's header costs seconds.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Workgroups have one dimension, so the ids along the others are zero.
class ThreadIdPattern : public ConversionPattern {
public:
  ThreadIdPattern(const lower::TypeConverter &converter,
                  const TargetHooks &hooks, StringRef op)
      : ConversionPattern(converter, op, /*benefit=*/1,
                          &converter.getContext()),
        hooks(hooks) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    const bool isX = op->getName().getStringRef().ends_with(".x");
    rewriter.replaceOp(op, isX ? hooks.threadId(b) : b.i32(0));
    return success();
  }

private:
  const TargetHooks &hooks;
};

} // namespace

void lower::populateThreadIdPatterns(const TypeConverter &converter,
                                     Patterns &patterns,
                                     const TargetHooks &hooks) {
  for (StringRef op :
       {"rocdl.workitem.id.x", "rocdl.workitem.id.y", "rocdl.workitem.id.z"})
    patterns.add<ThreadIdPattern>(converter, hooks, op);
}
