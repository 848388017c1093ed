//===- BufferAtomics.cpp - amdg.buffer_atomic_rmw and _cas ----------------===//
//
// Atomics that take a base and offsets: on plain pointers where the chips have
// no instruction on buffers.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/amd/Buffer.h"
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
    if (failed(checkAtomic(op, hooks, op.getAtomicRmwOp(),
                           op.getResult().getType().getElementType())))
      return failure();
    Builder outer(op, rewriter);
    SmallVector<Value> values = unpackElements(outer, adaptor.getValue());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    const Type element = values.front().getType();
    const AtomicOrder order = {op.getSem(), op.getScope()};
    if (!Buffer::hasAtomic(op.getAtomicRmwOp(), order.scope, element))
      return replaceGlobalRMW(
          op, rewriter, converter, hooks, op.getAtomicRmwOp(), order,
          pointersTo(outer, adaptor.getPtr(), adaptor.getOffsets(), element),
          values, masks);
    SmallVector<Value> offsets = unpackElements(outer, adaptor.getOffsets());
    Buffer buffer(outer, hooks, adaptor.getPtr(), element);
    return replaceFencedAtomics(op, rewriter, converter, hooks, order, masks,
                                [&](Builder &, unsigned r, Value mask) {
                                  return buffer.atomicRMW(op.getAtomicRmwOp(),
                                                          values[r], offsets[r],
                                                          mask);
                                });
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
    const Type element = values.front().getType();
    const AtomicOrder order = {op.getSem(), op.getScope()};
    if (!Buffer::hasAtomic(std::nullopt, order.scope, element)) {
      SmallVector<Value> pointers =
          pointersTo(outer, adaptor.getPtr(), adaptor.getOffsets(), element);
      return replaceAtomic(op, rewriter, converter, hooks, {},
                           [&](Builder &b, unsigned r) {
                             return emitAtomicCAS(b, hooks, order, pointers[r],
                                                  expected[r], values[r]);
                           });
    }
    SmallVector<Value> offsets = unpackElements(outer, adaptor.getOffsets());
    Buffer buffer(outer, hooks, adaptor.getPtr(), element);
    return replaceFencedAtomics(op, rewriter, converter, hooks, order, {},
                                [&](Builder &, unsigned r, Value mask) {
                                  return buffer.atomicCAS(
                                      expected[r], values[r], offsets[r], mask);
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
