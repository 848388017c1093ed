//===- Histogram.cpp - tt.histogram ---------------------------------------===//
//
// The block counts in shared memory, with an atomic addition for each element.
// Where each lane can have a few bins of its own, the lanes of a warp count
// first: ballots of the values' bits tell each which elements are in its bins.
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
    const int64_t numBins = type.getNumElements();
    SmallVector<std::pair<Value, Value>> counted; // and where it is
    for (ArrayRef<unsigned> access : planAccesses(op, source).accesses)
      for (unsigned r : access)
        counted.push_back(
            {values[r], bothHold(b, isBin(b, values[r], numBins),
                                 bothHold(b, first, maskOf(masks, r)))});
    auto add = [&](Value bin, Value count, Value where) {
      actWhere(b, rewriter, where, [&] {
        emitAtomicRMW(b, hooks, tt::RMWOp::ADD,
                      {tt::MemSemantic::RELAXED, tt::MemSyncScope::CTA},
                      b.gep(counter, places.base, bin), count);
      });
    };
    const int64_t lanes = hooks.getTarget().warpSize;
    if (numBins <= lanes * maxBinsOfLane) {
      Value lane = hooks.laneId(b);
      Value isOwner =
          numBins < lanes
              ? b.icmp(ICmp::ult, lane, b.i32(static_cast<int32_t>(numBins)))
              : Value();
      auto sums = countInWarp(b, lane, numBins, counted);
      for (auto [i, sum] : llvm::enumerate(sums))
        add(b.add(lane, b.i32(static_cast<int32_t>(i * lanes))),
            b.zextOrTrunc(counter, sum), isOwner);
    } else {
      for (auto [value, where] : counted)
        add(b.zextOrTrunc(b.intType(32), value), b.intConstant(counter, 1),
            where);
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
  /// More than these cost more than atomic additions.
  static constexpr int64_t maxBinsOfLane = 4;

  /// How many of the warp's `values`, each where its i1 (null: always) holds,
  /// are in the bins lane, lane + warpSize, and so on. Lanes beyond the bins
  /// count what others do.
  SmallVector<Value>
  countInWarp(Builder &b, Value lane, int64_t numBins,
              ArrayRef<std::pair<Value, Value>> values) const {
    const unsigned bits = llvm::Log2_64(numBins),
                   laneBits = std::min<unsigned>(
                       bits, llvm::Log2_32(hooks.getTarget().warpSize));
    Type word = b.intType(hooks.getTarget().warpSize);
    // All ones for each bit of the lane's number that is zero.
    SmallVector<Value> flips;
    for (unsigned bit = 0; bit < laneBits; ++bit) {
      Value own =
          b.bitAnd(b.lshr(lane, b.i32(static_cast<int32_t>(bit))), b.i32(1));
      flips.push_back(b.sextOrTrunc(word, b.add(own, b.i32(-1))));
    }
    SmallVector<Value> sums(size_t(1) << (bits - laneBits), b.i32(0));
    for (auto [element, where] : values) {
      Value value = b.zextOrTrunc(b.intType(32), element);
      auto ballotOf = [&](unsigned bit) {
        return hooks.ballot(
            b, b.trunc(b.intType(1),
                       b.lshr(value, b.i32(static_cast<int32_t>(bit)))));
      };
      SmallVector<Value> inBins{hooks.ballot(b, where ? where : b.i1(true))};
      for (unsigned bit = 0; bit < laneBits; ++bit)
        inBins[0] = b.bitAnd(inBins[0], b.bitXor(ballotOf(bit), flips[bit]));
      for (unsigned bit = laneBits; bit < bits; ++bit) {
        Value ballot = ballotOf(bit);
        Value inverse = b.bitXor(ballot, b.intConstant(word, -1));
        for (size_t i = 0, e = inBins.size(); i < e; ++i) {
          inBins.push_back(b.bitAnd(inBins[i], ballot));
          inBins[i] = b.bitAnd(inBins[i], inverse);
        }
      }
      for (auto [sum, bin] : llvm::zip_equal(sums, inBins))
        sum = b.add(sum, b.zextOrTrunc(b.intType(32),
                                       b.intrinsic("llvm.ctpop", word, {bin})));
    }
    return sums;
  }

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
