//===- LoadMatrix.cpp - ttg.local_load by ldmatrix ------------------------===//
//
// Loads whole tiles where the layouts allow it; ordinary loads take the rest.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"

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
    auto plan = planTiles(*places, type.getElementType());
    if (!plan)
      return rewriter.notifyMatchFailure(op, "no tiles of 8 x 8");

    SmallVector<Value> elements =
        loadInTiles(b, hooks, *places, *plan, element);
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }
};

} // namespace

void lower::populateLoadMatrixPatterns(const TypeConverter &converter,
                                       Patterns &patterns,
                                       const TargetHooks &hooks) {
  // Before the ordinary loads.
  patterns.add<LoadMatrixPattern>(converter, hooks, /*benefit=*/2);
}
