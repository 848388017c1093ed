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

/// The columns of `candidates` that are independent of `known` and of each
/// other, first come first served.
static Words independent(unsigned rows, ArrayRef<uint64_t> known,
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
    if (spare.empty() || independent(lanes, reached, {column}).empty())
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
    Words useful = independent(lanes, rows, candidates);
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

//===----------------------------------------------------------------------===//
// Within a block
//===----------------------------------------------------------------------===//

// Shared memory has 32 banks of 4 bytes; a row is what they hold together. An
// access of a warp is free of conflicts when the lanes that go at once (all
// with 4 bytes each, eight with 16) have different places in the row. Offsets
// are split into a place in a vector, in a row, and a row: then it is enough
// that no sum of these lanes' bits is a sum of row bits alone. Stores ask that
// of one subspace, loads of another, and two subspaces have a common
// complement.
SharedExchange lower::planSharedExchange(const Conversion &conversion,
                                         const LinearLayout &source,
                                         const LinearLayout &result,
                                         unsigned elementBits) {
  LayoutDims names = namesOf(source);
  SmallVector<StringAttr> inBlock{names.reg, names.lane, names.warp};
  constexpr unsigned rowBits = 32 * 32, bankBits = 32, vectorBits = 128;
  unsigned elementLog2 = Log2_32(elementBits);
  auto log2Elements = [&](unsigned bits) {
    return Log2_32(bits) - std::min(elementLog2, Log2_32(bits));
  };

  // An element is identified by the place in the block that holds it in the
  // source, without the bits that only distinguish copies.
  F2Matrix stored =
      F2Matrix::identity(source.sublayout(inBlock, {}).getTotalInDimSizeLog2());
  SmallVector<StringAttr> everywhere = inBlock;
  everywhere.push_back(names.block);
  F2Matrix loaded = conversion.map.sublayout(everywhere, inBlock).getMatrix();
  unsigned bits = 0, first = 0;
  uint64_t kept = 0;
  for (StringAttr in : inBlock) {
    for (unsigned bit = 0; bit < source.getInDimSizeLog2(in); ++bit)
      if (!(source.getZeroMask(in) >> bit & 1)) {
        kept |= uint64_t(1) << (first + bit);
        ++bits;
      }
    first += source.getInDimSizeLog2(in);
  }
  auto compact = [&](uint64_t word) {
    uint64_t packed = 0;
    unsigned to = 0;
    for (uint64_t rest = kept; rest; rest &= rest - 1, ++to)
      packed |= (word >> countr_zero(rest) & 1) << to;
    return packed;
  };
  for (F2Matrix *matrix : {&stored, &loaded}) {
    matrix->rows = bits;
    for (uint64_t &column : matrix->columns)
      column = compact(column);
  }

  unsigned storeRegisters = source.getInDimSizeLog2(names.reg);
  unsigned loadRegisters = result.getInDimSizeLog2(names.reg);
  auto storeColumns = ArrayRef(stored.columns),
       loadColumns = ArrayRef(loaded.columns);

  // Vectors: what both have in registers, and then what the source has while
  // the lanes that load still fit in a row beside them.
  auto inResult = [&](uint64_t column) {
    return llvm::is_contained(loadColumns.take_front(loadRegisters), column);
  };
  Words vector;
  for (bool both : {true, false})
    for (uint64_t column : storeColumns.take_front(storeRegisters))
      if (column && both == inResult(column) &&
          vector.size() < log2Elements(vectorBits))
        vector.push_back(column);
  unsigned common = llvm::count_if(vector, inResult);
  unsigned inRow = std::min(bits, log2Elements(rowBits));

  // The lanes of one access that go at once, apart from what is in the vector.
  auto lanesAtOnce = [&](ArrayRef<uint64_t> columns, unsigned registers,
                         unsigned width, unsigned laneBits) {
    width = std::max<unsigned>(width, log2Elements(bankBits));
    unsigned count = std::min(log2Elements(rowBits) - width, laneBits);
    uint64_t taken = 0;
    for (uint64_t column : vector)
      taken |= column;
    Words lanes;
    for (uint64_t column : columns.slice(registers, count))
      lanes.push_back(column & ~taken);
    return independent(bits, {}, lanes);
  };
  Words stores, loads;
  while (true) {
    stores = lanesAtOnce(storeColumns, storeRegisters, vector.size(),
                         source.getInDimSizeLog2(names.lane));
    loads = lanesAtOnce(loadColumns, loadRegisters, common,
                        result.getInDimSizeLog2(names.lane));
    if (vector.size() == common || loads.size() + vector.size() <= inRow)
      break;
    vector.pop_back();
  }

  // The rows: what is in neither, then sums of one of each.
  Words others = independent(bits, vector, F2Matrix::identity(bits).columns);
  Words rows = independent(bits, joined(stores, loads), others);
  Words storesOnly = independent(bits, loads, stores),
        loadsOnly = independent(bits, stores, loads);
  for (auto [store, load] : llvm::zip(storesOnly, loadsOnly))
    rows.push_back(store ^ load);
  rows.truncate(std::min<size_t>(rows.size(), bits - inRow));

  Words offsets = vector;
  offsets.append(independent(bits, joined(vector, rows), others));
  offsets.append(rows);

  F2Matrix elementOf{bits, offsets};
  F2Matrix offsetOf = *elementOf.solve(F2Matrix::identity(bits));
  LinearLayout::NamedValue memory{names.offset, int32_t(1) << bits};
  auto inDims = [](const LinearLayout &layout, ArrayRef<StringAttr> ins) {
    return map_to_vector(ins, [&](StringAttr in) {
      return LinearLayout::NamedValue(in, layout.getInDimSize(in));
    });
  };
  return {LinearLayout::fromColumns(inDims(source, inBlock), {memory},
                                    (offsetOf * stored).columns),
          LinearLayout::fromColumns(inDims(result, everywhere), {memory},
                                    (offsetOf * loaded).columns),
          conversion.map.sublayout(everywhere, {names.block})};
}

/// The bits of the registers, of the source and of the result, that are the
/// same one and nothing else is.
static std::optional<ExchangeInRounds::Halving>
findHalving(const LinearLayout &map, const LinearLayout &source) {
  LayoutDims names = namesOf(source);
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
                                             unsigned halvings) {
  StringAttr reg = namesOf(source).reg;
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
  plan.each = planSharedExchange(rest, from, to, elementBits);
  return plan;
}
