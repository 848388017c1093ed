//===- SharedExchangePlan.cpp - Conversions through memory ----------------===//

#include "passes/lower/support/SharedExchangePlan.h"
#include "dialects/layout/SharedBanks.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;
using ttg::LayoutDims;
using Words = SmallVector<uint64_t>;

namespace {

/// What a place of one layout, the source's or the result's, holds: a word of
/// bits for each bit of (register, lane, warp, block), which together are an
/// element.
struct Side {
  Words columns;
  unsigned registers, lanes;

  ArrayRef<uint64_t> ofRegisters() const {
    return ArrayRef(columns).take_front(registers);
  }
  ArrayRef<uint64_t> ofLanes() const {
    return ArrayRef(columns).slice(registers, lanes);
  }
  bool hasInRegisters(uint64_t column) const {
    return is_contained(ofRegisters(), column);
  }
};

// Shared memory has 32 banks of 4 bytes; a row is what they hold together. An
// access of a warp is free of conflicts when the lanes that go at once (all
// with 4 bytes each, eight with 16; of a tile those that give its rows) have
// different places in the row. Offsets are split into a place in a vector, in
// a row, and a row: then it is enough that no sum of these lanes' bits is a
// sum of row bits alone. Stores ask that of one subspace, loads of another, and
// two subspaces have a common complement.
class ExchangePlanner {
public:
  ExchangePlanner(const Conversion &conversion, const LinearLayout &source,
                  const LinearLayout &result, unsigned elementBits,
                  TileInstructions tiles)
      : conversion(conversion), source(source), result(result),
        elementBits(elementBits), tiles(tiles),
        names(source.getInDims().front().name.getContext()),
        inBlock{names.reg, names.lane, names.warp}, everywhere(inBlock) {
    everywhere.push_back(names.block);
    findElements();
    inRow = std::min(bits, log2Elements(rowBits));
  }

  SharedExchange plan() {
    tryRegisters(store, load);
    tryRegisters(load, store);
    for (bool isTransposed : {false, true}) {
      if (tiles.loads)
        tryTiles(load, store, isTransposed);
      if (tiles.stores)
        tryTiles(store, load, isTransposed);
    }
    best->fitsTiles = fitsTiles;
    return std::move(*best);
  }

private:
  static constexpr unsigned rowBits = 32 * 32, bankBits = 32, vectorBits = 128;

  unsigned log2Elements(unsigned ofBits) const {
    unsigned elementLog2 = Log2_32(elementBits);
    return Log2_32(ofBits) - std::min(elementLog2, Log2_32(ofBits));
  }

  /// An element is identified by the place in the block that holds it in the
  /// source, without the bits that only distinguish copies.
  void findElements() {
    store.columns = F2Matrix::identity(
                        source.sublayout(inBlock, {}).getTotalInDimSizeLog2())
                        .columns;
    load.columns =
        conversion.map.sublayout(everywhere, inBlock).getMatrix().columns;
    unsigned first = 0;
    uint64_t kept = 0;
    for (StringAttr in : inBlock) {
      for (unsigned bit = 0; bit < source.getInDimSizeLog2(in); ++bit)
        if (!(source.getZeroMask(in) >> bit & 1)) {
          kept |= uint64_t(1) << (first + bit);
          ++bits;
        }
      first += source.getInDimSizeLog2(in);
    }
    for (Side *side : {&store, &load}) {
      const LinearLayout &layout = side == &store ? source : result;
      side->registers = layout.getInDimSizeLog2(names.reg);
      side->lanes = layout.getInDimSizeLog2(names.lane);
      for (uint64_t &column : side->columns) {
        uint64_t packed = 0;
        unsigned to = 0;
        for (uint64_t rest = kept; rest; rest &= rest - 1, ++to)
          packed |= (column >> countr_zero(rest) & 1) << to;
        column = packed;
      }
    }
  }

  /// The lanes of one ordinary access that go at once. The vector's first
  /// `width` elements are in registers.
  Words lanesAtOnce(const Side &side, unsigned width) const {
    width = std::max<unsigned>(width, log2Elements(bankBits));
    return Words(side.ofLanes().take_front(
        std::min(log2Elements(rowBits) - width, side.lanes)));
  }

  /// How many of the bits of `vector`, from the first, are in registers.
  static unsigned widthOf(const Side &side, ArrayRef<uint64_t> vector) {
    return find_if_not(vector,
                       [&](uint64_t c) { return side.hasInRegisters(c); }) -
           vector.begin();
  }

  /// The columns that lie in a row of a tile of `side`, those of neighbours
  /// first; none where it has no tiles.
  Words tileRow(const Side &side, const Side &other, bool isTransposed) const {
    Words row;
    if (side.lanes != 5 || (isTransposed && elementBits != 16))
      return row;
    if (isTransposed)
      return Words(side.ofLanes().drop_front(2));
    unsigned inWord = log2Elements(bankBits);
    for (bool both : {true, false})
      for (uint64_t column : side.ofRegisters())
        if (column && both == other.hasInRegisters(column) &&
            row.size() < inWord)
          row.push_back(column);
    if (row.size() == inWord)
      row.append(side.ofLanes().begin(), side.ofLanes().begin() + 2);
    return row;
  }

  /// The columns that choose among the rows of a tile.
  static Words tileRows(const Side &side, bool isTransposed) {
    if (!isTransposed)
      return Words(side.ofLanes().drop_front(2));
    Words rows(side.ofLanes().take_front(2));
    for (uint64_t column : side.ofRegisters())
      if (column) {
        rows.push_back(column);
        break;
      }
    return rows;
  }

  /// Vectors of what both have in registers, and then of what `wide` has while
  /// the lanes of `other` still fit in a row beside them.
  void tryRegisters(const Side &wide, const Side &other) {
    Words candidates;
    for (bool both : {true, false})
      for (uint64_t column : wide.ofRegisters())
        if (both == other.hasInRegisters(column))
          candidates.push_back(column);
    Words vector = independentColumns(bits, {}, candidates);
    vector.truncate(std::min<size_t>(vector.size(), log2Elements(vectorBits)));
    unsigned common = widthOf(other, vector);
    Words others = lanesAtOnce(other, common);
    while (vector.size() > common &&
           besides(vector, others).size() + vector.size() > inRow)
      vector.pop_back();
    Words wides = lanesAtOnce(wide, vector.size());
    tryPlan(vector, &wide == &store ? wides : others,
            &wide == &store ? others : wides);
  }

  /// Tiles on one side, and on the other tiles with the same rows, or what goes
  /// as vectors.
  void tryTiles(const Side &side, const Side &other, bool isTransposed) {
    Words row = tileRow(side, other, isTransposed);
    if (row.size() != log2Elements(vectorBits) ||
        independentColumns(bits, {}, row).size() != row.size())
      return;
    Words others = lanesAtOnce(other, widthOf(other, row));
    for (bool alsoTransposed : {false, true})
      if (tiles.loads && tiles.stores &&
          tileRow(other, side, alsoTransposed) == row)
        others = tileRows(other, alsoTransposed);
    Words own = tileRows(side, isTransposed);
    tryPlan(row, &side == &store ? own : others,
            &side == &store ? others : own);
  }

  /// What `columns` have that is not in the vector.
  Words besides(ArrayRef<uint64_t> vector, ArrayRef<uint64_t> columns) const {
    uint64_t taken = 0;
    for (uint64_t column : vector)
      taken |= column;
    return independentColumns(bits, {}, map_to_vector(columns, [&](uint64_t c) {
                                return c & ~taken;
                              }));
  }

  /// Keeps the plan with these lowest bits of offsets, and with these columns
  /// of lanes (and registers) that go at once, if it is the best so far.
  void tryPlan(ArrayRef<uint64_t> vector, ArrayRef<uint64_t> storesAtOnce,
               ArrayRef<uint64_t> loadsAtOnce) {
    Words stores = besides(vector, storesAtOnce),
          loads = besides(vector, loadsAtOnce);
    auto joined = [](ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
      Words both(a);
      both.append(b.begin(), b.end());
      return both;
    };

    // The rows: what is in neither, then sums of one of each.
    Words others =
        independentColumns(bits, vector, F2Matrix::identity(bits).columns);
    Words rows = independentColumns(bits, joined(stores, loads), others);
    Words storesOnly = independentColumns(bits, loads, stores),
          loadsOnly = independentColumns(bits, stores, loads);
    for (auto [fromStores, fromLoads] : zip(storesOnly, loadsOnly))
      rows.push_back(fromStores ^ fromLoads);
    rows = independentColumns(bits, vector, rows);
    rows.truncate(std::min<size_t>(rows.size(), bits - inRow));

    Words offsets(vector);
    offsets.append(independentColumns(bits, joined(vector, rows), others));
    offsets.append(rows);

    F2Matrix elementOf{bits, offsets};
    F2Matrix offsetOf = *elementOf.solve(F2Matrix::identity(bits));
    LinearLayout::NamedValue memory{names.offset, int32_t(1) << bits};
    auto layoutOf = [&](const Side &side, const LinearLayout &layout,
                        ArrayRef<StringAttr> ins) {
      return LinearLayout::fromColumns(
          map_to_vector(ins,
                        [&](StringAttr in) {
                          return LinearLayout::NamedValue(
                              in, layout.getInDimSize(in));
                        }),
          {memory}, (offsetOf * F2Matrix{bits, side.columns}).columns);
    };
    SharedExchange plan{layoutOf(store, source, inBlock),
                        layoutOf(load, result, everywhere),
                        conversion.map.sublayout(everywhere, {names.block}),
                        {},
                        {},
                        false};
    fitsTiles |= fitsAsTiles(plan.store, tiles.stores, plan.load) ||
                 fitsAsTiles(plan.load, tiles.loads, plan.store);
    unsigned cost =
        costOf(plan.store, tiles.stores, false, plan.storeTiles) +
        costOf(plan.load, tiles.loads, tiles.keepsOrder, plan.loadTiles);
    if (best && cost >= leastCost)
      return;
    leastCost = cost;
    best = std::move(plan);
  }

  /// Whether instructions of tiles can do one side and full vectors the other,
  /// both without conflicts.
  bool fitsAsTiles(const LinearLayout &side, bool hasTiles,
                   const LinearLayout &other) const {
    auto plan =
        hasTiles ? planLoadMatrix(side, elementBits, 0, rowBits) : std::nullopt;
    const unsigned width = log2Elements(vectorBits);
    return plan && ways(plan->rows, /*lanes=*/3, width) == 1 &&
           kernelscope::vectorBits(other, names.reg, 1u << width, {}).size() ==
               width &&
           ways(other,
                std::min(log2Elements(rowBits) - width,
                         unsigned(other.getInDimSizeLog2(names.lane))),
                width) == 1;
  }

  /// Instructions of a warp and the wavefronts that they take; of tiles, if
  /// they are no more. The registers that an access moves follow each other if
  /// it `keepsOrder`; else there is a move for each.
  unsigned costOf(const LinearLayout &offsets, bool hasTiles, bool keepsOrder,
                  std::optional<LoadMatrixPlan> &plan) const {
    SmallVector<unsigned> vector = kernelscope::vectorBits(
        offsets, names.reg, 1u << log2Elements(vectorBits), {});
    unsigned width = std::max<unsigned>(vector.size(), log2Elements(bankBits));
    unsigned lanes = offsets.getInDimSizeLog2(names.lane);
    unsigned together = std::min(log2Elements(rowBits) - width, lanes);
    unsigned instructions =
        1u << (offsets.getInDimSizeLog2(names.reg) - vector.size() -
               popcount(unsigned(offsets.getZeroMask(names.reg))));
    unsigned ordinary = instructions * (1 + (ways(offsets, together, width)
                                             << (lanes - together)));
    for (auto [place, bit] : llvm::enumerate(vector))
      if (keepsOrder && bit != place) {
        ordinary += instructions << (width - log2Elements(bankBits));
        break;
      }
    if (hasTiles)
      plan = planLoadMatrix(offsets, elementBits, 0, /*aligned=*/rowBits);
    if (!plan)
      return ordinary;
    unsigned byTiles = plan->registers.size() *
                       (1 + plan->tiles * ways(plan->rows, /*lanes=*/3,
                                               log2Elements(vectorBits)));
    if (byTiles < ordinary)
      return byTiles;
    plan.reset();
    return ordinary;
  }

  /// How many rows the first `lanes` bits of the lane reach at the same place
  /// of the row, each with `width` bits of elements.
  unsigned ways(const LinearLayout &offsets, unsigned lanes,
                unsigned width) const {
    Words places, inOneRow;
    for (unsigned bit = 0; bit < lanes; ++bit) {
      auto offset = static_cast<uint64_t>(offsets.getBasis(names.lane, bit)[0]);
      places.push_back(offset >> width);
      inOneRow.push_back(
          (offset & (maskTrailingOnes<uint64_t>(log2Elements(rowBits)))) >>
          width);
    }
    return 1u << (F2Matrix{64, places}.rank() - F2Matrix{64, inOneRow}.rank());
  }

  const Conversion &conversion;
  const LinearLayout &source, &result;
  unsigned elementBits;
  TileInstructions tiles;
  LayoutDims names;
  SmallVector<StringAttr> inBlock, everywhere;
  Side store, load;
  /// log2 of the elements, and of those of a row of memory.
  unsigned bits = 0, inRow;
  std::optional<SharedExchange> best;
  unsigned leastCost = 0;
  bool fitsTiles = false;
};

} // namespace

SharedExchange lower::planSharedExchange(const Conversion &conversion,
                                         const LinearLayout &source,
                                         const LinearLayout &result,
                                         unsigned elementBits,
                                         TileInstructions tiles) {
  return ExchangePlanner(conversion, source, result, elementBits, tiles).plan();
}
