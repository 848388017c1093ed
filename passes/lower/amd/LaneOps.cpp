//===- LaneOps.cpp - Accesses of one lane, and waits of one wave ----------===//
//
// amdg.masked_load, masked_store, cond_barrier and memory_counter_wait.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/support/AtomicAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The elements of a scalar or of a vector.
static SmallVector<Value> elementsOf(lower::Builder &b, Value value) {
  return isa<VectorType>(value.getType()) ? b.splitVector(value)
                                          : SmallVector<Value>{value};
}

namespace {

class MaskedLoadPattern : public lower::Pattern<amdg::MaskedLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::MaskedLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getMulticastMask())
      return op.emitOpError("loads for several workgroups, which is lowered "
                            "for ttg.async_copy_global_to_local and the data "
                            "mover only");
    lower::Builder b(op, rewriter);
    SmallVector<Value> others = elementsOf(b, adaptor.getFalseVal());
    MemoryOptions options;
    options.cache = op.getCache();
    options.isVolatile = op.getIsVolatile();
    SmallVector<Value> loaded =
        hooks.loadGlobal(b, adaptor.getPtr(), others.front().getType(),
                         others.size(), adaptor.getMask(), others, options);
    rewriter.replaceOp(op, isa<VectorType>(op.getType()) ? b.makeVector(loaded)
                                                         : loaded.front());
    return success();
  }
};

class MaskedStorePattern : public lower::Pattern<amdg::MaskedStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::MaskedStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    MemoryOptions options;
    options.cache = op.getCache();
    hooks.storeGlobal(b, adaptor.getPtr(), elementsOf(b, adaptor.getValue()),
                      adaptor.getMask(), options);
    rewriter.eraseOp(op);
    return success();
  }
};

/// No fence: waves drift apart by it, and nothing else.
class CondBarrierPattern : public lower::Pattern<amdg::CondBarrierOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::CondBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    actWhere(b, rewriter, adaptor.getPred(),
             [&] { b.intrinsic("llvm.amdgcn.s.barrier", {}, {}); });
    rewriter.eraseOp(op);
    return success();
  }
};

class CounterWaitPattern : public lower::Pattern<amdg::MemoryCounterWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::MemoryCounterWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const BufferCachePolicy generation = hooks.getTarget().bufferCachePolicy;
    lower::Builder b(op, rewriter);
    const auto load = op.getLoad(), store = op.getStore(), ds = op.getDs();
    // gfx12 has a counter for each kind, all of six bits.
    if (generation != BufferCachePolicy::ScopeBits) {
      for (auto [name, count] :
           {std::pair("load", load), {"store", store}, {"ds", ds}})
        if (count)
          b.intrinsic((llvm::Twine("llvm.amdgcn.s.wait.") + name + "cnt").str(),
                      {},
                      {b.intConstant(b.intType(16), std::min(*count, 63u))});
      rewriter.eraseOp(op);
      return success();
    }
    // s_waitcnt of gfx9 (CDNA3 ISA, "SOPP Instructions"): bits 3:0 and 15:14
    // count loads and stores, 11:8 LDS; all ones wait for nothing.
    uint32_t memory = 63, lds = 15;
    for (auto count : {load, store})
      if (count)
        memory = std::min(memory, *count);
    if (ds)
      lds = std::min(lds, *ds);
    b.intrinsic("llvm.amdgcn.s.waitcnt", {},
                {b.i32(static_cast<int32_t>((memory & 15) | memory >> 4 << 14 |
                                            7 << 4 | lds << 8))});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateLaneOpPatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<MaskedLoadPattern, MaskedStorePattern, CondBarrierPattern>(
      converter, hooks);
  // RDNA 3 counts stores separately, and LLVM has no intrinsic to wait for
  // them.
  if (hooks.getTarget().bufferCachePolicy != BufferCachePolicy::LevelBits)
    patterns.add<CounterWaitPattern>(converter, hooks);
}
