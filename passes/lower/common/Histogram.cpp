//===- Histogram.cpp - tt.histogram ---------------------------------------===//
//
// The block counts in shared memory, with an atomic addition for each element.
// An NVIDIA chip adds one for all lanes with the same bin at once. On AMD,
// where each lane can have a few bins of its own, the lanes of a warp count
// first: ballots of the values' bits show each which elements are in its bins.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/HistogramBins.h"
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
    Builder b(op, rewriter);
    // Each CTA counts what it holds; then all sum up what all have counted.
    const bool isShared = !ttg::toLinearLayout(source).sublayoutIsZero(
        {names.block}, ttg::toLinearLayout(source).getOutDimNames());
    if (isShared && failed(checkClusterExchange(b, hooks, op)))
      return failure();
    Type counter = b.intType(counterBits(op));
    SharedPlaces places{
        bins.flattenOuts(names.offset), sharedMemoryOf(b, op), {}, 0, {}};
    SharedPlaces all = places;
    all.offsets = blocksAsRegisters(places.offsets, names);
    storeShared(b, hooks, all,
                SmallVector<Value>(all.offsets.getInDimSize(names.reg),
                                   b.zero(counter)));
    hooks.barrier(b);

    SmallVector<Value> values = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    Value first =
        holdsFirstCopy(b, source, hooks, op, /*acrossBlocks=*/isShared);
    const int64_t numBins = type.getNumElements();
    const int64_t modulus = ttg::histogramModulus(op, numBins);
    SmallVector<std::pair<Value, Value>> counted; // and where it is
    for (ArrayRef<unsigned> access : planAccesses(op, source).accesses)
      for (unsigned r : access) {
        Value where = bothHold(b, first, maskOf(masks, r));
        counted.push_back(
            {values[r],
             modulus == numBins
                 ? where
                 : bothHold(b, isBin(b, values[r], numBins, modulus), where)});
      }
    auto add = [&](Value bin, Value count, Value where) {
      actWhere(b, rewriter, where, [&] {
        emitAtomicRMW(b, hooks, tt::RMWOp::ADD,
                      {tt::MemSemantic::RELAXED, tt::MemSyncScope::CTA},
                      b.gep(counter, places.base, bin), count);
      });
    };
    const int64_t lanes = hooks.getTarget().warpSize;
    if (!hooks.getTarget().isNvidia() && numBins <= lanes * maxBinsOfLane) {
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
      for (auto [value, where] : counted) {
        Value bin = b.zextOrTrunc(b.intType(32), value);
        if (modulus)
          bin = b.bitAnd(bin, b.i32(static_cast<int32_t>(modulus - 1)));
        add(bin, b.intConstant(counter, 1), where);
      }
    }

    SmallVector<Value> counts;
    if (isShared) {
      hooks.cluster()->barrier(b);
      for (unsigned cta = 0; cta < hooks.getCtas(); ++cta) {
        SharedPlaces there = places;
        there.base = hooks.cluster()->sharedOf(
            b, places.base, b.i32(static_cast<int32_t>(cta)));
        SmallVector<Value> parts = loadShared(b, hooks, there, counter);
        for (auto [i, part] : llvm::enumerate(parts))
          if (cta)
            counts[i] = b.add(counts[i], part);
          else
            counts.push_back(part);
      }
      hooks.cluster()->barrier(b); // before any CTA stores there again, or ends
    } else {
      hooks.barrier(b);
      counts = loadShared(b, hooks, places, counter);
    }
    for (Value &count : counts)
      count =
          b.zextOrTrunc(converter.convertElement(type.getElementType()), count);
    rewriter.replaceOp(op, packElements(b, converter, counts, type));
    return success();
  }

private:
  /// More than these cost more than atomic additions.
  static constexpr int64_t maxBinsOfLane = 4;

  /// `bins` where each block has the registers of all blocks of a cluster.
  static LinearLayout blocksAsRegisters(const LinearLayout &bins,
                                        const ttg::LayoutDims &names) {
    SmallVector<uint64_t> columns;
    SmallVector<LinearLayout::NamedValue> ins{
        {names.reg,
         bins.getInDimSize(names.reg) * bins.getInDimSize(names.block)}};
    for (StringAttr in : {names.reg, names.block, names.lane, names.warp}) {
      for (unsigned bit = 0; bit < bins.getInDimSizeLog2(in); ++bit)
        columns.push_back(bins.getBasis(in, bit).front());
      if (in == names.lane || in == names.warp)
        ins.push_back({in, bins.getInDimSize(in)});
    }
    return LinearLayout::fromColumns(ins, bins.getOutDimSizes(), columns);
  }

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
    // All ones for each bit of the lane id that is zero.
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

  /// Modulo `modulus`, unless that is 0. Null if every value of its type is a
  /// bin.
  static Value isBin(Builder &b, Value value, int64_t bins, int64_t modulus) {
    Type type = value.getType();
    unsigned bits = bitWidth(type);
    if (bits < 63 && bins >= int64_t(1) << bits)
      return {};
    if (modulus && (bits > 62 || modulus < int64_t(1) << bits))
      value = b.bitAnd(value, b.intConstant(type, modulus - 1));
    return b.icmp(ICmp::ult, value, b.intConstant(type, bins));
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
