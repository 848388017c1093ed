//===- ConvertLayout.cpp - ttg.convert_layout -----------------------------===//
//
// Carries out the plans of ConversionPlan.h and ExchangeInRounds.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/LaneSwaps.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/ConversionCost.h"
#include "passes/lower/support/ExchangeInRounds.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/LaneSwapPlan.h"
#include "passes/lower/support/MatrixProduct.h"
#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/Scratch.h"
#include "passes/memory/Allocation.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// More shuffles than these cost more than two barriers and shared memory; with
/// one select on each side of a shuffle, more than `maxSimpleShuffles`.
static constexpr unsigned maxShuffles = 32, maxSimpleShuffles = 256;

namespace {

/// How one convert_layout is done.
struct Strategy {
  LinearLayout source, result;
  Conversion conversion;
  std::optional<WarpExchange> exchange;

  bool isShared() const { return conversion.reach >= Reach::Warp && !exchange; }
};

} // namespace

/// How many selects a value goes through before and after its shuffle.
static size_t countSelects(const WarpExchange &exchange,
                           const ttg::LayoutDims &names) {
  LinearLayout sends = exchange.send.sublayout(
      {names.lane, names.warp, names.block}, {names.reg});
  return sends.getMatrix().image().size() +
         exchange.receive.getMatrix().image().size();
}

static std::optional<Strategy> chooseStrategy(ttg::ConvertLayoutOp op) {
  RankedTensorType source = op.getSrc().getType(), result = op.getType();
  Strategy strategy{
      ttg::toLinearLayout(source), ttg::toLinearLayout(result), {}, {}};
  auto plan = planConversion(strategy.source, strategy.result);
  if (!plan)
    return std::nullopt;
  strategy.conversion = std::move(*plan);
  if (strategy.conversion.reach == Reach::Warp) {
    ttg::LayoutDims names(op.getContext());
    unsigned words =
        llvm::divideCeil(tt::bytesInMemory(source.getElementType()), 4u);
    unsigned shuffles = words * (strategy.result.getInDimSize(names.reg) >>
                                 llvm::popcount(static_cast<uint32_t>(
                                     strategy.result.getZeroMask(names.reg))));
    if (op.getForceWarpShuffle() || shuffles <= maxSimpleShuffles)
      strategy.exchange = planWarpExchange(strategy.conversion, strategy.source,
                                           strategy.result);
    if (strategy.exchange && !op.getForceWarpShuffle() &&
        shuffles > maxShuffles && countSelects(*strategy.exchange, names) > 2)
      strategy.exchange.reset();
  }
  return strategy;
}

/// Whether data goes through shared memory, but no warp stores or loads where
/// another does.
static bool isWithinWarps(const Strategy &strategy) {
  if (strategy.conversion.reach != Reach::Warp || strategy.exchange)
    return false;
  // Warps that hold copies store them to the same places.
  const LinearLayout &source = strategy.source;
  ttg::LayoutDims names(source.getInDims().front().name.getContext());
  auto rank = [&](ArrayRef<StringAttr> dims) {
    return source.sublayout(dims, source.getOutDimNames()).getMatrix().rank();
  };
  return rank({names.reg, names.lane, names.warp}) ==
         rank({names.reg, names.lane}) + source.getInDimSizeLog2(names.warp);
}

/// How tiles of `op` may move on a chip with these instructions.
static TileInstructions tilesFor(ttg::ConvertLayoutOp op,
                                 TileInstructions instructions) {
  instructions.keepsOrder =
      isa<ttg::DotOperandEncodingAttr>(op.getType().getEncoding());
  return instructions;
}

/// The instructions that move tiles on the chip that the module names, if any.
static TileInstructions tilesOfTarget(ttg::ConvertLayoutOp op) {
  auto target = ttg::lookupTarget(op);
  return tilesFor(op, target ? createHooks(*target, 1)->tileInstructions()
                             : TileInstructions{});
}

/// In as many rounds as the allocation asks for.
static ExchangeInRounds planExchange(const Strategy &strategy,
                                     ttg::ConvertLayoutOp op,
                                     TileInstructions tiles = {}) {
  // Other CTAs' memory has ordinary accesses only.
  if (strategy.conversion.reach == Reach::Cluster)
    tiles = {};
  auto rounds = op->getAttrOfType<IntegerAttr>(memory::scratchRoundsName);
  const unsigned bits = 8 * tt::bytesInMemory(op.getType().getElementType());
  unsigned halvings = rounds ? llvm::Log2_64_Ceil(rounds.getInt()) : 0;
  if (rounds && !rounds.getInt())
    halvings =
        halvingsWithWideAccesses(strategy.conversion, strategy.source,
                                 strategy.result, bits, tilesOfTarget(op));
  return planExchangeInRounds(strategy.conversion, strategy.source,
                              strategy.result, bits, halvings, tiles);
}

static unsigned conversionScratchBytes(ttg::ConvertLayoutOp op) {
  auto strategy = chooseStrategy(op);
  if (!strategy || !strategy->isShared())
    return 0;
  return planExchange(*strategy, op).each.numElements() *
         tt::bytesInMemory(op.getType().getElementType());
}

static bool convertsWithinWarps(ttg::ConvertLayoutOp op) {
  auto strategy = chooseStrategy(op);
  return strategy && isWithinWarps(*strategy);
}

std::optional<ConversionCost> lower::conversionCost(Operation *op,
                                                    const Target &target) {
  auto conversion = dyn_cast<ttg::ConvertLayoutOp>(op);
  auto strategy = conversion ? chooseStrategy(conversion) : std::nullopt;
  if (!strategy || strategy->conversion.reach == Reach::Cluster ||
      !strategy->isShared())
    return std::nullopt;
  auto hooks = createHooks(
      target, static_cast<unsigned>(ttg::lookupNumCTAs(op).value_or(1)));
  ExchangeInRounds plan = planExchange(
      *strategy, conversion, tilesFor(conversion, hooks->tileInstructions()));
  if (!plan.halvings.empty())
    return std::nullopt;
  const SharedBanks banks = ttg::lookupSharedBanks(op);
  ConversionCost cost{
      {}, {}, 8 * tt::bytesInMemory(conversion.getType().getElementType())};
  if (!plan.each.storeTiles)
    cost.store = accessCost(plan.each.store, {}, cost.elementBits, banks,
                            /*isLoad=*/false);
  if (!plan.each.loadTiles)
    cost.load = accessCost(plan.each.load, {}, cost.elementBits, banks,
                           /*isLoad=*/true);
  return cost;
}

std::optional<LinearLayout> lower::conversionMemory(Operation *op) {
  auto conversion = dyn_cast<ttg::ConvertLayoutOp>(op);
  auto strategy = conversion ? chooseStrategy(conversion) : std::nullopt;
  if (!strategy || !strategy->isShared() ||
      strategy->conversion.reach == Reach::Cluster)
    return std::nullopt;
  const ttg::LayoutDims names(op->getContext());
  const unsigned bits =
      8 * tt::bytesInMemory(conversion.getType().getElementType());
  const SharedExchange plan =
      planSharedExchange(strategy->conversion, strategy->source,
                         strategy->result, bits, tilesOfTarget(conversion));
  // An offset has the element that the place with the same offset stores.
  LinearLayout stored =
      plan.store *
      LinearLayout::identity1D(strategy->source.getInDimSize(names.block),
                               names.block, names.block);
  LinearLayout memory = stored.pseudoinvert().compose(strategy->source);
  // A source that reaches elements by several sums of its bases leaves offsets
  // that no element is stored at: memory of its own has none.
  if (!memory.removeZeroBases().isInvertible())
    return std::nullopt;
  return memory;
}

void lower::attachConvertLayoutScratch(DialectRegistry &registry) {
  attachScratch<ttg::TTGDialect, ttg::ConvertLayoutOp, conversionScratchBytes,
                convertsWithinWarps>(registry);
}

namespace {

/// The values of this thread's lane, warp and block.
using ThreadPlace = SmallVector<std::pair<StringAttr, Value>>;

/// `values[i ^ m(place)]` at each `i`, for a linear map `m` from threads to
/// indices: one round of selects for each dimension of its image.
SmallVector<Value> xorPermute(lower::Builder &b, SmallVector<Value> values,
                              const LinearLayout &map,
                              const ThreadPlace &place) {
  F2Matrix matrix = map.getMatrix();
  F2Matrix image{matrix.rows, matrix.image()};
  F2Matrix parts = *image.solve(matrix);
  for (auto [index, step] : llvm::enumerate(image.columns)) {
    // Whether this step is part of the thread's sum.
    SmallVector<uint64_t> row;
    for (uint64_t column : parts.columns)
      row.push_back(column >> index & 1);
    LinearLayout bit = LinearLayout::fromColumns(
        map.getInDimSizes(), {{map.getOutDims().front().name, 2}}, row);
    Value swap = b.icmp(ICmp::ne, applyLayout(b, bit, place).front(), b.i32(0));
    SmallVector<Value> swapped(values.size());
    for (unsigned i = 0; i < values.size(); ++i)
      swapped[i] = b.select(swap, values[i ^ step], values[i]);
    values = std::move(swapped);
  }
  return values;
}

class ConvertLayoutPattern : public lower::Pattern<ttg::ConvertLayoutOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto strategy = chooseStrategy(op);
    if (!strategy)
      return op.emitOpError("needs elements that the source layout does not "
                            "hold");
    if (op.getForceWarpShuffle() && strategy->isShared())
      return op.emitOpError("has force_warp_shuffle, but data moves between "
                            "warps");
    lower::Builder b(op, rewriter);
    const bool isInCluster = strategy->conversion.reach == Reach::Cluster;
    if (isInCluster && failed(checkClusterExchange(b, hooks, op)))
      return failure();
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    if (strategy->conversion.reach == Reach::Thread)
      elements = rename(*strategy, elements);
    else if (auto swaps = planSwaps(*strategy, elements.front().getType()))
      elements = swapLanes(b, *swaps, elements);
    else if (strategy->exchange)
      elements = exchangeInWarp(b, *strategy, elements);
    else
      elements = exchangeInBlock(b, *strategy, op, elements);
    rewriter.replaceOp(op, packElements(b, converter, elements, op.getType()));
    return success();
  }

private:
  static SmallVector<Value> rename(const Strategy &strategy,
                                   ArrayRef<Value> elements) {
    return llvm::map_to_vector(registerSources(strategy.conversion),
                               [&](unsigned r) { return elements[r]; });
  }

  /// Also where memory is set aside, which is done without knowing the chip.
  std::optional<LaneSwapPlan> planSwaps(const Strategy &strategy,
                                        Type element) const {
    if (bitWidth(element) > 32)
      return std::nullopt;
    return planLaneSwaps(strategy.conversion,
                         swappedLaneBits(hooks.getTarget()));
  }

  /// Words of as many elements as fit and move together.
  SmallVector<Value> swapLanes(lower::Builder &b, const LaneSwapPlan &plan,
                               ArrayRef<Value> elements) const {
    Type element = elements.front().getType();
    const unsigned fit = 32 / bitWidth(element);
    auto isSwapped = [&](unsigned bit) {
      return llvm::any_of(plan.swaps, [&](LaneSwapPlan::Swap swap) {
        return swap.registerBit == bit;
      });
    };
    SmallVector<unsigned> inWord{0};
    for (unsigned bit = 0; 1u << bit < elements.size(); ++bit)
      if (inWord.size() < fit && !isSwapped(bit))
        for (size_t i = 0, size = inWord.size(); i < size; ++i)
          inWord.push_back(inWord[i] | 1u << bit);
    const unsigned wordMask = inWord.back();
    Type packed = b.intType(bitWidth(element) * inWord.size());

    std::map<unsigned, Value> words;
    for (unsigned r = 0; r < elements.size(); ++r)
      if (!(r & wordMask)) {
        SmallVector<Value> together;
        for (unsigned i : inWord)
          together.push_back(b.toBits(elements[r | i]));
        words[r] = b.zextOrTrunc(b.intType(32), joinBits(b, together, packed));
      }
    for (LaneSwapPlan::Swap swap : plan.swaps)
      for (auto &[r, first] : words)
        if (!(r >> swap.registerBit & 1)) {
          Value &second = words[r | 1u << swap.registerBit];
          std::tie(first, second) =
              hooks.swapLanes(b, first, second, 1u << swap.laneBit);
        }
    SmallVector<Value> swapped(elements.size());
    for (auto [r, word] : words)
      for (auto [i, value] :
           llvm::zip_equal(inWord, splitBits(b, b.zextOrTrunc(packed, word),
                                             element, inWord.size())))
        swapped[r | i] = value;
    return llvm::map_to_vector(plan.registers,
                               [&](unsigned r) { return swapped[r]; });
  }

  /// The number of a register from that of a pair of which it is `half`.
  static unsigned numberInPair(unsigned pair, unsigned bit, unsigned half) {
    const unsigned below = pair & ((1u << bit) - 1);
    return below | half << bit | (pair - below) << 1;
  }

  /// Elements of less than a word that stay together move as pairs. Nothing if
  /// none do.
  std::optional<SmallVector<Value>>
  exchangePairs(lower::Builder &b, const Strategy &strategy,
                ArrayRef<Value> elements) const {
    Type element = elements.front().getType();
    const unsigned bits = bitWidth(element);
    auto pairs = bits == 8 || bits == 16
                     ? pairRegisters(strategy.source, strategy.result)
                     : std::nullopt;
    auto plan =
        pairs ? planConversion(pairs->source, pairs->result) : std::nullopt;
    auto exchange = plan ? planWarpExchange(*plan, pairs->source, pairs->result)
                         : std::nullopt;
    if (!exchange)
      return std::nullopt;
    SmallVector<Value> joined;
    for (unsigned pair = 0; pair < elements.size() / 2; ++pair) {
      Value halves[2];
      for (unsigned half : {0, 1})
        halves[half] =
            b.toBits(elements[numberInPair(pair, pairs->sourceBit, half)]);
      joined.push_back(joinBits(b, halves, b.intType(2 * bits)));
    }
    joined = exchangeInWarp(b,
                            Strategy{pairs->source, pairs->result,
                                     std::move(*plan), std::move(exchange)},
                            joined);
    SmallVector<Value> results(2 * joined.size());
    for (auto [pair, value] : llvm::enumerate(joined))
      for (auto [half, single] :
           llvm::enumerate(splitBits(b, value, element, 2)))
        results[numberInPair(static_cast<unsigned>(pair), pairs->resultBit,
                             static_cast<unsigned>(half))] = single;
    return results;
  }

  SmallVector<Value> exchangeInWarp(lower::Builder &b, const Strategy &strategy,
                                    ArrayRef<Value> elements) const {
    if (auto paired = exchangePairs(b, strategy, elements))
      return *paired;
    ttg::LayoutDims names(b.getContext());
    const WarpExchange &plan = *strategy.exchange;
    auto hasWarps = [&](const LinearLayout &layout) {
      return !layout.sublayoutIsZero({names.warp}, layout.getOutDimNames());
    };
    ThreadPlace place{{names.lane, hooks.laneId(b)}};
    if (hasWarps(plan.send) || hasWarps(plan.from))
      place.push_back({names.warp, hooks.warpId(b)});
    if (hooks.getCtas() > 1)
      place.push_back({names.block, hooks.ctaId(b)});

    SmallVector<StringAttr> threads{names.lane, names.warp, names.block};
    SmallVector<Value> sent =
        xorPermute(b, SmallVector<Value>(elements),
                   plan.send.sublayout(threads, {names.reg}), place);
    LinearLayout from = plan.from.sublayout(threads, {names.lane});
    bool ownLane = from.sublayout({names.lane}, {names.lane}) ==
                       LinearLayout::identity1D(from.getInDimSize(names.lane),
                                                names.lane, names.lane) &&
                   !hasWarps(from);
    Value fromLane = applyLayout(b, from, place).front();

    auto copies = static_cast<uint32_t>(strategy.result.getZeroMask(names.reg));
    SmallVector<Value> rounds(strategy.result.getInDimSize(names.reg));
    for (auto [t, round] : llvm::enumerate(rounds)) {
      if (t & copies) {
        round = rounds[t & ~copies];
        continue;
      }
      LinearLayout::NamedValue index{names.reg, static_cast<int32_t>(t)};
      Value value = sent[plan.send.apply({index}).front().second];
      int32_t shift = plan.from.apply({index}).front().second;
      if (!ownLane)
        round = hooks.shuffleIdx(b, value, b.bitXor(fromLane, b.i32(shift)));
      else if (shift)
        round = hooks.shuffleXor(b, value, shift);
      else
        round = value;
    }
    return xorPermute(b, rounds, plan.receive, place);
  }

  SmallVector<Value> exchangeInBlock(lower::Builder &b,
                                     const Strategy &strategy,
                                     ttg::ConvertLayoutOp op,
                                     ArrayRef<Value> elements) const {
    ExchangeInRounds plan =
        planExchange(strategy, op, tilesFor(op, hooks.tileInstructions()));
    Value base = sharedMemoryOf(b, op);
    Type type = elements.front().getType();
    bool isFirst = true;
    auto wait = [&, alone = isWithinWarps(strategy)] {
      alone ? hooks.warpBarrier(b) : hooks.barrier(b);
    };
    auto exchange = [&](ArrayRef<Value> stored) {
      if (!isFirst)
        wait();
      isFirst = false;
      SharedPlaces stores{plan.each.store, base, {}, 0, {}},
          loads{plan.each.load, base, {}, 0, {}};
      if (plan.each.storeTiles)
        storeInTiles(b, hooks, stores, *plan.each.storeTiles, stored);
      else
        storeShared(b, hooks, stores, stored);
      if (strategy.conversion.reach != Reach::Cluster) {
        wait();
        return plan.each.loadTiles
                   ? loadInTiles(b, hooks, loads, *plan.each.loadTiles, type)
                   : loadShared(b, hooks, loads, type);
      }
      loads.owner = plan.each.owner;
      hooks.cluster()->barrier(b);
      SmallVector<Value> loaded = loadShared(b, hooks, loads, type);
      hooks.cluster()->barrier(b); // before any CTA stores there again, or ends
      return loaded;
    };
    return inRounds(plan.halvings, elements, exchange);
  }

  /// Applies `exchange` to the parts of `elements` that `halvings` describe,
  /// and joins the results.
  static SmallVector<Value>
  inRounds(ArrayRef<ExchangeInRounds::Halving> halvings,
           ArrayRef<Value> elements,
           llvm::function_ref<SmallVector<Value>(ArrayRef<Value>)> exchange) {
    if (halvings.empty())
      return exchange(elements);
    auto [source, result] = halvings.front();
    SmallVector<Value> halves[2];
    for (unsigned half : {0, 1}) {
      SmallVector<Value> stored;
      for (auto [r, element] : llvm::enumerate(elements))
        if ((r >> source & 1) == half)
          stored.push_back(element);
      halves[half] = inRounds(halvings.drop_front(), stored, exchange);
    }
    SmallVector<Value> results;
    const Value *next[] = {halves[0].begin(), halves[1].begin()};
    for (size_t r = 0; r < halves[0].size() + halves[1].size(); ++r)
      results.push_back(*next[r >> result & 1]++);
    return results;
  }
};

} // namespace

void lower::populateConvertLayoutPatterns(const TypeConverter &converter,
                                          Patterns &patterns,
                                          const TargetHooks &hooks) {
  patterns.add<ConvertLayoutPattern>(converter, hooks);
}
