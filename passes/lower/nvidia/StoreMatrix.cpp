//===- StoreMatrix.cpp - Tensors to shared memory by stmatrix -------------===//
//
// Stores whole tiles where the layouts allow it, of ttg.local_store and of a
// ttg.local_alloc that holds a tensor; ordinary stores take the rest. PTX ISA,
// "Warp-level matrix store instruction: stmatrix".
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/nvidia/TransposedBytes.h"
#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A word is a tile of 8 rows of 16 bytes.
void storeBytes(lower::Builder &b, Value row, ArrayRef<Value> words) {
  Ptx ptx(b);
  const std::string to = ptx.input(row, "r");
  SmallVector<std::string> stored;
  for (Value word : words)
    stored.push_back(ptx.input(word, "r"));
  ptx.emit(llvm::formatv("stmatrix.sync.aligned.m16n8.x{0}.trans.shared.b8 "
                         "[{1}], {{{2}};",
                         words.size(), to, llvm::join(stored, ", "))
               .str());
}

/// Stores `packed`, a tensor of type `type`, to `memory`. Failure without an
/// error where it is not in tiles.
LogicalResult storeTensor(lower::Builder &b, const TargetHooks &hooks,
                          Operation *op, RankedTensorType type, Value packed,
                          const MemDesc &memory, ttg::MemDescType memoryType) {
  auto places = placesIn(b, op, type, memory, memoryType);
  if (failed(places))
    return failure();
  if (auto plan = planTiles(*places, type.getElementType())) {
    storeInTiles(b, hooks, *places, *plan, unpackElements(b, packed));
    return success();
  }
  if (!transposesBytes(hooks.getTarget()))
    return failure();
  auto bytes = planByteTiles(*places, type.getElementType(), /*isStore=*/true);
  if (!bytes)
    return failure();
  storeInTiles(
      b, hooks, *places, *bytes, unpackElements(b, packed),
      [&](Value row, ArrayRef<Value> words) { storeBytes(b, row, words); });
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
