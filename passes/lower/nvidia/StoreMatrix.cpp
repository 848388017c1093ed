//===- StoreMatrix.cpp - Tensors to shared memory by stmatrix -------------===//
//
// Stores whole tiles where the layouts allow it, of ttg.local_store and of a
// ttg.local_alloc that holds a tensor; ordinary stores take the rest. PTX ISA,
// "Warp-level matrix store instruction: stmatrix".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/nvidia/MatrixTiles.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Stores the tiles of one instruction, whose row this lane gives is at `row`.
void storeTiles(lower::Builder &b, Value row, const LoadMatrixPlan &plan,
                ArrayRef<Value> elements) {
  size_t inWord = elements.size() / plan.tiles;
  Ptx ptx(b);
  std::string to = ptx.input(row, "r");
  SmallVector<std::string> words;
  for (unsigned tile = 0; tile < plan.tiles; ++tile)
    words.push_back(ptx.input(
        joinBits(b, elements.slice(tile * inWord, inWord), b.intType(32)),
        "r"));
  // One word is a list too.
  ptx.emit(llvm::formatv("stmatrix.sync.aligned.m8n8.x{0}{1}.shared.b16 [{2}], "
                         "{{{3}};",
                         plan.tiles, plan.isTransposed ? ".trans" : "", to,
                         llvm::join(words, ", "))
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
  auto plan = planTiles(*places, type.getElementType());
  if (!plan)
    return failure();
  SmallVector<Value> elements = toMemory(b, unpackElements(b, packed));
  SharedPlaces rows = *places;
  rows.offsets = plan->rows;
  visitShared(b, hooks, rows, elements.front().getType(), /*maxElements=*/1,
              [&](Value row, const SharedVector &store) {
                storeTiles(b, row, *plan,
                           pick(elements, plan->registers[store.front()]));
              });
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
