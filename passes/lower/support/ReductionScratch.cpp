//===- ReductionScratch.cpp - What Triton reduces through -----------------===//

#include "passes/lower/support/ReductionScratch.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/OlderDump.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;
using Words = SmallVector<uint64_t>;

namespace {

/// The tensor of partial results: along the axis it has one for each warp and
/// block. Its indices are flat, with the first dimension the fastest.
class Partials {
public:
  Partials(const LinearLayout &layout, const AxisSplit &split, StringAttr axis)
      : layout(layout), split(split), axis(axis), names(axis.getContext()) {
    for (const LinearLayout::Dim &out : layout.getOutDims()) {
      begins.push_back(log2Size);
      log2Size += out.name == axis ? bitsAlong() : out.log2;
    }
    registers = columnsOf(names.reg, split.registers);
    llvm::erase(registers, 0);
    lanes = columnsOf(names.lane, split.lanes);
  }

  unsigned log2OfBlock() const {
    return log2Size - popcount(split.blocks.across | split.blocks.along);
  }

  /// log2 of the rounds in which Triton moves what lies along the axis from
  /// warps to lanes. Each has the registers that are in one access; of the
  /// others those that choose a row of the banks take turns.
  unsigned log2Rounds(unsigned elementBits, unsigned banks) const {
    constexpr unsigned vectorBits = 128, bankBits = 32;
    const unsigned rowBits = banks * bankBits;
    const unsigned log2Bits = Log2_32(elementBits);
    const auto inVector = std::min<unsigned>(
        registers.size(), Log2_32(vectorBits) - std::min(7u, log2Bits));
    const unsigned log2Row = std::max(Log2_32(rowBits), log2Bits) - log2Bits;
    const unsigned rows = log2Size - std::min(log2Size, log2Row);
    // Lanes that store or load a vector at once.
    const unsigned later =
        std::max(inVector + log2Bits, Log2_32(bankBits)) - Log2_32(bankBits);
    const size_t together =
        lanes.size() - std::min<size_t>(later, lanes.size());
    Words inRow(ArrayRef(registers).take_front(inVector));
    append_range(inRow, ArrayRef(lanes).take_front(together));
    const Words gathered = gatheringLanes();
    append_range(inRow, ArrayRef(gathered).take_front(together));
    unsigned chosen = 0, rounds = 0;
    for (unsigned bit = 0; bit < log2Size && chosen < rows; ++bit) {
      const uint64_t column = uint64_t(1) << bit;
      if (is_contained(inRow, column))
        continue;
      ++chosen;
      rounds += is_contained(registers, column);
    }
    return rounds;
  }

private:
  unsigned bitsAlong() const {
    return popcount(split.warps.along) + popcount(split.blocks.along);
  }

  uint64_t firstAlong() const {
    for (auto [begin, out] : zip_equal(begins, layout.getOutDims()))
      if (out.name == axis)
        return uint64_t(1) << begin;
    return 0;
  }

  /// Where the bits of `in` move; 0 if along the axis.
  Words columnsOf(StringAttr in, const AxisBits &bits) const {
    Words columns;
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      uint64_t column = 0;
      if (bits.across >> bit & 1)
        for (auto [begin, out] : zip_equal(begins, layout.getOutDims()))
          column |= uint64_t(layout.getBasis(in, bit, out.name)) << begin;
      columns.push_back(column);
    }
    return columns;
  }

  /// The lanes with the bits of warps and blocks along the axis: in the place
  /// of those that hold copies, if these are enough, or of the first.
  Words gatheringLanes() const {
    const bool haveCopies = size_t(count(lanes, 0)) >= bitsAlong();
    Words gathered = lanes;
    uint64_t column = firstAlong();
    unsigned left = bitsAlong();
    for (uint64_t &lane : gathered)
      if (left && (!haveCopies || !lane)) {
        lane = column;
        column <<= 1;
        --left;
      }
    return gathered;
  }

  const LinearLayout &layout;
  const AxisSplit &split;
  StringAttr axis;
  ttg::LayoutDims names;
  SmallVector<unsigned> begins; // of the dimensions, as bits of an index
  unsigned log2Size = 0;
  Words registers, lanes;
};

} // namespace

unsigned lower::tritonScratchBytes(tt::ReduceOp op, const AxisSplit &split) {
  const LinearLayout layout = ttg::toLinearLayout(op.getInputTypes().front());
  const Partials partials(layout, split,
                          layout.getOutDims()[op.getAxis()].name);
  const bool isAtOnce = ttg::countsColumnsFromZero(op);
  const unsigned banks = ttg::lookupTarget(op).value_or(Target()).sharedBanks;
  unsigned bytes = 0;
  for (mlir::Type element : op.getElementTypes()) {
    const unsigned size = tt::bytesInMemory(element);
    bytes += size << (partials.log2OfBlock() -
                      (isAtOnce ? 0 : partials.log2Rounds(8 * size, banks)));
  }
  return bytes;
}
