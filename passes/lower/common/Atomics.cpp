//===- Atomics.cpp - tt.atomic_rmw, _cas, _load and _store ----------------===//

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
    if (failed(checkAtomic(op, hooks, op.getAtomicRmwOp(),
                           getElementTypeOrSelf(op.getVal().getType()))))
      return failure();
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> values = unpackElements(outer, adaptor.getVal());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    return replaceGlobalRMW(op, rewriter, converter, hooks, op.getAtomicRmwOp(),
                            {op.getSem(), op.getScope()}, pointers, values,
                            masks);
  }
};

class AtomicCASPattern : public Pattern<tt::AtomicCASOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkAtomic(op, hooks, std::nullopt,
                           getElementTypeOrSelf(op.getVal().getType()))))
      return failure();
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> expected = unpackElements(outer, adaptor.getCmp());
    SmallVector<Value> values = unpackElements(outer, adaptor.getVal());
    return replaceAtomic(
        op, rewriter, converter, hooks, {}, [&](Builder &b, unsigned r) {
          return emitAtomicCAS(b, hooks, {op.getSem(), op.getScope()},
                               pointers[r], expected[r], values[r]);
        });
  }
};

class AtomicLoadPattern : public Pattern<tt::AtomicLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> pointers = unpackElements(outer, adaptor.getPtr());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    Type element = converter.convertElement(getElementTypeOrSelf(op.getType()));
    // All copies of an element must be one value, so one thread loads it.
    return replaceAtomic(
        op, rewriter, converter, hooks, masks, [&](Builder &b, unsigned r) {
          return emitAtomicLoad(b, hooks, {op.getSem(), op.getScope()}, element,
                                pointers[r]);
        });
  }
};

class AtomicStorePattern : public Pattern<tt::AtomicStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::AtomicStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> pointers = unpackElements(b, adaptor.getPtr());
    SmallVector<Value> values = unpackElements(b, adaptor.getValue());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    Type type = op.getValue().getType();
    Value first = holdsFirstCopy(b, type, hooks, op);
    for (ArrayRef<unsigned> access : planAccesses(op, type).accesses)
      for (unsigned r : access)
        actWhere(b, rewriter,
                 bothHold(b, first, masks.empty() ? Value() : masks[r]), [&] {
                   emitAtomicStore(b, hooks, {op.getSem(), op.getScope()},
                                   pointers[r], values[r]);
                 });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void attachAtomicScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::AtomicRMWOp, atomicScratchBytes>(registry);
  attachScratch<tt::TTDialect, tt::AtomicCASOp, atomicScratchBytes>(registry);
  attachScratch<tt::TTDialect, tt::AtomicLoadOp, atomicScratchBytes>(registry);
}

void populateAtomicPatterns(const TypeConverter &converter, Patterns &patterns,
                            const TargetHooks &hooks) {
  patterns.add<AtomicRMWPattern, AtomicCASPattern, AtomicLoadPattern,
               AtomicStorePattern>(converter, hooks);
}

} // namespace kernelscope::lower
