//===- LoadStore.cpp - Global loads and stores ----------------------------===//
//
// tt.load and tt.store: as few and as wide accesses as the plan of
// GlobalAccess.h allows, each with the mask of its first element.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// Loads and stores have cache modifiers of their own.
static LogicalResult checkCacheModifier(Operation *op, tt::CacheModifier cache,
                                        ArrayRef<tt::CacheModifier> known) {
  if (cache == tt::CacheModifier::NONE || llvm::is_contained(known, cache))
    return success();
  InFlightDiagnostic error =
      op->emitOpError("does not support the cache modifier '")
      << tt::stringifyCacheModifier(cache) << "'; it supports ";
  llvm::interleaveComma(known, error, [&](tt::CacheModifier each) {
    error << "'" << tt::stringifyCacheModifier(each) << "'";
  });
  return error;
}

namespace {

class LoadPattern : public lower::Pattern<tt::LoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using C = tt::CacheModifier;
    const C cache = tt::cacheModifierOf(op.getCachePolicyAttr(), op.getCache());
    if (failed(checkCacheModifier(op, cache, {C::CA, C::CG, C::CS, C::CV})))
      return failure();
    if (tt::isBlockPointer(op.getPtr().getType()))
      return op.emitOpError("loads through a block pointer, which is not "
                            "lowered; rewrite it to a tensor of pointers");
    lower::Builder b(op, rewriter);
    Type type = op.getType();
    Type element = converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> pointers = unpackElements(b, adaptor.getPtr());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    SmallVector<Value> others = unpackOptional(b, adaptor.getOther());

    AccessPlan plan = planAccesses(op, type);
    MemoryOptions options{cache, op.getEvict(), op.getIsVolatile(), 0,
                          op.getCachePolicyAttr()};
    SmallVector<Value> results(pointers.size());
    for (ArrayRef<unsigned> access : plan.accesses) {
      SmallVector<Value> loaded = hooks.loadGlobal(
          b, pointers[access.front()], memoryType(b, element), access.size(),
          masks.empty() ? Value() : masks[access.front()],
          toMemory(b, pick(others, access)), options);
      for (auto [r, value] : llvm::zip(access, loaded))
        results[r] = fromMemory(b, element, value);
    }
    rewriter.replaceOp(
        op, packElements(b, converter, pick(results, plan.sources), type));
    return success();
  }
};

class StorePattern : public lower::Pattern<tt::StoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using C = tt::CacheModifier;
    const C cache = tt::cacheModifierOf(op.getCachePolicyAttr(), op.getCache());
    if (failed(checkCacheModifier(op, cache, {C::WB, C::CG, C::CS, C::WT})))
      return failure();
    if (tt::isBlockPointer(op.getPtr().getType()))
      return op.emitOpError("stores through a block pointer, which is not "
                            "lowered; rewrite it to a tensor of pointers");
    lower::Builder b(op, rewriter);
    Type type = op.getValue().getType();
    SmallVector<Value> pointers = unpackElements(b, adaptor.getPtr());
    SmallVector<Value> values = unpackElements(b, adaptor.getValue());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());

    Value first = holdsFirstCopy(b, type, hooks, op, !op.getIgnoreCta());
    MemoryOptions options{cache, op.getEvict(), false, 0,
                          op.getCachePolicyAttr()};
    for (ArrayRef<unsigned> access : planAccesses(op, type).accesses) {
      Value mask = masks.empty() ? Value() : masks[access.front()];
      hooks.storeGlobal(b, pointers[access.front()],
                        toMemory(b, pick(values, access)),
                        bothHold(b, first, mask), options);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateLoadStorePatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<LoadPattern, StorePattern>(converter, hooks);
}
