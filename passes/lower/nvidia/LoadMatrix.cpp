//===- LoadMatrix.cpp - ttg.local_load by ldmatrix ------------------------===//
//
// Loads whole tiles where the layouts allow it; ordinary loads take the rest.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/nvidia/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

std::optional<LoadMatrixPlan> lower::planTiles(const SharedPlaces &places,
                                               Type element) {
  constexpr unsigned rowBits = 128;
  unsigned bits = 8 * tt::bytesInMemory(element), aligned = rowBits;
  // An i1 takes a byte in memory, but not in a register.
  if (element.isInteger(1))
    return std::nullopt;
  for (auto [interval, padding] : places.gaps)
    aligned = std::min({aligned, interval, padding});
  return planLoadMatrix(places.offsets, bits, places.windowMask, aligned);
}

namespace {

class LoadMatrixPattern : public lower::Pattern<ttg::LocalLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    RankedTensorType type = op.getType();
    Type element = converter.convertElement(type.getElementType());
    auto places = placesIn(b, op, type, MemDesc::unpack(b, adaptor.getSrc()),
                           op.getSrc().getType());
    if (failed(places))
      return failure();
    unsigned bits = 8 * tt::bytesInMemory(type.getElementType());
    auto plan = planTiles(*places, type.getElementType());
    if (!plan)
      return rewriter.notifyMatchFailure(op, "no tiles of 8 x 8");

    ttg::LayoutDims names(b.getContext());
    SmallVector<Value> elements(places->offsets.getInDimSize(names.reg));
    SharedPlaces rows = *places;
    rows.offsets = plan->rows;
    visitShared(b, hooks, rows, b.intType(bits), /*maxElements=*/1,
                [&](Value row, const SharedVector &load) {
                  SmallVector<Value> loaded =
                      loadTiles(b, row, *plan, b.intType(bits));
                  for (auto [r, value] :
                       llvm::zip_equal(plan->registers[load.front()], loaded))
                    elements[r] = b.fromBits(element, value);
                });
    auto copies = static_cast<unsigned>(places->offsets.getZeroMask(names.reg));
    for (auto [r, value] : llvm::enumerate(elements))
      if (!value)
        value = elements[r & ~copies];
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }

private:
  /// The elements of all tiles that one instruction loads, as integers.
  static SmallVector<Value> loadTiles(lower::Builder &b, Value row,
                                      const LoadMatrixPlan &plan,
                                      IntegerType element) {
    Type word = b.intType(32);
    SmallVector<Type> words(plan.tiles, word);
    Value loaded = b.intrinsic(
        llvm::formatv("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{0}{1}.b16.p3",
                      plan.tiles, plan.isTransposed ? ".trans" : "")
            .str(),
        plan.tiles == 1 ? word : b.structType(words), {row});
    SmallVector<Value> elements;
    for (Value value :
         plan.tiles == 1 ? SmallVector<Value>{loaded} : b.splitStruct(loaded)) {
      unsigned count = 32 / element.getWidth();
      if (count == 1)
        elements.push_back(value);
      else
        elements.append(
            b.splitVector(b.bitcast(b.vectorType(element, count), value)));
    }
    return elements;
  }
};

} // namespace

void lower::populateLoadMatrixPatterns(const TypeConverter &converter,
                                       Patterns &patterns,
                                       const TargetHooks &hooks) {
  // Before the ordinary loads.
  patterns.add<LoadMatrixPattern>(converter, hooks, /*benefit=*/2);
}
