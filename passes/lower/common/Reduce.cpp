//===- Reduce.cpp - tt.reduce ---------------------------------------------===//
//
// First the registers of a thread, then the lanes of a warp by a butterfly of
// shuffles or one instruction for them all, then the warps, of all CTAs that
// share the axis, through shared memory, where every thread reads the partial
// results that it needs. Which bits of a place move along the axis says who
// takes part in which step.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/LaneSwaps.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/lower/support/ReductionScratch.h"
#include "passes/lower/support/Scratch.h"
#include "passes/memory/Allocation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

static AxisSplit splitOf(tt::ReduceOp op) {
  LinearLayout layout = ttg::toLinearLayout(op.getInputTypes().front());
  return splitAlong(layout, layout.getOutDims()[op.getAxis()].name);
}

/// The bits of the lane over which partial results of warps are spread, to be
/// combined as those of lanes are; none if each lane combines all of them,
/// which takes more combinations, but no exchange between lanes.
static uint32_t spreadOf(tt::ReduceOp op, const AxisSplit &split) {
  constexpr size_t exchangeCost = 3; // of a value, in ops
  const size_t steps = llvm::popcount(split.warps.along);
  const size_t combinations = (size_t(1) << steps) - 1;
  const size_t ops = llvm::range_size(op.getCombineOp().front()) - 1;
  if (split.blocks.along || size_t(llvm::popcount(split.lanes.along)) < steps ||
      ops * (combinations - steps) <=
          exchangeCost * steps * op.getNumOperands())
    return 0;
  uint32_t bits = 0;
  for (uint32_t rest = split.lanes.along; size_t(llvm::popcount(bits)) < steps;
       rest &= rest - 1)
    bits |= rest & -rest;
  return bits;
}

/// The partial results that warps exchange in one of `1 << roundBits` rounds.
static WarpPartials partialsOf(tt::ReduceOp op, const AxisSplit &split,
                               unsigned roundBits) {
  return WarpPartials(ttg::toLinearLayout(op.getInputTypes().front()),
                      llvm::popcount(split.registers.across) - roundBits,
                      split.lanes.across, split.warps, split.blocks,
                      spreadOf(op, split));
}

/// How many bits of a result's register say in which round the warps exchange
/// it, so that all rounds do with the memory of one; as the allocation asks.
static unsigned countRoundBits(tt::ReduceOp op, const AxisSplit &split) {
  auto rounds = op->getAttrOfType<IntegerAttr>(memory::scratchRoundsName);
  // Each round among blocks would wait for the cluster.
  if (!rounds || split.blocks.along)
    return 0;
  const unsigned all = llvm::popcount(split.registers.across);
  if (rounds.getInt())
    return std::min(all, llvm::Log2_64_Ceil(rounds.getInt()));
  const unsigned most = tritonScratchBytes(op, split);
  unsigned bits = 0;
  while (bits < all &&
         partialsOf(op, split, bits).bytes(op.getElementTypes()) > most)
    ++bits;
  return bits;
}

static unsigned reduceScratchBytes(tt::ReduceOp op) {
  AxisSplit split = splitOf(op);
  return split.warps.along || split.blocks.along
             ? partialsOf(op, split, countRoundBits(op, split))
                   .bytes(op.getElementTypes())
             : 0;
}

void lower::attachReduceScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::ReduceOp, reduceScratchBytes>(registry);
}

namespace {

class ReducePattern : public lower::Pattern<tt::ReduceOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AxisSplit split = splitOf(op);
    if (failed(checkSplit(op, split)))
      return failure();
    lower::Builder b(op, rewriter);
    if (split.blocks.along && failed(checkClusterExchange(b, hooks, op)))
      return failure();
    auto combine = [&](const Tuple &first, const Tuple &second) {
      return emitCombination(rewriter, converter, op.getCombineOp(), first,
                             second);
    };

    std::vector<Tuple> results = withinThread(
        split.registers, unpackTuples(b, adaptor.getSrcs()), combine);
    auto whole = reductionOfWarps(op, split.lanes);
    for (Tuple &result : results)
      if (!whole || !reduceWarp(b, *whole, result.front()))
        withinWarp(b, split.lanes, result, combine);
    if (split.warps.along || split.blocks.along) {
      const unsigned roundBits = countRoundBits(op, split);
      const WarpPartials exchanged = partialsOf(op, split, roundBits);
      const size_t inRound = results.size() >> roundBits;
      Value base = sharedMemoryOf(b, op);
      for (size_t first = 0; first < results.size(); first += inRound) {
        auto round = MutableArrayRef(results).slice(first, inRound);
        if (first)
          hooks.barrier(b);
        auto partials =
            exchanged.exchange(b, hooks, base, op.getElementTypes(), round);
        for (auto [result, ofWarps] : llvm::zip_equal(round, partials)) {
          result = ofWarps.front();
          for (const Tuple &partial : llvm::drop_begin(ofWarps))
            result = combine(result, partial);
          withinWarp(b, {spreadOf(op, split), 0}, result, combine);
        }
      }
    }
    rewriter.replaceOp(op,
                       packTuples(b, converter, results, op.getResultTypes()));
    return success();
  }

private:
  using Combine = llvm::function_ref<Tuple(const Tuple &, const Tuple &)>;

  /// One tuple for each register of the result.
  static std::vector<Tuple> withinThread(const AxisBits &bits,
                                         ArrayRef<Tuple> elements,
                                         Combine combine) {
    std::vector<Tuple> results;
    for (unsigned r = 0; r < elements.size(); ++r) {
      if (r & ~bits.across)
        continue;
      Tuple &result = results.emplace_back(elements[r]);
      for (unsigned other = r + 1; other < elements.size(); ++other)
        if ((other & bits.across) == r &&
            !(other & ~(bits.across | bits.along)))
          result = combine(result, elements[other]);
    }
    return results;
  }

  /// What combines all lanes of a warp, if it is one operation of integers of
  /// up to 32 bits.
  std::optional<WarpReduction> reductionOfWarps(tt::ReduceOp op,
                                                const AxisBits &lanes) const {
    Block &block = op.getCombineOp().front();
    if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2) ||
        lanes.along != hooks.getTarget().warpSize - 1)
      return std::nullopt;
    Operation &combine = block.front();
    auto type = dyn_cast<IntegerType>(block.getArgument(0).getType());
    if (!type || type.getWidth() > 32 || combine.getNumOperands() != 2 ||
        combine.getNumResults() != 1 ||
        combine.getOperand(0) == combine.getOperand(1) ||
        block.getTerminator()->getOperand(0) != combine.getResult(0) ||
        !llvm::all_of(combine.getOperands(), [&](Value operand) {
          return llvm::is_contained(block.getArguments(), operand);
        }))
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<WarpReduction>>(&combine)
        .Case<arith::AddIOp>([](auto) { return WarpReduction::Add; })
        .Case<arith::MinSIOp>([](auto) { return WarpReduction::Min; })
        .Case<arith::MaxSIOp>([](auto) { return WarpReduction::Max; })
        .Case<arith::MinUIOp>([](auto) { return WarpReduction::UMin; })
        .Case<arith::MaxUIOp>([](auto) { return WarpReduction::UMax; })
        .Case<arith::AndIOp>([](auto) { return WarpReduction::And; })
        .Case<arith::OrIOp>([](auto) { return WarpReduction::Or; })
        .Case<arith::XOrIOp>([](auto) { return WarpReduction::Xor; })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// False if the target has no instruction for it.
  bool reduceWarp(lower::Builder &b, WarpReduction reduction,
                  Value &value) const {
    bool isUnsigned =
        reduction == WarpReduction::UMin || reduction == WarpReduction::UMax;
    Type type = value.getType(), word = b.intType(32);
    Value reduced = hooks.reduceWarp(b, reduction,
                                     isUnsigned ? b.zextOrTrunc(word, value)
                                                : b.sextOrTrunc(word, value));
    if (reduced)
      value = b.zextOrTrunc(type, reduced);
    return bool(reduced);
  }

  void withinWarp(lower::Builder &b, const AxisBits &bits, Tuple &result,
                  Combine combine) const {
    for (uint32_t rest = bits.along; rest; rest &= rest - 1) {
      unsigned mask = rest & -rest;
      if (swappedLaneBits(hooks.getTarget()) & mask &&
          llvm::all_of(result, [](Value value) {
            return bitWidth(value.getType()) == 32;
          })) {
        // One swap gives both lanes of a pair both values, in the same order.
        Tuple other;
        for (Value &value : result) {
          Type type = value.getType();
          Value bits = b.toBits(value);
          auto [first, second] = hooks.swapLanes(b, bits, bits, mask);
          value = b.fromBits(type, first);
          other.push_back(b.fromBits(type, second));
        }
        result = combine(result, other);
        continue;
      }
      Tuple other = llvm::map_to_vector(result, [&](Value value) {
        return hooks.shuffleXor(b, value, mask);
      });
      result = combine(result, other);
    }
  }
};

} // namespace

void lower::populateReducePatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<ReducePattern>(converter, hooks);
}
