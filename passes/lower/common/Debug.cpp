//===- Debug.cpp - tt.assert and tt.print ---------------------------------===//
//
// An assertion that fails stops the kernel. Printing is not lowered: a run on
// the CPU prints.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

class AssertPattern : public Pattern<tt::AssertOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Builder b(op, rewriter);
    Value holds = b.i1(true);
    for (Value element : unpackElements(b, adaptor.getCondition()))
      holds = b.bitAnd(holds, element);

    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, op->getIterator());
    Block *stop = rewriter.createBlock(after);
    b.intrinsic("llvm.trap", {}, {});
    LLVM::BrOp::create(rewriter, loc, after);
    rewriter.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(rewriter, loc, holds, after, stop);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateDebugPatterns(const TypeConverter &converter, Patterns &patterns,
                           const TargetHooks &hooks) {
  patterns.add<AssertPattern>(converter, hooks);
}

} // namespace kernelscope::lower
