//===- ConversionPlan.cpp - Plans for moving data -------------------------===//

#include "passes/lower/support/ConversionPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;
using ttg::LayoutDims;
using Words = SmallVector<uint64_t>;

static LayoutDims namesOf(const LinearLayout &layout) {
  return LayoutDims(layout.getInDims().front().name.getContext());
}

Words lower::independentColumns(unsigned rows, ArrayRef<uint64_t> known,
                                ArrayRef<uint64_t> candidates) {
  F2Matrix all{rows, Words(known)};
  all.columns.append(candidates.begin(), candidates.end());
  uint64_t free = all.freeColumns();
  Words result;
  for (auto [index, column] : llvm::enumerate(candidates))
    if (!(free >> (known.size() + index) & 1))
      result.push_back(column);
  return result;
}

static Words joined(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
  Words result(a);
  result.append(b.begin(), b.end());
  return result;
}

static F2Matrix transposed(const F2Matrix &matrix) {
  F2Matrix result{unsigned(matrix.columns.size()), Words(matrix.rows, 0)};
  for (auto [column, word] : llvm::enumerate(matrix.columns))
    for (unsigned row = 0; row < matrix.rows; ++row)
      result.columns[row] |= (word >> row & 1) << column;
  return result;
}

static F2Matrix plus(F2Matrix left, const F2Matrix &right) {
  for (auto [column, more] : llvm::zip_equal(left.columns, right.columns))
    column ^= more;
  return left;
}

//===----------------------------------------------------------------------===//
// Within a thread
//===----------------------------------------------------------------------===//

/// True if the source's index along `dim` is always the result's own.
static bool staysOn(const LinearLayout &map, StringAttr dim) {
  for (const LinearLayout::Dim &in : map.getInDims())
    for (unsigned bit = 0; bit < in.log2; ++bit)
      if (map.getBasis(in.name, bit, dim) !=
          (in.name == dim ? int32_t(1) << bit : 0))
        return false;
  return true;
}

std::optional<Conversion> lower::planConversion(const LinearLayout &source,
                                                const LinearLayout &result) {
  LayoutDims names = namesOf(source);
  std::optional<LinearLayout> solution = result.invertAndCompose(source);
  if (!solution)
    return std::nullopt;

  // Among lanes, warps and blocks that hold copies, a lane's own is the
  // nearest.
  F2Matrix matrix = solution->getMatrix();
  unsigned row = 0;
  for (const LinearLayout::Dim &out : solution->getOutDims()) {
    uint64_t copies = out.name == names.reg ? 0 : source.getZeroMask(out.name);
    unsigned column = 0;
    for (const LinearLayout::Dim &in : solution->getInDims())
      for (unsigned bit = 0; bit < in.log2; ++bit, ++column) {
        matrix.columns[column] &= ~(copies << row);
        if (in.name == out.name && copies >> bit & 1)
          matrix.columns[column] |= uint64_t(1) << (row + bit);
      }
    row += out.log2;
  }
  LinearLayout map = LinearLayout::fromColumns(
      solution->getInDimSizes(), solution->getOutDimSizes(), matrix.columns);

  Reach reach = Reach::Cluster;
  if (staysOn(map, names.block)) {
    reach = Reach::Block;
    if (staysOn(map, names.warp)) {
      reach = Reach::Warp;
      if (staysOn(map, names.lane) &&
          map.sublayoutIsZero({names.lane, names.warp, names.block},
                              {names.reg}))
        reach = Reach::Thread;
    }
  }
  return Conversion{std::move(map), reach};
}

SmallVector<unsigned> lower::registerSources(const Conversion &conversion) {
  LayoutDims names = namesOf(conversion.map);
  LinearLayout registers = conversion.map.sublayout({names.reg}, {names.reg});
  SmallVector<unsigned> sources;
  for (int32_t r = 0; r < registers.getInDimSize(names.reg); ++r)
    sources.push_back(registers.apply({{names.reg, r}}).front().second);
  return sources;
}

//===----------------------------------------------------------------------===//
// Within a warp
//===----------------------------------------------------------------------===//

// Write the map as source register = A r + B l + X w, source lane = E r + F l +
// Y w for register r and lane l of the result, and w its warp and block. In
// round t lane l is served register t + P l, so that it reads from lane E t +
// (E P + F) l + Y w. A lane can send only one value per round, so lanes with
// the same G l, for G = E P + F, must need the same register.
std::optional<WarpExchange>
lower::planWarpExchange(const Conversion &conversion,
                        const LinearLayout &source,
                        const LinearLayout &result) {
  LayoutDims names = namesOf(source);
  auto part = [&](ArrayRef<StringAttr> ins, StringAttr out) {
    return conversion.map.sublayout(ins, {out}).getMatrix();
  };
  F2Matrix a = part({names.reg}, names.reg), b = part({names.lane}, names.reg),
           x = part({names.warp, names.block}, names.reg),
           e = part({names.reg}, names.lane),
           f = part({names.lane}, names.lane),
           y = part({names.warp, names.block}, names.lane);
  unsigned lanes = f.rows;

  // Any lane that holds a copy can be read.
  uint64_t copies = source.getZeroMask(names.lane);
  for (F2Matrix *matrix : {&e, &f, &y})
    for (uint64_t &column : matrix->columns)
      column &= ~copies;

  // If a lane bit does not distinguish sources, the order of its registers
  // must.
  F2Matrix g = f, p{unsigned(a.columns.size()), Words(lanes, 0)};
  Words reached = f.image();
  SmallVector<unsigned> spare;
  for (uint64_t free = f.freeColumns(); free; free &= free - 1)
    spare.push_back(countr_zero(free));
  // Taken from the back: those that ask for different registers.
  std::partition(spare.begin(), spare.end(),
                 [&](unsigned bit) { return b.columns[bit] == 0; });
  for (auto [t, column] : llvm::enumerate(e.columns)) {
    if (spare.empty() || independentColumns(lanes, reached, {column}).empty())
      continue;
    unsigned bit = spare.pop_back_val();
    reached.push_back(column);
    g.columns[bit] ^= column;
    p.columns[bit] = uint64_t(1) << t;
  }

  // The bits that select a copy follow the lane's own index if that
  // distinguishes more lanes, and otherwise what the lanes need to be
  // distinguished by.
  F2Matrix wanted = plus(a * p, b);
  Words rows, wantedRows = transposed(wanted).columns;
  for (auto [row, word] : llvm::enumerate(transposed(g).columns))
    if (!(copies >> row & 1))
      rows.push_back(word);
  for (uint64_t rest = copies; rest; rest &= rest - 1) {
    unsigned row = countr_zero(rest);
    Words candidates{uint64_t(1) << row};
    candidates.append(wantedRows);
    candidates.append(F2Matrix::identity(lanes).columns);
    Words useful = independentColumns(lanes, rows, candidates);
    if (useful.empty())
      break;
    rows.push_back(useful.front());
    for (unsigned bit = 0; bit < lanes; ++bit)
      g.columns[bit] |= (useful.front() >> bit & 1) << row;
  }

  // Lane s sends register A t + (A P + B) l + X w, where G l = s + E t + Y w:
  // it must follow from G l what A P + B sends.
  std::optional<F2Matrix> followed = transposed(g).solve(transposed(wanted));
  if (!followed)
    return std::nullopt;
  F2Matrix sentByLane = transposed(*followed);
  F2Matrix sentByRound = plus(sentByLane * e, a);
  F2Matrix sentByWarp = plus(sentByLane * y, x);

  auto dim = [](const LinearLayout &layout, StringAttr name) {
    return LinearLayout::NamedValue(name, layout.getInDimSize(name));
  };
  SmallVector<LinearLayout::NamedValue> ins{
      dim(result, names.reg), dim(result, names.lane), dim(result, names.warp),
      dim(result, names.block)};
  return WarpExchange{
      LinearLayout::fromColumns(
          ins, {dim(source, names.reg)},
          joined(joined(sentByRound.columns, sentByLane.columns),
                 sentByWarp.columns)),
      LinearLayout::fromColumns(
          ins, {dim(source, names.lane)},
          joined(joined(e.columns, g.columns), y.columns)),
      LinearLayout::fromColumns({dim(result, names.lane)},
                                {dim(result, names.reg)}, p.columns)};
}

/// `layout` without bit `removed` of the registers, whose basis is `value`
/// along dimension `dim` and part of no other. Nothing if it is.
static std::optional<LinearLayout> withoutBit(const LinearLayout &layout,
                                              unsigned removed, unsigned dim,
                                              int32_t value) {
  const LayoutDims names = namesOf(layout);
  SmallVector<LinearLayout::Bases> bases;
  for (const LinearLayout::Dim &in : layout.getInDims()) {
    bases.push_back({in.name, layout.getBases(in.name)});
    auto &of = bases.back().second;
    if (in.name == names.reg)
      of.erase(of.begin() + removed);
    for (std::vector<int32_t> &basis : of) {
      if (basis[dim] & value)
        return std::nullopt;
      const int32_t below = basis[dim] & (value - 1);
      basis[dim] = below | ((basis[dim] - below) >> 1);
    }
  }
  auto sizes = layout.getOutDimSizes();
  sizes[dim].second /= 2;
  std::string error;
  return LinearLayout::create(bases, sizes, error);
}

std::optional<RegisterPairs> lower::pairRegisters(const LinearLayout &source,
                                                  const LinearLayout &result) {
  const auto &before = source.getBases(namesOf(source).reg),
             &after = result.getBases(namesOf(result).reg);
  for (auto [sourceBit, basis] : llvm::enumerate(before)) {
    auto same = llvm::find(after, basis);
    auto isSet = [](int32_t value) { return value != 0; };
    if (same == after.end() || llvm::count_if(basis, isSet) != 1)
      continue;
    auto along = llvm::find_if(basis, isSet);
    if (!llvm::isPowerOf2_32(static_cast<uint32_t>(*along)))
      continue;
    const auto dim = static_cast<unsigned>(along - basis.begin()),
               resultBit = static_cast<unsigned>(same - after.begin());
    auto pairs = withoutBit(source, sourceBit, dim, *along),
         newPairs = withoutBit(result, resultBit, dim, *along);
    if (pairs && newPairs)
      return RegisterPairs{static_cast<unsigned>(sourceBit), resultBit,
                           std::move(*pairs), std::move(*newPairs)};
  }
  return std::nullopt;
}
