//===- WordExchange.cpp - Lanes exchange bytes to form words --------------===//

#include "passes/lower/support/WordExchange.h"
#include "dialects/layout/SharedBanks.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/GlobalAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

static constexpr unsigned bankWordBits = 32;

namespace {

/// Tries all registers' bits for the lanes' bits that a word needs.
class WordExchangePlanner {
public:
  WordExchangePlanner(const SharedPlaces &places, unsigned elementBits,
                      bool isLoad)
      : places(places), elementBits(elementBits), isLoad(isLoad),
        names(places.offsets.getInDims().front().name.getContext()) {}

  std::optional<WordExchange> plan() {
    for (unsigned bit : vectorBits(places, bankWordBits / elementBits))
      start.bits.push_back({bit, {}});
    const unsigned needed = llvm::Log2_32(bankWordBits / elementBits);
    if (start.bits.size() == needed)
      return std::nullopt;
    start.offsets = places.offsets;
    best = {.cost = wavefronts(places.offsets) / 2 + 1, .exchange = {}};
    extend(start, needed);
    return std::move(best.exchange);
  }

private:
  /// Of all of a warp's accesses.
  unsigned wavefronts(const LinearLayout &offsets) const {
    AccessCost cost =
        accessCost(offsets, places.gaps, elementBits, SharedBanks(), isLoad);
    return cost.wavefronts * cost.instructions;
  }

  void extend(const WordExchange &exchange, unsigned needed) {
    if (exchange.bits.size() == needed)
      return consider(exchange);
    const unsigned step = exchange.bits.size();
    auto basis = [&](StringAttr in, unsigned bit) {
      return exchange.offsets.getBasis(in, bit).front();
    };
    std::optional<unsigned> lane;
    for (unsigned bit = 0; bit < exchange.offsets.getInDimSizeLog2(names.lane);
         ++bit)
      if (basis(names.lane, bit) == int32_t(1) << step)
        lane = bit;
    if (!lane)
      return;
    for (unsigned reg = 0; reg < exchange.offsets.getInDimSizeLog2(names.reg);
         ++reg) {
      if (basis(names.reg, reg) < int32_t(2) << step)
        continue; // a copy, or within the word already
      WordExchange more = exchange;
      more.bits.push_back({reg, lane});
      SmallVector<uint64_t> columns = exchange.offsets.getMatrix().columns;
      std::swap(columns[columnOf(names.reg) + reg],
                columns[columnOf(names.lane) + *lane]);
      more.offsets =
          LinearLayout::fromColumns(exchange.offsets.getInDimSizes(),
                                    exchange.offsets.getOutDimSizes(), columns);
      extend(more, needed);
    }
  }

  unsigned columnOf(StringAttr in) const {
    unsigned first = 0;
    for (const LinearLayout::Dim &dim : places.offsets.getInDims()) {
      if (dim.name == in)
        break;
      first += dim.log2;
    }
    return first;
  }

  void consider(const WordExchange &exchange) {
    SharedPlaces after = places;
    after.offsets = exchange.offsets;
    if (vectorBits(after, bankWordBits / elementBits).size() <
        exchange.bits.size())
      return; // others step within the word, too
    unsigned words =
        exchange.offsets.getInDimSize(names.reg) >>
        (exchange.bits.size() + llvm::popcount(static_cast<uint32_t>(
                                    exchange.offsets.getZeroMask(names.reg))));
    unsigned cost = wavefronts(exchange.offsets);
    for (const WordExchange::Bit &bit : exchange.bits)
      cost += bit.lane ? words : 0;
    if (cost < best.cost)
      best = {cost, exchange};
  }

  const SharedPlaces &places;
  const unsigned elementBits;
  const bool isLoad;
  const ttg::LayoutDims names;
  WordExchange start;
  struct {
    unsigned cost;
    std::optional<WordExchange> exchange;
  } best;
};

} // namespace

std::optional<WordExchange> lower::planWordExchange(const SharedPlaces &places,
                                                    unsigned elementBits,
                                                    bool isLoad) {
  // Another CTA's memory is for its own lanes to place.
  if (elementBits >= bankWordBits || places.owner)
    return std::nullopt;
  return WordExchangePlanner(places, elementBits, isLoad).plan();
}

/// For `permuteBytes` of a lane's own word and that of its partner, whose
/// number differs in the lane's bit for `bit` of an element's number: where
/// that bit is `own`, the lane id's, elements stay; the others are those
/// of the partner that have the bit so.
static int32_t exchangeSelector(unsigned bit, unsigned own,
                                unsigned elementBits) {
  const unsigned bytes = elementBits / 8, partner = bankWordBits / 8;
  uint32_t selector = 0;
  for (unsigned place = 0; place < bankWordBits / 8; ++place) {
    unsigned element = place / bytes;
    bool stays = (element >> bit & 1) == own;
    unsigned from = (element & ~(1u << bit)) | own << bit;
    selector |= (from * bytes + place % bytes + (stays ? 0 : partner))
                << 4 * place;
  }
  return static_cast<int32_t>(selector);
}

SmallVector<Value> lower::exchangeWords(lower::Builder &b,
                                        const TargetHooks &hooks,
                                        const WordExchange &exchange,
                                        ArrayRef<Value> elements) {
  Type element = elements.front().getType();
  const unsigned elementBits = bitWidth(element);
  SmallVector<Value> selectors;
  Value lane = hooks.laneId(b);
  for (auto [bit, exchanged] : llvm::enumerate(exchange.bits))
    if (exchanged.lane)
      selectors.push_back(
          b.select(b.icmp(ICmp::eq, b.bitAnd(lane, b.i32(1 << *exchanged.lane)),
                          b.i32(0)),
                   b.i32(exchangeSelector(bit, 0, elementBits)),
                   b.i32(exchangeSelector(bit, 1, elementBits))));

  ttg::LayoutDims names(b.getContext());
  unsigned inWord = 0;
  for (const WordExchange::Bit &bit : exchange.bits)
    inWord |= 1u << bit.reg;
  const auto copies =
      static_cast<unsigned>(exchange.offsets.getZeroMask(names.reg));
  SmallVector<Value> results(elements.size());
  for (unsigned first = 0; first < elements.size(); ++first) {
    if (first & (inWord | copies))
      continue;
    SmallVector<unsigned> registers;
    for (unsigned i = 0; i < 1u << exchange.bits.size(); ++i) {
      unsigned place = first;
      for (auto [bit, exchanged] : llvm::enumerate(exchange.bits))
        place |= (i >> bit & 1) << exchanged.reg;
      registers.push_back(place);
    }
    Value word = b.bitcast(b.intType(bankWordBits),
                           b.makeVector(pick(elements, registers)));
    const Value *selector = selectors.begin();
    for (const WordExchange::Bit &exchanged : exchange.bits)
      if (exchanged.lane)
        word = hooks.permuteBytes(
            b, word, hooks.shuffleXor(b, word, 1u << *exchanged.lane),
            *selector++);
    Value vector = b.bitcast(b.vectorType(element, registers.size()), word);
    for (auto [r, value] : llvm::zip_equal(registers, b.splitVector(vector)))
      results[r] = value;
  }
  for (auto [r, value] : llvm::enumerate(results))
    if (!value)
      value = results[r & ~copies];
  return results;
}
