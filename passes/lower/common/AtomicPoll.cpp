//===- AtomicPoll.cpp - tt.atomic_poll ------------------------------------===//
//
// A loop for each element: load, compare, look at the clock. The fence of an
// acquire follows once, after the last of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

class AtomicPollPattern : public Pattern<tt::AtomicPollOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicPollOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> expected = unpackElements(outer, adaptor.getExpected());
    Value end;
    if (op.getTimeout())
      end = outer.add(hooks.nanoseconds(outer), adaptor.getTimeout());
    return replaceFencedAtomics(
        op, rewriter, converter, hooks, {op.getSem(), op.getScope()}, {},
        [&](Builder &b, unsigned r, Value where) -> Value {
          auto find = [&] {
            return poll(b, rewriter, op, pointers[r], expected[r], end);
          };
          if (end)
            return actWhere(b, rewriter, where, b.intType(1), find);
          actWhere(b, rewriter, where, [&] { find(); });
          return b.i1(true);
        });
  }

private:
  /// An i1: the value was found before the time `end`, null for never.
  Value poll(Builder &b, ConversionPatternRewriter &rewriter,
             tt::AtomicPollOp op, Value pointer, Value expected,
             Value end) const {
    Location loc = b.getLoc();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Value result = after->addArgument(b.intType(1), loc);
    Block *loop = rewriter.createBlock(after);
    Value found =
        emitAtomicLoad(b, hooks, {tt::MemSemantic::RELAXED, op.getScope()},
                       expected.getType(), pointer);
    Value isThere = b.icmp(ICmp::eq, found, expected), leaves = isThere;
    if (end)
      leaves = b.bitOr(isThere, b.icmp(ICmp::sge, hooks.nanoseconds(b), end));
    LLVM::CondBrOp::create(rewriter, loc, leaves, after, ValueRange(isThere),
                           loop, ValueRange());
    rewriter.setInsertionPointToEnd(before);
    LLVM::BrOp::create(rewriter, loc, loop);
    rewriter.setInsertionPointToStart(after);
    return result;
  }
};

} // namespace

void attachAtomicPollScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::AtomicPollOp, atomicScratchBytes>(registry);
}

void populateAtomicPollPatterns(const TypeConverter &converter,
                                Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<AtomicPollPattern>(converter, hooks);
}

} // namespace kernelscope::lower
