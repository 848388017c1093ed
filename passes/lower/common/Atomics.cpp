//===- Atomics.cpp - tt.atomic_rmw and tt.atomic_cas ----------------------===//

#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

class AtomicRMWPattern : public Pattern<tt::AtomicRMWOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> values = unpackElements(outer, adaptor.getVal());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    replaceAtomic(op, rewriter, converter, hooks, masks,
                  [&](Builder &b, unsigned r) {
                    return emitAtomicRMW(b, hooks, op.getAtomicRmwOp(),
                                         {op.getSem(), op.getScope()},
                                         pointers[r], values[r]);
                  });
    return success();
  }
};

class AtomicCASPattern : public Pattern<tt::AtomicCASOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> expected = unpackElements(outer, adaptor.getCmp());
    SmallVector<Value> values = unpackElements(outer, adaptor.getVal());
    replaceAtomic(op, rewriter, converter, hooks, {},
                  [&](Builder &b, unsigned r) {
                    return emitAtomicCAS(b, hooks, {op.getSem(), op.getScope()},
                                         pointers[r], expected[r], values[r]);
                  });
    return success();
  }
};

} // namespace

void attachAtomicScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::AtomicRMWOp, atomicScratchBytes>(registry);
  attachScratch<tt::TTDialect, tt::AtomicCASOp, atomicScratchBytes>(registry);
}

void populateAtomicPatterns(const TypeConverter &converter, Patterns &patterns,
                            const TargetHooks &hooks) {
  patterns.add<AtomicRMWPattern, AtomicCASPattern>(converter, hooks);
}

} // namespace kernelscope::lower
