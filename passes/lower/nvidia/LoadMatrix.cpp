//===- LoadMatrix.cpp - ttg.local_load by ldmatrix ------------------------===//
//
// Loads whole tiles where the layouts allow it; ordinary loads take the rest.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/TransposedBytes.h"
#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

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
    SmallVector<Value> elements;
    if (auto plan = planTiles(*places, type.getElementType()))
      elements = loadInTiles(b, hooks, *places, *plan, element);
    else if (auto bytes = planBytes(*places, type.getElementType()))
      elements = loadInTiles(
          b, hooks, *places, *bytes, element,
          [&](Value row, unsigned words) { return loadBytes(b, row, words); });
    else
      return rewriter.notifyMatchFailure(op, "not in tiles");
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }

private:
  std::optional<LoadMatrixPlan> planBytes(const SharedPlaces &places,
                                          Type element) const {
    if (!transposesBytes(hooks.getTarget()))
      return std::nullopt;
    return planByteTiles(places, element, /*isStore=*/false);
  }

  /// A tile of 16 by 16 bytes gives two words.
  static SmallVector<Value> loadBytes(lower::Builder &b, Value row,
                                      unsigned words) {
    return b.splitStruct(b.intrinsic(
        llvm::formatv("llvm.nvvm.ldmatrix.sync.aligned.m16n16.x{0}.trans.b8.p3",
                      words / 2)
            .str(),
        b.structType(SmallVector<Type>(words, b.intType(32))), {row}));
  }
};

} // namespace

void lower::populateLoadMatrixPatterns(const TypeConverter &converter,
                                       Patterns &patterns,
                                       const TargetHooks &hooks) {
  // Before the ordinary loads.
  patterns.add<LoadMatrixPattern>(converter, hooks, /*benefit=*/2);
}
