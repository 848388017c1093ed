//===- BufferOps.cpp - amdg.buffer_load and amdg.buffer_store -------------===//
//
// And amdg.buffer_load_to_local.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "mlir/IR/Matchers.h"
#include "passes/lower/amd/Buffer.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class BufferLoadPattern : public lower::Pattern<amdg::BufferLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type type = op.getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> offsets = unpackElements(b, adaptor.getOffsets());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    SmallVector<Value> others = unpackOptional(b, adaptor.getOther());

    Buffer buffer(b, hooks, adaptor.getPtr(), element);
    AccessPlan plan = planAccesses(op, type);
    SmallVector<Value> results(offsets.size());
    for (ArrayRef<unsigned> access : plan.accesses) {
      Value mask = masks.empty() ? Value() : masks[access.front()];
      SmallVector<Value> loaded = buffer.load(
          offsets[access.front()], access.size(), mask, op.getCache());
      for (auto [r, value] : llvm::zip(access, loaded)) {
        results[r] = fromMemory(b, element, value);
        // The zero of the hardware is often what is asked for.
        if (mask && !others.empty() && !matchPattern(others[r], m_Zero()) &&
            !matchPattern(others[r], m_PosZeroFloat()))
          results[r] = b.select(mask, results[r], others[r]);
      }
    }
    rewriter.replaceOp(
        op, packElements(b, converter, pick(results, plan.sources), type));
    return success();
  }
};

class BufferStorePattern : public lower::Pattern<amdg::BufferStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type type = op.getValue().getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> values = unpackElements(b, adaptor.getValue());
    SmallVector<Value> offsets = unpackElements(b, adaptor.getOffsets());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());

    Value first = holdsFirstCopy(b, type, hooks, op);
    Buffer buffer(b, hooks, adaptor.getPtr(), element);
    for (ArrayRef<unsigned> access : planAccesses(op, type).accesses) {
      Value mask = masks.empty() ? Value() : masks[access.front()];
      buffer.store(toMemory(b, pick(values, access)), offsets[access.front()],
                   bothHold(b, first, mask), op.getCache());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

class BufferLoadToLocalPattern
    : public lower::Pattern<amdg::BufferLoadToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::BufferLoadToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Type element =
        converter.convertElement(op.getDest().getType().getElementType());
    Buffer buffer(b, hooks, adaptor.getPtr(), element);
    LdsCopy copy = {op, op.getOffsets().getType(), op.getDest().getType()};
    copy.memory = adaptor.getDest();
    copy.sources = unpackElements(b, adaptor.getOffsets());
    copy.masks = unpackOptional(b, adaptor.getMask());
    if (!copy.masks.empty() && !isAbsentOrZero(op.getOther()))
      copy.others = unpackElements(b, adaptor.getOther());
    // The hardware's zeros would come after what is stored in their place.
    bool isGuarded = !copy.others.empty();
    if (failed(emitLdsCopy(
            b, rewriter, hooks, copy, element, isGuarded,
            [&](Value base, unsigned bytes, Value offset, Value mask) {
              buffer.copyToLds(base, bytes, offset, mask, op.getCache());
            })))
      return failure();
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateBufferToLdsPatterns(const TypeConverter &converter,
                                        Patterns &patterns,
                                        const TargetHooks &hooks) {
  patterns.add<BufferLoadToLocalPattern>(converter, hooks);
}

void lower::populateBufferPatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<BufferLoadPattern, BufferStorePattern>(converter, hooks);
}
