//===- LoadMatrixPlan.cpp - Shared memory by ldmatrix ---------------------===//

#include "passes/lower/support/LoadMatrixPlan.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/ByteTiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

constexpr unsigned laneBits = 5, rowBits = 128, wordBits = 32, maxWords = 4;
/// What all banks of shared memory hold at one place, in bits.
constexpr unsigned banksBits = 1024;

/// What a tile is, and what lane `l` has of it. Its rows are 16 bytes.
enum class TileForm {
  /// m8n8: word `l % 4` of row `l / 4`.
  Rows,
  /// m8n8.trans, of 16 bits: rows 2 * (l % 4) and the next, of column `l / 4`.
  Columns,
  /// m16n16.trans, of bytes: rows 4 * (l % 4) and the next three, of column
  /// `l / 4` in one word and of column `l / 4 + 8` in another.
  LoadedByteColumns,
  /// m16n8.trans, of bytes: rows 2 * (l % 4) and the next, of column `l / 4`
  /// and, in the same word, of column `l / 4 + 8`.
  StoredByteColumns
};

/// Tries one of the forms of the instruction.
class LoadMatrixPlanner {
public:
  LoadMatrixPlanner(const LinearLayout &offsets, unsigned elementBits,
                    int32_t windowMask, unsigned aligned, TileForm form)
      : offsets(offsets), elementBits(elementBits), windowMask(windowMask),
        knowsBanks(aligned * elementBits >= banksBits), form(form),
        names(offsets.getInDims().front().name.getContext()) {}

  std::optional<LoadMatrixPlan> plan() {
    if (!chooseBits() || !otherBitsChooseRows())
      return std::nullopt;
    // As many tiles go at once as fill four words.
    SmallVector<unsigned> together(tile), loads;
    const unsigned atOnce = Log2_32(maxWords * wordBits / elementBits);
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(names.reg); ++bit)
      if (step(names.reg, bit) && !is_contained(tile, bit))
        (together.size() < atOnce ? together : loads).push_back(bit);

    LoadMatrixPlan result{form != TileForm::Rows,
                          elementBits * (1u << together.size()) / wordBits,
                          {},
                          {}};
    for (unsigned load = 0; load < 1u << loads.size(); ++load) {
      SmallVector<unsigned> &registers = result.registers.emplace_back();
      for (unsigned element = 0; element < 1u << together.size(); ++element)
        registers.push_back(spread(loads, load) | spread(together, element));
    }

    // Lanes give the rows of the first tile, then those of the next.
    SmallVector<uint64_t> columns;
    for (unsigned bit : loads)
      columns.push_back(step(names.reg, bit));
    SmallVector<uint64_t> lanes;
    for (unsigned bit : rowRegisters)
      lanes.push_back(step(names.reg, bit));
    for (unsigned bit = 0; bit < laneBits; ++bit)
      if (!is_contained(row, std::pair(names.lane, bit)))
        lanes.push_back(step(names.lane, bit));
    for (unsigned bit : ArrayRef(together).drop_front(tile.size()))
      lanes.push_back(step(names.reg, bit));
    lanes.resize(laneBits);
    columns.append(lanes);
    SmallVector<LinearLayout::NamedValue> ins{
        {names.reg, int32_t(1) << loads.size()}, {names.lane, 1 << laneBits}};
    for (StringAttr in : {names.warp, names.block}) {
      ins.push_back({in, offsets.getInDimSize(in)});
      for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(in); ++bit)
        columns.push_back(step(in, bit));
    }
    result.rows =
        LinearLayout::fromColumns(ins, offsets.getOutDimSizes(), columns);
    return result;
  }

private:
  using StringAttr = mlir::StringAttr;

  int32_t step(StringAttr in, unsigned bit) const {
    return bit < offsets.getInDimSizeLog2(in) ? offsets.getBasis(in, bit)[0]
                                              : 0;
  }

  /// The bits of `number` at the places `bits`.
  static unsigned spread(ArrayRef<unsigned> bits, unsigned number) {
    unsigned result = 0;
    for (auto [from, to] : enumerate(bits))
      result |= (number >> from & 1) << to;
    return result;
  }

  /// The next bits of the offset in a row are the first register's with that
  /// step.
  bool rowHasRegisters(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const int32_t wanted = int32_t(1) << row.size();
      unsigned bit = 0;
      while (step(names.reg, bit) != wanted)
        if (++bit >= offsets.getInDimSizeLog2(names.reg))
          return false;
      row.emplace_back(names.reg, bit);
      tile.push_back(bit);
    }
    return true;
  }

  void rowHasLanes(ArrayRef<unsigned> bits) {
    for (unsigned bit : bits)
      row.emplace_back(names.lane, bit);
  }

  /// Registers that are neither copies nor within a row: the first, unless
  /// another brings rows of the tile to other banks.
  bool chooseRowRegisters(unsigned count) {
    SmallVector<int32_t> reached{0};
    auto reach = [&](int32_t banks) {
      for (size_t i = 0, e = reached.size(); i < e; ++i)
        if (!is_contained(reached, reached[i] ^ banks))
          reached.push_back(reached[i] ^ banks);
    };
    for (unsigned bit = 0; bit < laneBits; ++bit)
      if (!is_contained(row, std::pair(names.lane, bit)))
        reach(banksOf(step(names.lane, bit)));

    SmallVector<unsigned> candidates;
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(names.reg); ++bit)
      if (step(names.reg, bit) && !(step(names.reg, bit) & rowMask()))
        candidates.push_back(bit);
    while (rowRegisters.size() < count) {
      if (candidates.empty())
        return false;
      unsigned *best = find_if(candidates, [&](unsigned bit) {
        return !is_contained(reached, banksOf(step(names.reg, bit)));
      });
      if (best == candidates.end())
        best = candidates.begin();
      reach(banksOf(step(names.reg, *best)));
      rowRegisters.push_back(*best);
      candidates.erase(best);
    }
    tile = rowRegisters;
    return true;
  }

  /// Which banks a row begins at, as far as gaps leave that as it is.
  int32_t banksOf(int32_t offset) const {
    return knowsBanks
               ? offset & static_cast<int32_t>(banksBits / elementBits - 1)
               : 0;
  }

  /// What lies within a row, and which registers are in a tile.
  bool chooseBits() {
    switch (form) {
    case TileForm::Rows:
      if (!rowHasRegisters(Log2_32(wordBits / elementBits)))
        return false;
      rowHasLanes({0, 1});
      return true;
    case TileForm::Columns:
      rowHasLanes({2, 3, 4});
      return chooseRowRegisters(1);
    case TileForm::LoadedByteColumns:
    case TileForm::StoredByteColumns:
      rowHasLanes({2, 3, 4});
      return chooseRowRegisters(form == TileForm::LoadedByteColumns ? 2 : 1) &&
             rowHasRegisters(1);
    }
    return false;
  }

  /// What lies in a row lies in it alone, and nothing else does.
  bool otherBitsChooseRows() const {
    if (windowMask & rowMask())
      return false;
    for (const LinearLayout::Dim &in : offsets.getInDims())
      for (unsigned bit = 0; bit < in.log2; ++bit) {
        int32_t found = offsets.getBasis(in.name, bit)[0], expected = 0;
        if (const auto *place = llvm::find(row, std::pair(in.name, bit));
            place != row.end())
          expected = int32_t(1) << (place - row.begin());
        if ((found & rowMask()) != expected || (expected && found != expected))
          return false;
      }
    return true;
  }

  int32_t rowMask() const {
    return static_cast<int32_t>(rowBits / elementBits - 1);
  }

  const LinearLayout &offsets;
  unsigned elementBits;
  int32_t windowMask;
  bool knowsBanks;
  TileForm form;
  ttg::LayoutDims names;
  /// What chooses an element of a row, from the lowest bit.
  SmallVector<std::pair<StringAttr, unsigned>> row;
  /// Bits of the register index: those that choose a row of a tile, and all
  /// that are in a tile, in the order of its elements.
  SmallVector<unsigned> rowRegisters, tile;
};

} // namespace

/// Whether tiles of elements of that size can be at such offsets at all.
static bool canHaveTiles(const LinearLayout &offsets, unsigned elementBits,
                         unsigned aligned) {
  ttg::LayoutDims names(offsets.getInDims().front().name.getContext());
  return elementBits >= 8 && elementBits <= wordBits &&
         offsets.getInDimSizeLog2(names.lane) == laneBits &&
         aligned * elementBits >= rowBits;
}

std::optional<LoadMatrixPlan> lower::planLoadMatrix(const LinearLayout &offsets,
                                                    unsigned elementBits,
                                                    int32_t windowMask,
                                                    unsigned aligned) {
  if (!canHaveTiles(offsets, elementBits, aligned))
    return std::nullopt;
  auto plan = [&](TileForm form) {
    return LoadMatrixPlanner(offsets, elementBits, windowMask, aligned, form)
        .plan();
  };
  if (auto found = plan(TileForm::Rows))
    return found;
  return elementBits == 16 ? plan(TileForm::Columns) : std::nullopt;
}

std::optional<LoadMatrixPlan> lower::planByteTiles(const LinearLayout &offsets,
                                                   int32_t windowMask,
                                                   unsigned aligned,
                                                   bool isStore) {
  constexpr unsigned elementBits = 8;
  if (!canHaveTiles(offsets, elementBits, aligned))
    return std::nullopt;
  return LoadMatrixPlanner(offsets, elementBits, windowMask, aligned,
                           isStore ? TileForm::StoredByteColumns
                                   : TileForm::LoadedByteColumns)
      .plan();
}
