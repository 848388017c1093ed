//===- ExchangeInRounds.cpp - Conversions in less memory ------------------===//

#include "passes/lower/support/ExchangeInRounds.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;
using ttg::LayoutDims;
using Words = SmallVector<uint64_t>;

/// The bits of the registers, of the source and of the result, that are the
/// same one and nothing else is.
static std::optional<ExchangeInRounds::Halving>
findHalving(const LinearLayout &map, const LinearLayout &source) {
  LayoutDims names(source.getInDims().front().name.getContext());
  const F2Matrix &matrix = map.getMatrix();
  // Registers come first, so their bits are the matrix's first ones. The
  // highest are the least likely to be neighbours in memory.
  for (unsigned to = map.getInDimSizeLog2(names.reg); to-- > 0;) {
    uint64_t row = matrix.columns[to];
    if (!isPowerOf2_64(row) || row >> map.getOutDimSizeLog2(names.reg))
      continue;
    if (count_if(matrix.columns, [&](uint64_t c) { return c & row; }) > 1)
      continue;
    if (source.getZeroMask(names.reg) & row) // only distinguishes copies
      continue;
    return ExchangeInRounds::Halving{unsigned(countr_zero(row)), to};
  }
  return std::nullopt;
}

/// What is left of `map` without the bits of a halving.
static LinearLayout halve(const LinearLayout &map,
                          ExchangeInRounds::Halving halving, StringAttr reg) {
  const uint64_t below = (uint64_t(1) << halving.source) - 1;
  Words columns;
  for (auto [index, column] : enumerate(map.getMatrix().columns))
    if (index != halving.result)
      columns.push_back((column & below) | (column >> 1 & ~below));
  auto halved = [&](ArrayRef<LinearLayout::Dim> dims) {
    SmallVector<LinearLayout::NamedValue> sizes;
    for (const LinearLayout::Dim &dim : dims)
      sizes.push_back(
          {dim.name, dim.name == reg ? dim.size() / 2 : dim.size()});
    return sizes;
  };
  return LinearLayout::fromColumns(halved(map.getInDims()),
                                   halved(map.getOutDims()), columns);
}

ExchangeInRounds lower::planExchangeInRounds(const Conversion &conversion,
                                             const LinearLayout &source,
                                             const LinearLayout &result,
                                             unsigned elementBits,
                                             unsigned halvings,
                                             TileInstructions tiles) {
  StringAttr reg = LayoutDims(source.getInDims().front().name.getContext()).reg;
  Conversion rest = conversion;
  LinearLayout from = source, to = result;
  ExchangeInRounds plan;
  while (plan.halvings.size() < halvings) {
    auto halving = findHalving(rest.map, from);
    if (!halving)
      break;
    plan.halvings.push_back(*halving);
    rest.map = halve(rest.map, *halving, reg);
    from = from.removeBasis(reg, halving->source);
    to = to.removeBasis(reg, halving->result);
  }
  plan.each = planSharedExchange(rest, from, to, elementBits, tiles);
  return plan;
}

unsigned lower::halvingsWithWideAccesses(const Conversion &conversion,
                                         const LinearLayout &source,
                                         const LinearLayout &result,
                                         unsigned elementBits,
                                         TileInstructions tiles) {
  const SharedExchange one =
      planExchangeInRounds(conversion, source, result, elementBits, 0, tiles)
          .each;
  const ExchangeInRounds most = planExchangeInRounds(
      conversion, source, result, elementBits, UINT_MAX, tiles);
  const size_t all = most.halvings.size();
  // Transposed tiles need no register that is the same in both layouts.
  if (most.each.fitsTiles)
    return unsigned(all);
  const unsigned wide = one.fitsTiles ? 32 : 128;
  const unsigned inAccess =
      elementBits < wide ? Log2_32(wide) - Log2_32(elementBits) : 0;
  return all > inAccess ? unsigned(all) - inAccess : 0;
}
