//===- BufferAtomics.cpp - amdg.buffer_atomic_rmw and _cas ----------------===//
//
// Atomics that take a base and offsets. They are done on plain pointers: the
// masks are branches anyway, so a buffer resource has nothing to add.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// A pointer for each offset, which counts elements.
SmallVector<Value> pointersTo(Builder &b, Value base, Value offsets,
                              Type element) {
  return llvm::map_to_vector(unpackElements(b, offsets), [&](Value offset) {
    return b.gep(element, base, offset);
  });
}

class BufferAtomicRMWPattern : public Pattern<amdg::BufferAtomicRMWOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferAtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> values = unpackElements(outer, adaptor.getValue());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    SmallVector<Value> pointers =
        pointersTo(outer, adaptor.getPtr(), adaptor.getOffsets(),
                   values.front().getType());
    return replaceGlobalRMW(op, rewriter, converter, hooks, op.getAtomicRmwOp(),
                            {op.getSem(), op.getScope()}, pointers, values,
                            masks);
  }
};

class BufferAtomicCASPattern : public Pattern<amdg::BufferAtomicCASOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferAtomicCASOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder outer(op, rewriter);
    SmallVector<Value> expected = unpackElements(outer, adaptor.getCmp());
    SmallVector<Value> values = unpackElements(outer, adaptor.getVal());
    SmallVector<Value> pointers =
        pointersTo(outer, adaptor.getPtr(), adaptor.getOffsets(),
                   values.front().getType());
    return replaceAtomic(
        op, rewriter, converter, hooks, {}, [&](Builder &b, unsigned r) {
          return emitAtomicCAS(b, hooks, {op.getSem(), op.getScope()},
                               pointers[r], expected[r], values[r]);
        });
  }
};

} // namespace

void attachBufferAtomicScratch(DialectRegistry &registry) {
  attachScratch<amdg::AMDGDialect, amdg::BufferAtomicRMWOp, atomicScratchBytes>(
      registry);
  attachScratch<amdg::AMDGDialect, amdg::BufferAtomicCASOp, atomicScratchBytes>(
      registry);
}

void populateBufferAtomicPatterns(const TypeConverter &converter,
                                  Patterns &patterns,
                                  const TargetHooks &hooks) {
  patterns.add<BufferAtomicRMWPattern, BufferAtomicCASPattern>(converter,
                                                               hooks);
}

} // namespace kernelscope::lower
