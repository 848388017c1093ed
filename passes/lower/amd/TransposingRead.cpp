//===- TransposingRead.cpp - ttg.local_load that transposes ---------------===//
//
// Where neighbours in LDS go to neighbouring lanes, as in an operand that lies
// along the other dimension, one read takes what would be loads of single
// elements.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/TransposingRead.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"
#include "passes/lower/support/MemDesc.h"
#include "passes/lower/support/RelaxedLoads.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class TransposingReadPattern : public lower::Pattern<ttg::LocalLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    const unsigned bits = 8 * tt::bytesInMemory(type.getElementType());
    const TransposingRead *read = findTransposingRead(hooks.getTarget(), bits);
    if (!read)
      return rewriter.notifyMatchFailure(op, "no read for such elements");
    lower::Builder b(op, rewriter);
    auto places = placesIn(b, op, type, MemDesc::unpack(b, adaptor.getSrc()),
                           op.getSrc().getType());
    if (failed(places))
      return failure();
    auto plan = planTransposingRead(*read, places->offsets, places->windowMask,
                                    alignmentOf(*read, *places));
    if (!plan || places->owner)
      return rewriter.notifyMatchFailure(op, "lanes do not hold neighbours");

    rewriter.replaceOp(
        op,
        packElements(b, converter, load(b, op, *read, *places, *plan), type));
    return success();
  }

private:
  SmallVector<Value> load(lower::Builder &b, ttg::LocalLoadOp op,
                          const TransposingRead &read,
                          const SharedPlaces &places,
                          const TransposingReadPlan &plan) const {
    const ttg::LayoutDims names(b.getContext());
    Type element = converter.convertElement(op.getType().getElementType());
    Type inMemory = memoryType(b, element);
    const unsigned count = 1u << read.elementsLog2;
    SharedPlaces pieces = places;
    pieces.offsets = plan.pieces;
    SmallVector<Value> elements(places.offsets.getInDimSize(names.reg));
    emitTransposingReads(
        b, hooks, op, read, pieces, inMemory, [&](Value value, unsigned i) {
          for (auto [r, one] : llvm::zip_equal(
                   plan.registers[i], splitBits(b, value, inMemory, count)))
            elements[r] = fromMemory(b, element, one);
        });
    fillCopies(elements, places.offsets.getZeroMask(names.reg));
    return elements;
  }
};

} // namespace

unsigned lower::alignmentOf(const TransposingRead &read,
                            const SharedPlaces &places) {
  unsigned aligned = 1u << read.elementsLog2;
  for (auto [interval, padding] : places.gaps)
    aligned = std::min({aligned, interval, padding});
  return aligned;
}

void lower::emitTransposingReads(
    lower::Builder &b, const TargetHooks &hooks, Operation *op,
    const TransposingRead &read, const SharedPlaces &pieces, Type inMemory,
    llvm::function_ref<void(Value, unsigned)> take) {
  // Narrow elements come as words.
  const unsigned partBits = read.elementBits == 16 ? 16 : 32;
  Type received = b.vectorType(
      b.intType(partBits), (read.elementBits << read.elementsLog2) / partBits);
  visitShared(b, hooks, pieces, inMemory, /*maxElements=*/1,
              [&](Value piece, const SharedVector &found) {
                Value value = b.intrinsic(read.name, received, {piece});
                if (op->hasAttr(relaxedLoadName))
                  value.getDefiningOp()->setAttr(relaxedLoadName,
                                                 UnitAttr::get(b.getContext()));
                take(value, found.front());
              });
}

void lower::fillCopies(MutableArrayRef<Value> values, unsigned copies) {
  for (auto [r, value] : llvm::enumerate(values))
    if (!value)
      value = values[r & ~copies];
}

void lower::populateTransposingReadPatterns(const TypeConverter &converter,
                                            Patterns &patterns,
                                            const TargetHooks &hooks) {
  // Before the ordinary loads.
  patterns.add<TransposingReadPattern>(converter, hooks, /*benefit=*/2);
}
