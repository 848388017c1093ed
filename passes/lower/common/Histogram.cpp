//===- Histogram.cpp - tt.histogram ---------------------------------------===//
//
// The block counts in shared memory, with an atomic addition for each element.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Scratch.h"
#include "passes/lower/support/SharedAccess.h"

using namespace mlir;

namespace kernelscope::lower {

/// The bits of a counter: atomics on fewer are loops.
static unsigned counterBits(tt::HistogramOp op) {
  return std::max(
      32u, op.getResult().getType().getElementType().getIntOrFloatBitWidth());
}

static unsigned histogramScratchBytes(tt::HistogramOp op) {
  return op.getResult().getType().getNumElements() * counterBits(op) / 8;
}

void attachHistogramScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::HistogramOp, histogramScratchBytes>(
      registry);
}

namespace {

class HistogramPattern : public Pattern<tt::HistogramOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::HistogramOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSrc().getType(),
                     type = op.getResult().getType();
    ttg::LayoutDims names(op.getContext());
    LinearLayout bins = ttg::toLinearLayout(type);
    if (hooks.getCtas() > 1)
      return op.emitOpError("counts over the CTAs of a cluster, which is not "
                            "lowered yet");
    Builder b(op, rewriter);
    Type counter = b.intType(counterBits(op));
    SharedPlaces places{
        bins.flattenOuts(names.offset), sharedMemoryOf(b, op), {}, 0, {}};
    storeShared(
        b, hooks, places,
        SmallVector<Value>(bins.getInDimSize(names.reg), b.zero(counter)));
    hooks.barrier(b);

    SmallVector<Value> values = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    Value first = holdsFirstCopy(b, source, hooks, op);
    Value one = b.intConstant(counter, 1);
    for (ArrayRef<unsigned> access : planAccesses(op, source).accesses)
      for (unsigned r : access) {
        Value where = bothHold(b, isBin(b, values[r], type.getNumElements()),
                               bothHold(b, first, maskOf(masks, r)));
        Value bin = b.zextOrTrunc(b.intType(32), values[r]);
        actWhere(b, rewriter, where, [&] {
          emitAtomicRMW(b, hooks, tt::RMWOp::ADD,
                        {tt::MemSemantic::RELAXED, tt::MemSyncScope::CTA},
                        b.gep(counter, places.base, bin), one);
        });
      }

    hooks.barrier(b);
    SmallVector<Value> counts = loadShared(b, hooks, places, counter);
    for (Value &count : counts)
      count =
          b.zextOrTrunc(converter.convertElement(type.getElementType()), count);
    rewriter.replaceOp(op, packElements(b, converter, counts, type));
    return success();
  }

private:
  /// Null if every value of its type is a bin.
  static Value isBin(Builder &b, Value value, int64_t bins) {
    unsigned bits = bitWidth(value.getType());
    if (bits < 63 && bins >= int64_t(1) << bits)
      return {};
    return b.icmp(ICmp::ult, value, b.intConstant(value.getType(), bins));
  }

  static Value maskOf(ArrayRef<Value> masks, unsigned r) {
    return masks.empty() ? Value() : masks[masks.size() == 1 ? 0 : r];
  }
};

} // namespace

void populateHistogramPatterns(const TypeConverter &converter,
                               Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<HistogramPattern>(converter, hooks);
}

} // namespace kernelscope::lower
