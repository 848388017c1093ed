//===- LoadMatrixPlan.cpp - Shared memory by ldmatrix ---------------------===//

#include "passes/lower/support/LoadMatrixPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

constexpr unsigned laneBits = 5, rowBits = 128, wordBits = 32;

/// Tries one of the two forms of the instruction.
class LoadMatrixPlanner {
public:
  LoadMatrixPlanner(const LinearLayout &offsets, unsigned elementBits,
                    int32_t windowMask)
      : offsets(offsets), elementBits(elementBits), windowMask(windowMask),
        names(offsets.getInDims().front().name.getContext()) {}

  std::optional<LoadMatrixPlan> plan(bool isTransposed) {
    if (!chooseWord(isTransposed) || !otherBitsChooseRows(isTransposed))
      return std::nullopt;
    // Four tiles go at once where the registers have as many.
    SmallVector<unsigned> loads;
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(names.reg); ++bit)
      if (step(names.reg, bit) && !is_contained(word, bit))
        (tileBits.size() < 2 ? tileBits : loads).push_back(bit);

    LoadMatrixPlan result{isTransposed, 1u << tileBits.size(), {}, {}};
    for (unsigned load = 0; load < 1u << loads.size(); ++load) {
      SmallVector<unsigned> &registers = result.registers.emplace_back();
      for (unsigned tile = 0; tile < result.tiles; ++tile)
        for (unsigned element = 0; element < 1u << word.size(); ++element)
          registers.push_back(spread(loads, load) | spread(tileBits, tile) |
                              spread(word, element));
    }

    // Lane l gives row l % 8 of tile l / 8.
    SmallVector<uint64_t> columns;
    for (unsigned bit : loads)
      columns.push_back(step(names.reg, bit));
    SmallVector<uint64_t> lanes;
    if (isTransposed)
      lanes = {uint64_t(step(names.reg, word.front())),
               uint64_t(step(names.lane, 0)), uint64_t(step(names.lane, 1))};
    else
      for (unsigned bit : {2, 3, 4})
        lanes.push_back(step(names.lane, bit));
    for (unsigned bit : tileBits)
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

  /// The registers that share a word: neighbours in a row, or, transposed, of
  /// two rows.
  bool chooseWord(bool isTransposed) {
    word.clear();
    tileBits.clear();
    unsigned inWord = isTransposed ? 1 : Log2_32(wordBits / elementBits);
    for (unsigned i = 0; i < inWord; ++i)
      for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(names.reg); ++bit) {
        int32_t found = step(names.reg, bit);
        if (isTransposed ? found != 0 : found == int32_t(1) << i) {
          word.push_back(bit);
          break;
        }
      }
    return word.size() == inWord;
  }

  /// Within a row go the word and two bits of the lane or, transposed, three
  /// bits of the lane. Nothing else may.
  bool otherBitsChooseRows(bool isTransposed) const {
    auto rowMask = static_cast<int32_t>(rowBits / elementBits - 1);
    if (windowMask & rowMask)
      return false;
    for (const LinearLayout::Dim &in : offsets.getInDims())
      for (unsigned bit = 0; bit < in.log2; ++bit) {
        int32_t expected = 0;
        if (in.name == names.lane && isTransposed && bit >= 2)
          expected = int32_t(1) << (bit - 2);
        else if (in.name == names.lane && !isTransposed && bit < 2)
          expected = int32_t(1) << (word.size() + bit);
        else if (in.name == names.reg && !isTransposed)
          if (const unsigned *place = llvm::find(word, bit);
              place != word.end())
            expected = int32_t(1) << (place - word.begin());
        // What lies in a row lies in it alone.
        int32_t found = offsets.getBasis(in.name, bit)[0];
        if ((found & rowMask) != expected || (expected && found != expected))
          return false;
      }
    return true;
  }

  const LinearLayout &offsets;
  unsigned elementBits;
  int32_t windowMask;
  ttg::LayoutDims names;
  /// Bits of the register's number: within a word, and of the tile.
  SmallVector<unsigned> word, tileBits;
};

} // namespace

std::optional<LoadMatrixPlan> lower::planLoadMatrix(const LinearLayout &offsets,
                                                    unsigned elementBits,
                                                    int32_t windowMask,
                                                    unsigned aligned) {
  ttg::LayoutDims names(offsets.getInDims().front().name.getContext());
  if (elementBits < 8 || elementBits > wordBits ||
      offsets.getInDimSizeLog2(names.lane) != laneBits ||
      aligned * elementBits < rowBits)
    return std::nullopt;
  LoadMatrixPlanner planner(offsets, elementBits, windowMask);
  if (auto plan = planner.plan(/*isTransposed=*/false))
    return plan;
  return elementBits == 16 ? planner.plan(/*isTransposed=*/true) : std::nullopt;
}
