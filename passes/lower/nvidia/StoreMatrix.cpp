//===- StoreMatrix.cpp - Tensors to shared memory by stmatrix -------------===//
//
// Stores whole tiles where the layouts allow it, of ttg.local_store and of a
// ttg.local_alloc that holds a tensor; ordinary stores take the rest. PTX ISA,
// "Warp-level matrix store instruction: stmatrix".
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Stores `packed`, a tensor of type `type`, to `memory`. Failure without an
/// error where it is not in tiles.
LogicalResult storeTensor(lower::Builder &b, const TargetHooks &hooks,
                          Operation *op, RankedTensorType type, Value packed,
                          const MemDesc &memory, ttg::MemDescType memoryType) {
  auto places = placesIn(b, op, type, memory, memoryType);
  if (failed(places))
    return failure();
  auto plan = planTiles(*places, type.getElementType());
  if (!plan)
    return failure();
  storeInTiles(b, hooks, *places, *plan, unpackElements(b, packed));
  return success();
}

class LocalStorePattern : public lower::Pattern<ttg::LocalStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    if (failed(storeTensor(
            b, hooks, op, op.getSrc().getType(), adaptor.getSrc(),
            MemDesc::unpack(b, adaptor.getDst()), op.getDst().getType())))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

class LocalAllocPattern : public lower::Pattern<ttg::LocalAllocOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalAllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getSrc() || op.getAllocSpace() != ttg::MemorySpace::Shared)
      return failure();
    lower::Builder b(op, rewriter);
    MemDesc memory{sharedMemoryOf(b, op),
                   SmallVector<Value>(op.getType().getRank(), b.i32(0))};
    if (failed(storeTensor(b, hooks, op, op.getSrc().getType(),
                           adaptor.getSrc(), memory, op.getType())))
      return failure();
    rewriter.replaceOp(op, memory.pack(b));
    return success();
  }
};

} // namespace

void lower::populateStoreMatrixPatterns(const TypeConverter &converter,
                                        Patterns &patterns,
                                        const TargetHooks &hooks) {
  // Before the ordinary stores.
  patterns.add<LocalStorePattern, LocalAllocPattern>(converter, hooks,
                                                     /*benefit=*/2);
}
