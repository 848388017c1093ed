//===- ConversionPlanTest.cpp - Plans for moving data ---------------------===//
//
// Plans are carried out on numbered elements: every thread must end up with the
// elements that its layout says, and shared memory must have no bank conflicts.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/lower/support/ExchangeInRounds.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;

namespace {

/// What the bits of a random layout are: bits of the element, or sums of them,
/// which cannot always be stored in whole vectors.
enum class Kind { Permutation, Sums };

class ConversionPlanTest : public testing::Test {
protected:
  /// What a layout maps each register, lane and warp to, computed once: a
  /// map is asked thousands of times.
  class Values {
  public:
    Values(const LinearLayout &layout, const ttg::LayoutDims &names)
        : registers(layout.getInDimSize(names.reg)),
          lanes(layout.getInDimSize(names.lane)), values(1) {
      for (mlir::StringAttr in : {names.reg, names.lane, names.warp})
        for (const std::vector<int32_t> &basis : layout.getBases(in))
          for (size_t i = 0, size = values.size(); i < size; ++i)
            values.push_back(values[i] ^ basis.front());
    }
    int32_t operator()(int32_t reg, int32_t lane, int32_t warp) const {
      return values[(warp * lanes + lane) * registers + reg];
    }

  private:
    int32_t registers, lanes;
    std::vector<int32_t> values;
  };
  Values valuesOf(const LinearLayout &layout) { return {layout, names}; }

  /// A layout of 2^bits elements (of one dimension) over registers, 2^laneBits
  /// lanes and 2^warpBits warps, with some copies in each.
  LinearLayout random(unsigned bits, unsigned laneBits, unsigned warpBits,
                      Kind kind) {
    std::vector<int32_t> columns;
    do {
      columns.clear();
      for (unsigned bit = 0; bit < bits; ++bit)
        columns.push_back(
            kind == Kind::Permutation
                ? 1 << bit
                : static_cast<int32_t>(1 + engine() % ((1u << bits) - 1)));
    } while (F2Matrix{bits, {columns.begin(), columns.end()}}.rank() != bits);
    std::shuffle(columns.begin(), columns.end(), engine);
    std::vector<std::vector<int32_t>> lanes, warps, registers;
    auto fill = [&](auto &bases, unsigned count, unsigned copiesIn) {
      for (unsigned i = 0; i < count; ++i) {
        bool copy = columns.empty() || engine() % copiesIn == 0;
        bases.push_back({copy ? 0 : columns.back()});
        if (!copy)
          columns.pop_back();
      }
    };
    fill(lanes, laneBits, 8);
    fill(warps, warpBits, 4);
    while (!columns.empty())
      fill(registers, 1, 8);
    std::string error;
    return *LinearLayout::create(
        {{names.reg, registers},
         {names.lane, lanes},
         {names.warp, warps},
         {names.block, {}}},
        {{StringAttr::get(&context, "dim0"), 1 << bits}}, error);
  }

  /// The same lanes, warps and registers with another order of bits, such that
  /// data stays in its warp.
  LinearLayout shuffledInWarp(const LinearLayout &layout) {
    std::vector<std::vector<int32_t>> bases = layout.getBases(names.reg);
    unsigned registers = bases.size();
    for (auto &basis : layout.getBases(names.lane))
      bases.push_back(basis);
    std::shuffle(bases.begin(), bases.end(), engine);
    std::string error;
    return *LinearLayout::create(
        {{names.reg, {bases.begin(), bases.begin() + registers}},
         {names.lane, {bases.begin() + registers, bases.end()}},
         {names.warp, layout.getBases(names.warp)},
         {names.block, {}}},
        {{StringAttr::get(&context, "dim0"),
          layout.getOutDims().front().size()}},
        error);
  }

  void checkRegisters(const Conversion &plan, const LinearLayout &source,
                      const LinearLayout &result) {
    llvm::SmallVector<unsigned> from = registerSources(plan);
    Values held = valuesOf(source), wanted = valuesOf(result);
    forPlaces(result, [&](int32_t r, int32_t l, int32_t w) {
      ASSERT_EQ(held(from[r], l, w), wanted(r, l, w));
    });
  }

  void checkWarpExchange(const WarpExchange &plan, const LinearLayout &source,
                         const LinearLayout &result) {
    Values held = valuesOf(source), wanted = valuesOf(result),
           from = valuesOf(plan.from), send = valuesOf(plan.send);
    forPlaces(result, [&](int32_t t, int32_t l, int32_t w) {
      int32_t s = from(t, l, w);
      int32_t r = t ^ plan.receive.apply({{names.lane, l}}).front().second;
      ASSERT_EQ(held(send(t, s, w), s, w), wanted(r, l, w))
          << source.toString() << "\n"
          << result.toString();
    });
  }

  /// Both registers of a pair have the element of `pairs`, with either value of
  /// the bit of the element's index that is left out there.
  void checkPairs(const LinearLayout &pairs, unsigned bit,
                  const LinearLayout &whole) {
    Values paired = valuesOf(pairs), values = valuesOf(whole);
    const int32_t half = 1 << bit, apart = whole.getBasis(names.reg, bit)[0];
    forPlaces(pairs, [&](int32_t pair, int32_t l, int32_t w) {
      const int32_t below = pair & (half - 1), first = below | (pair - below)
                                                                   << 1;
      const int32_t index = paired(pair, l, w), low = index & (apart - 1),
                    wanted = low | (index - low) << 1;
      ASSERT_EQ(values(first, l, w), wanted) << whole.toString();
      ASSERT_EQ(values(first | half, l, w), wanted | apart);
    });
  }

  /// The most addresses in one bank that an access needs at once.
  unsigned worstConflict(const LinearLayout &access, unsigned elementBits) {
    unsigned elementBytes = elementBits / 8;
    unsigned vectorBits = 0;
    // The vector that one instruction moves: registers that follow each other,
    // aligned whatever the lane and warp.
    while (elementBytes << vectorBits < 16) {
      unsigned hits = 0;
      bool isRegister = false;
      for (StringAttr in : {names.reg, names.lane, names.warp})
        for (unsigned bit = 0; bit < access.getInDimSizeLog2(in); ++bit) {
          int32_t column = access.getBasis(in, bit)[0];
          hits += column >> vectorBits & 1;
          isRegister |= in == names.reg && column == 1 << vectorBits;
        }
      if (!isRegister || hits != 1)
        break;
      ++vectorBits;
    }
    unsigned bytes = elementBytes << vectorBits;
    int32_t lanesAtOnce = std::min<int32_t>(access.getInDimSize(names.lane),
                                            128 / std::max(bytes, 4u));
    unsigned worst = 1;
    Values offsets = valuesOf(access);
    for (int32_t first = 0; first < access.getInDimSize(names.lane);
         first += lanesAtOnce) {
      std::map<unsigned, std::set<unsigned>> wordsOfBank;
      for (int32_t l = first; l < first + lanesAtOnce; ++l)
        for (unsigned byte = 0; byte < bytes; ++byte) {
          unsigned address = offsets(0, l, 0) * elementBytes + byte;
          wordsOfBank[address / 4 % 32].insert(address / 4);
        }
      for (auto &[bank, words] : wordsOfBank)
        worst = std::max<unsigned>(worst, words.size());
    }
    return worst;
  }

  void checkSharedExchange(const SharedExchange &plan,
                           const LinearLayout &source,
                           const LinearLayout &result, unsigned elementBits,
                           Kind kind) {
    Values held = valuesOf(source), wanted = valuesOf(result),
           store = valuesOf(plan.store), load = valuesOf(plan.load);
    std::vector<int32_t> memory(plan.numElements(), -1);
    forPlaces(source, [&](int32_t r, int32_t l, int32_t w) {
      int32_t &cell = memory.at(store(r, l, w));
      ASSERT_TRUE(cell == -1 || cell == held(r, l, w));
      cell = held(r, l, w);
    });
    forPlaces(result, [&](int32_t r, int32_t l, int32_t w) {
      ASSERT_EQ(memory.at(load(r, l, w)), wanted(r, l, w));
    });
    if (kind == Kind::Sums)
      return;
    EXPECT_EQ(worstConflict(plan.store, elementBits), 1u)
        << elementBits << " bits, store " << plan.store.toString() << "\n"
        << source.toString() << "\n"
        << result.toString();
    EXPECT_EQ(worstConflict(plan.load, elementBits), 1u)
        << elementBits << " bits, load " << plan.load.toString() << "\n"
        << source.toString() << "\n"
        << result.toString();
  }

  /// Memory as the stores of `plan` leave it, read by its loads: each thread
  /// must find its elements. Tiles as PTX describes `ldmatrix`: the lanes that
  /// share a row, and the elements of it that each has.
  void checkTiles(const SharedExchange &plan, const LinearLayout &source,
                  const LinearLayout &result, unsigned elementBits) {
    auto forAccesses =
        [&](const LinearLayout &layout, const LinearLayout &offsets,
            const std::optional<LoadMatrixPlan> &tiles, auto visit) {
          if (!tiles) {
            Values offset = valuesOf(offsets);
            forPlaces(layout, [&](int32_t r, int32_t l, int32_t w) {
              visit(offset(r, l, w), r, l, w);
            });
            return;
          }
          Values row = valuesOf(tiles->rows);
          const auto inWord = static_cast<int32_t>(32 / elementBits),
                     inRow = static_cast<int32_t>(128 / elementBits),
                     count = static_cast<int32_t>(tiles->tiles);
          for (int32_t w = 0; w < layout.getInDimSize(names.warp); ++w)
            for (auto [load, registers] : llvm::enumerate(tiles->registers))
              for (int32_t t = 0; t < count; ++t)
                for (int32_t i = 0; i < 8; ++i)
                  for (int32_t k = 0; k < inRow; ++k) {
                    bool turned = tiles->isTransposed;
                    int32_t lane = turned ? 4 * k + i / 2 : 4 * i + k / inWord;
                    int32_t inLane = turned ? i % 2 : k % inWord;
                    visit(row(static_cast<int32_t>(load), 8 * t + i, w) + k,
                          registers[t * inWord + inLane], lane, w);
                  }
        };
    std::map<int32_t, int32_t> memory;
    std::set<std::pair<int32_t, int32_t>> loaded;
    Values held = valuesOf(source), wanted = valuesOf(result);
    forAccesses(source, plan.store, plan.storeTiles,
                [&](int32_t offset, int32_t r, int32_t l, int32_t w) {
                  memory[offset] = held(r, l, w);
                });
    EXPECT_EQ(static_cast<int32_t>(memory.size()), plan.numElements());
    forAccesses(result, plan.load, plan.loadTiles,
                [&](int32_t offset, int32_t r, int32_t l, int32_t w) {
                  loaded.insert({r, l});
                  ASSERT_EQ(memory[offset], wanted(r, l, w));
                });
    // All registers but copies.
    auto copies = static_cast<unsigned>(plan.load.getZeroMask(names.reg));
    EXPECT_GE(loaded.size(),
              static_cast<size_t>(result.getInDimSize(names.reg) >>
                                  llvm::popcount(copies)) *
                  result.getInDimSize(names.lane));
  }

  /// Each round finds all that it loads, in its part of the memory.
  void checkRounds(const ExchangeInRounds &plan, const LinearLayout &source,
                   const LinearLayout &result, const SharedExchange &whole) {
    using Halving = ExchangeInRounds::Halving;
    const int32_t rounds = 1 << plan.halvings.size();
    EXPECT_EQ(rounds * plan.each.numElements(), whole.numElements());
    // The round that a register belongs to, and its number among those of it.
    auto split = [&](int32_t r, unsigned Halving::*bit) {
      int32_t round = 0;
      for (const Halving &halving : plan.halvings) {
        round = 2 * round + (r >> halving.*bit & 1);
        r = (r >> (halving.*bit + 1) << halving.*bit) |
            (r & ((1 << halving.*bit) - 1));
      }
      return std::pair(round, r);
    };
    Values held = valuesOf(source), wanted = valuesOf(result),
           store = valuesOf(plan.each.store), load = valuesOf(plan.each.load);
    std::vector<std::vector<int32_t>> memory(
        rounds, std::vector<int32_t>(plan.each.numElements(), -1));
    forPlaces(source, [&](int32_t r, int32_t l, int32_t w) {
      auto [round, left] = split(r, &Halving::source);
      memory[round].at(store(left, l, w)) = held(r, l, w);
    });
    forPlaces(result, [&](int32_t r, int32_t l, int32_t w) {
      auto [round, left] = split(r, &Halving::result);
      ASSERT_EQ(memory[round].at(load(left, l, w)), wanted(r, l, w));
    });
  }

  template <typename Visit>
  void forPlaces(const LinearLayout &layout, Visit visit) {
    for (int32_t w = 0; w < layout.getInDimSize(names.warp); ++w)
      for (int32_t l = 0; l < layout.getInDimSize(names.lane); ++l)
        for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r)
          visit(r, l, w);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  ttg::LayoutDims names{&context};
  std::mt19937 engine{7};
};

TEST_F(ConversionPlanTest, AnyPairOfLayouts) {
  std::map<Reach, int> seen;
  int exchanged = 0;
  std::map<unsigned, int> halved;
  int tiled[2][2] = {}, paired = 0;
  for (int round = 0; round < 600; ++round) {
    Kind kind = round % 3 ? Kind::Permutation : Kind::Sums;
    unsigned bits = 5 + engine() % 6, lanes = round % 4 ? 5 : 6,
             warps = engine() % 3;
    LinearLayout source = random(bits, lanes, warps, kind);
    LinearLayout result =
        round % 2 ? random(bits, lanes, warps, kind) : shuffledInWarp(source);
    std::optional<Conversion> plan = planConversion(source, result);
    ASSERT_TRUE(plan);
    ++seen[plan->reach];
    ASSERT_NE(plan->reach, Reach::Cluster);
    if (plan->reach == Reach::Thread)
      checkRegisters(*plan, source, result);
    if (plan->reach == Reach::Warp) {
      auto exchange = planWarpExchange(*plan, source, result);
      if (exchange)
        checkWarpExchange(*exchange, source, result);
      if (auto pairs = pairRegisters(source, result)) {
        checkPairs(pairs->source, pairs->sourceBit, source);
        checkPairs(pairs->result, pairs->resultBit, result);
        ++paired;
      }
      exchanged += exchange.has_value();
    }
    unsigned elementBits = 8u << engine() % 4;
    SharedExchange shared =
        planSharedExchange(*plan, source, result, elementBits);
    checkSharedExchange(shared, source, result, elementBits, kind);
    if (elementBits <= 32) {
      SharedExchange inTiles = planSharedExchange(
          *plan, source, result, elementBits, {.loads = true, .stores = true});
      if (inTiles.storeTiles || inTiles.loadTiles)
        checkTiles(inTiles, source, result, elementBits);
      tiled[inTiles.storeTiles.has_value()][inTiles.loadTiles.has_value()]++;
    }
    // Of a third of the pairs each, for the sanitizers' time.
    if (unsigned halvings = round / 2 % 3) {
      ExchangeInRounds rounds =
          planExchangeInRounds(*plan, source, result, elementBits, halvings);
      checkRounds(rounds, source, result, shared);
      if (rounds.halvings.size() == halvings)
        ++halved[halvings];
    }
    if (HasFatalFailure())
      return;
  }
  // Now and then fewer lanes hold the data than want it.
  EXPECT_GT(exchanged, seen[Reach::Warp] * 95 / 100);
  EXPECT_GT(exchanged, 200);
  EXPECT_GT(paired, 20);
  EXPECT_GT(seen[Reach::Block], 150);
  EXPECT_GT(tiled[0][1], 20);
  EXPECT_GT(tiled[1][0], 15);
  EXPECT_GT(halved[1], 50);
  EXPECT_GT(halved[2], 20);
}

TEST_F(ConversionPlanTest, TilesOnBothSides) {
  // 32 x 64 elements of 16 bits: the neighbours in a word and in two lanes are
  // in the lanes that a transposing load turns.
  std::string error;
  StringAttr dim0 = StringAttr::get(&context, "dim0");
  auto source =
      LinearLayout::create({{names.reg, {{1}, {2}, {512}, {1024}}},
                            {names.lane, {{4}, {8}, {16}, {32}, {64}}},
                            {names.warp, {{128}, {256}}},
                            {names.block, {}}},
                           {{dim0, 2048}}, error);
  auto result =
      LinearLayout::create({{names.reg, {{64}, {128}, {512}, {1024}}},
                            {names.lane, {{256}, {16}, {1}, {4}, {8}}},
                            {names.warp, {{2}, {32}}},
                            {names.block, {}}},
                           {{dim0, 2048}}, error);
  auto plan = planConversion(*source, *result);
  ASSERT_TRUE(plan);
  SharedExchange exchange = planSharedExchange(*plan, *source, *result, 16,
                                               {.loads = true, .stores = true});
  ASSERT_TRUE(exchange.storeTiles);
  ASSERT_TRUE(exchange.loadTiles);
  EXPECT_FALSE(exchange.storeTiles->isTransposed);
  EXPECT_TRUE(exchange.loadTiles->isTransposed);
  checkTiles(exchange, *source, *result, 16);
}

TEST_F(ConversionPlanTest, CopiesNeedNoMoves) {
  // Every thread holds all of it: nothing has to move, only be picked.
  std::string error;
  StringAttr dim0 = StringAttr::get(&context, "dim0");
  auto source = LinearLayout::create({{names.reg, {{1}, {2}, {4}}},
                                      {names.lane, {{0}, {0}}},
                                      {names.warp, {{0}}},
                                      {names.block, {}}},
                                     {{dim0, 8}}, error);
  auto result = LinearLayout::create({{names.reg, {}},
                                      {names.lane, {{1}, {2}}},
                                      {names.warp, {{4}}},
                                      {names.block, {}}},
                                     {{dim0, 8}}, error);
  auto plan = planConversion(*source, *result);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->reach, Reach::Warp);
  auto exchange = planWarpExchange(*plan, *source, *result);
  ASSERT_TRUE(exchange);
  for (int32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(valuesOf(exchange->from)(0, lane, 0), lane);
  EXPECT_EQ(valuesOf(exchange->send)(0, 3, 1), 7);
}

} // namespace
