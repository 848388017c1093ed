//===- LinearLayout.cpp - the algebra of linear layouts -------------------===//

#include "dialects/layout/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace llvm;

namespace kernelscope {
namespace {

using Dim = LinearLayout::Dim;
using mlir::StringAttr;

unsigned totalBits(ArrayRef<Dim> dims) {
  unsigned bits = 0;
  for (const Dim &dim : dims)
    bits += dim.log2;
  return bits;
}

/// The `width` bits of `word` from bit `first`.
uint64_t bitField(uint64_t word, unsigned first, unsigned width) {
  return (word >> first) & maskTrailingOnes<uint64_t>(width);
}

SmallVector<Dim, 4> toDims(ArrayRef<LinearLayout::NamedValue> sizes) {
  SmallVector<Dim, 4> dims;
  for (auto [name, size] : sizes)
    dims.push_back({name, Log2_32(size)});
  return dims;
}

} // namespace

SmallVector<StringAttr> LinearLayout::names(ArrayRef<Dim> dims) {
  return map_to_vector(dims, [](const Dim &dim) { return dim.name; });
}

SmallVector<LinearLayout::NamedValue> LinearLayout::sizes(ArrayRef<Dim> dims) {
  return map_to_vector(
      dims, [](const Dim &dim) { return NamedValue(dim.name, dim.size()); });
}

const Dim *LinearLayout::find(ArrayRef<Dim> dims, StringAttr name) {
  const Dim *dim = llvm::find_if(
      dims, [&](const Dim &candidate) { return candidate.name == name; });
  return dim == dims.end() ? nullptr : dim;
}

unsigned LinearLayout::offset(ArrayRef<Dim> dims, StringAttr name) {
  const Dim *dim = find(dims, name);
  return dim ? totalBits(dims.take_front(dim - dims.begin())) : totalBits(dims);
}

unsigned LinearLayout::getInDimSizeLog2(StringAttr name) const {
  const Dim *dim = find(ins, name);
  return dim ? dim->log2 : 0;
}

unsigned LinearLayout::getOutDimSizeLog2(StringAttr name) const {
  const Dim *dim = find(outs, name);
  return dim ? dim->log2 : 0;
}

//===----------------------------------------------------------------------===//
// Making layouts
//===----------------------------------------------------------------------===//

std::optional<LinearLayout> LinearLayout::create(ArrayRef<Bases> bases,
                                                 ArrayRef<NamedValue> outDims,
                                                 std::string &error) {
  auto fail = [&](auto &&message) {
    error = message;
    return std::nullopt;
  };
  LinearLayout result;
  unsigned inBits = 0, outBits = 0;
  for (auto [name, size] : outDims) {
    if (find(result.outs, name))
      return fail(formatv("dimension '{0}' is named twice", name.strref()));
    if (size <= 0 || !isPowerOf2_32(size) || Log2_32(size) > maxDimBits)
      return fail(formatv("size of dimension '{0}' is {1}; it must be a power "
                          "of two of at most 2^{2}",
                          name.strref(), size, maxDimBits));
    result.outs.push_back({name, Log2_32(size)});
    outBits += result.outs.back().log2;
    if (outBits > maxBits)
      return fail(formatv("the out-dims have more than {0} bits", maxBits));
  }
  result.map.rows = outBits;
  for (const auto &[name, vectors] : bases) {
    if (find(result.ins, name))
      return fail(formatv("dimension '{0}' is named twice", name.strref()));
    inBits += vectors.size();
    if (vectors.size() > maxDimBits || inBits > maxBits)
      return fail(formatv("'{0}' has {1} bases; at most {2} are possible in a "
                          "dimension and {3} in all",
                          name.strref(), vectors.size(), maxDimBits, maxBits));
    result.ins.push_back({name, unsigned(vectors.size())});
    for (const auto &[bit, vector] : llvm::enumerate(vectors)) {
      if (vector.size() != outDims.size())
        return fail(formatv("basis {0} of '{1}' has {2} values; it needs {3}, "
                            "one per out-dim",
                            bit, name.strref(), vector.size(), outDims.size()));
      uint64_t column = 0;
      unsigned shift = 0;
      for (const auto &[value, out] : llvm::zip_equal(vector, result.outs)) {
        if (value < 0 || value >= out.size())
          return fail(formatv("basis {0} of '{1}' is {2} in '{3}'; it must be "
                              "in [0, {4})",
                              bit, name.strref(), value, out.name.strref(),
                              out.size()));
        column |= uint64_t(value) << shift;
        shift += out.log2;
      }
      result.map.columns.push_back(column);
    }
  }
  return result;
}

std::optional<LinearLayout> LinearLayout::create(ArrayRef<Bases> bases,
                                                 ArrayRef<StringAttr> outDims,
                                                 std::string &error) {
  SmallVector<NamedValue> sizes;
  for (auto [index, name] : llvm::enumerate(outDims)) {
    uint32_t used = 0;
    for (const auto &[in, vectors] : bases)
      for (const auto &vector : vectors)
        if (index < vector.size() && vector[index] > 0)
          used |= vector[index];
    unsigned bits = used ? Log2_32(used) + 1 : 0;
    sizes.push_back({name, int32_t(1) << std::min(bits, maxDimBits)});
  }
  return create(bases, sizes, error);
}

LinearLayout LinearLayout::fromColumns(ArrayRef<NamedValue> inDims,
                                       ArrayRef<NamedValue> outDims,
                                       ArrayRef<uint64_t> columns) {
  Dims ins = toDims(inDims), outs = toDims(outDims);
  assert(totalBits(ins) == columns.size());
  unsigned rows = totalBits(outs);
  return LinearLayout(std::move(ins), std::move(outs),
                      {rows, SmallVector<uint64_t>(columns)});
}

LinearLayout LinearLayout::strided1D(int64_t size, int64_t stride,
                                     StringAttr in, StringAttr out) {
  assert(isPowerOf2_64(size) && isPowerOf2_64(stride));
  unsigned bits = Log2_64(size), shift = Log2_64(stride);
  unsigned rows = bits ? bits + shift : 0;
  F2Matrix map{rows, {}};
  for (unsigned bit = 0; bit < bits; ++bit)
    map.columns.push_back(uint64_t(1) << (bit + shift));
  return LinearLayout({{in, bits}}, {{out, rows}}, std::move(map));
}

LinearLayout LinearLayout::identity1D(int64_t size, StringAttr in,
                                      StringAttr out) {
  return strided1D(size, 1, in, out);
}

LinearLayout LinearLayout::zeros1D(int64_t size, StringAttr in, StringAttr out,
                                   int64_t outSize) {
  assert(isPowerOf2_64(size) && isPowerOf2_64(outSize));
  unsigned bits = Log2_64(size), rows = Log2_64(outSize);
  return LinearLayout({{in, bits}}, {{out, rows}},
                      {rows, SmallVector<uint64_t>(bits, 0)});
}

//===----------------------------------------------------------------------===//
// Looking into layouts
//===----------------------------------------------------------------------===//

SmallVector<int32_t> LinearLayout::getBasis(StringAttr in, unsigned bit) const {
  uint64_t column = map.columns[offset(ins, in) + bit];
  SmallVector<int32_t> basis;
  for (const Dim &out : outs) {
    basis.push_back(static_cast<int32_t>(bitField(column, 0, out.log2)));
    column >>= out.log2;
  }
  return basis;
}

int32_t LinearLayout::getBasis(StringAttr in, unsigned bit,
                               StringAttr out) const {
  return static_cast<int32_t>(bitField(map.columns[offset(ins, in) + bit],
                                       offset(outs, out),
                                       getOutDimSizeLog2(out)));
}

std::vector<std::vector<int32_t>> LinearLayout::getBases(StringAttr in) const {
  std::vector<std::vector<int32_t>> bases;
  for (unsigned bit = 0; bit < getInDimSizeLog2(in); ++bit) {
    SmallVector<int32_t> basis = getBasis(in, bit);
    bases.emplace_back(basis.begin(), basis.end());
  }
  return bases;
}

SmallVector<LinearLayout::NamedValue>
LinearLayout::apply(ArrayRef<NamedValue> inputs) const {
  uint64_t vector = 0;
  for (auto [name, value] : inputs)
    vector |= bitField(value, 0, getInDimSizeLog2(name)) << offset(ins, name);
  uint64_t image = map.apply(vector);
  SmallVector<NamedValue> result;
  for (const Dim &out : outs) {
    result.push_back({out.name, int32_t(bitField(image, 0, out.log2))});
    image >>= out.log2;
  }
  return result;
}

SmallVector<LinearLayout::NamedValue>
LinearLayout::getFreeVariableMasks() const {
  uint64_t free = map.freeColumns();
  SmallVector<NamedValue> masks;
  for (const Dim &in : ins) {
    masks.push_back({in.name, int32_t(bitField(free, 0, in.log2))});
    free >>= in.log2;
  }
  return masks;
}

int32_t LinearLayout::getZeroMask(StringAttr in) const {
  int32_t mask = 0;
  unsigned first = offset(ins, in);
  for (unsigned bit = 0; bit < getInDimSizeLog2(in); ++bit)
    if (map.columns[first + bit] == 0)
      mask |= int32_t(1) << bit;
  return mask;
}

int32_t LinearLayout::getNumConsecutiveInOut() const {
  if (ins.empty())
    return 1;
  unsigned bits = 0;
  while (bits < ins.front().log2 && map.columns[bits] == uint64_t(1) << bits)
    ++bits;
  // Another input that reaches into the run would make it start in the middle.
  for (uint64_t column : ArrayRef(map.columns).drop_front(bits))
    if (column)
      bits = std::min<unsigned>(bits, llvm::countr_zero(column));
  return int32_t(1) << bits;
}

//===----------------------------------------------------------------------===//
// Combining layouts
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  auto join = [](ArrayRef<Dim> low, ArrayRef<Dim> high) {
    Dims dims(low);
    for (const Dim &dim : high) {
      auto *same = const_cast<Dim *>(find(dims, dim.name));
      if (same)
        same->log2 += dim.log2;
      else
        dims.push_back(dim);
    }
    return dims;
  };
  Dims newIns = join(ins, outer.ins), newOuts = join(outs, outer.outs);
  assert(totalBits(newIns) <= maxBits && totalBits(newOuts) <= maxBits);

  // A column of one factor, with its bits where the product has them.
  auto place = [&](const LinearLayout &factor, uint64_t column, bool high) {
    uint64_t result = 0;
    for (const Dim &out : factor.outs) {
      unsigned shift =
          offset(newOuts, out.name) + (high ? getOutDimSizeLog2(out.name) : 0);
      result |= bitField(column, 0, out.log2) << shift;
      column >>= out.log2;
    }
    return result;
  };
  F2Matrix product{totalBits(newOuts), {}};
  for (const Dim &in : newIns)
    for (bool high : {false, true}) {
      const LinearLayout &factor = high ? outer : *this;
      unsigned first = offset(factor.ins, in.name);
      for (unsigned bit = 0; bit < factor.getInDimSizeLog2(in.name); ++bit)
        product.columns.push_back(
            place(factor, factor.map.columns[first + bit], high));
    }
  return LinearLayout(std::move(newIns), std::move(newOuts),
                      std::move(product));
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  F2Matrix spread{outer.getTotalInDimSizeLog2(), {}};
  for (uint64_t column : map.columns) {
    uint64_t input = 0;
    for (const Dim &out : outs) {
      assert(out.log2 <= outer.getInDimSizeLog2(out.name));
      input |= bitField(column, 0, out.log2) << offset(outer.ins, out.name);
      column >>= out.log2;
    }
    spread.columns.push_back(input);
  }
  return LinearLayout(ins, outer.outs, outer.map * spread);
}

LinearLayout LinearLayout::pseudoinvert() const {
  std::optional<F2Matrix> inverse = map.solve(F2Matrix::identity(map.rows));
  assert(inverse && "only a surjective layout has a right inverse");
  return LinearLayout(outs, ins, std::move(*inverse));
}

std::optional<LinearLayout>
LinearLayout::invertAndCompose(const LinearLayout &outer) const {
  assert(outs.size() == outer.outs.size());
  LinearLayout target = outer.transposeOuts(getOutDimNames());
  std::optional<F2Matrix> solution = target.map.solve(map);
  if (!solution)
    return std::nullopt;
  for (const Dim &in : ins) {
    unsigned from = offset(ins, in.name);
    unsigned to = offset(target.ins, in.name);
    unsigned shared = std::min(in.log2, target.getInDimSizeLog2(in.name));
    for (unsigned bit = 0; bit < shared; ++bit)
      if (map.columns[from + bit] == target.map.columns[to + bit])
        solution->columns[from + bit] = uint64_t(1) << (to + bit);
  }
  return LinearLayout(ins, target.ins, std::move(*solution));
}

std::optional<LinearLayout>
LinearLayout::divideLeft(const LinearLayout &divisor) const {
  for (const Dim &in : divisor.ins)
    if (!hasInDim(in.name) || getInDimSizeLog2(in.name) < in.log2)
      return std::nullopt;
  for (const Dim &out : divisor.outs)
    if (!hasOutDim(out.name) || getOutDimSizeLog2(out.name) < out.log2)
      return std::nullopt;

  LinearLayout quotient;
  for (const Dim &out : outs)
    quotient.outs.push_back(
        {out.name, out.log2 - divisor.getOutDimSizeLog2(out.name)});
  quotient.map.rows = totalBits(quotient.outs);
  for (const Dim &in : ins) {
    unsigned skip = divisor.getInDimSizeLog2(in.name);
    quotient.ins.push_back({in.name, in.log2 - skip});
    for (unsigned bit = skip; bit < in.log2; ++bit) {
      uint64_t column = 0;
      for (const Dim &out : quotient.outs)
        column |= uint64_t(getBasis(in.name, bit, out.name) >>
                           divisor.getOutDimSizeLog2(out.name))
                  << offset(quotient.outs, out.name);
      quotient.map.columns.push_back(column);
    }
  }
  LinearLayout product = (divisor * quotient)
                             .transposeIns(getInDimNames())
                             .transposeOuts(getOutDimNames());
  if (product != *this)
    return std::nullopt;
  return quotient;
}

std::optional<LinearLayout>
LinearLayout::divideRight(const LinearLayout &divisor) const {
  LinearLayout quotient = *this;
  for (const Dim &in : divisor.ins) {
    if (!hasInDim(in.name) || getInDimSizeLog2(in.name) < in.log2)
      return std::nullopt;
    quotient = quotient.resizeIn(in.name, getInDimSize(in.name) >> in.log2);
  }
  for (const Dim &out : divisor.outs) {
    if (!hasOutDim(out.name) || getOutDimSizeLog2(out.name) < out.log2)
      return std::nullopt;
    quotient =
        quotient.resizeOut(out.name, getOutDimSize(out.name) >> out.log2);
  }
  LinearLayout product = (quotient * divisor)
                             .transposeIns(getInDimNames())
                             .transposeOuts(getOutDimNames());
  if (product != *this)
    return std::nullopt;
  return quotient;
}

LinearLayout LinearLayout::concatIns(const LinearLayout &other) const {
  assert(outs == other.outs);
  LinearLayout result = *this;
  result.ins.append(other.ins.begin(), other.ins.end());
  result.map.columns.append(other.map.columns.begin(), other.map.columns.end());
  return result;
}

LinearLayout LinearLayout::concatOuts(const LinearLayout &other) const {
  assert(ins == other.ins);
  LinearLayout result = *this;
  result.outs.append(other.outs.begin(), other.outs.end());
  for (auto [column, more] :
       llvm::zip_equal(result.map.columns, other.map.columns))
    column |= more << map.rows;
  result.map.rows += other.map.rows;
  return result;
}

//===----------------------------------------------------------------------===//
// Parts and other views of a layout
//===----------------------------------------------------------------------===//

LinearLayout LinearLayout::sublayout(ArrayRef<StringAttr> inNames,
                                     ArrayRef<StringAttr> outNames) const {
  LinearLayout result;
  for (const Dim &out : outs)
    if (llvm::is_contained(outNames, out.name))
      result.outs.push_back(out);
  result.map.rows = totalBits(result.outs);
  for (const Dim &in : ins) {
    if (!llvm::is_contained(inNames, in.name))
      continue;
    result.ins.push_back(in);
    for (unsigned bit = 0; bit < in.log2; ++bit) {
      uint64_t column = 0;
      for (const Dim &out : result.outs)
        column |= uint64_t(getBasis(in.name, bit, out.name))
                  << offset(result.outs, out.name);
      result.map.columns.push_back(column);
    }
  }
  return result;
}

bool LinearLayout::sublayoutIsZero(ArrayRef<StringAttr> inNames,
                                   ArrayRef<StringAttr> outNames) const {
  return llvm::all_of(sublayout(inNames, outNames).map.columns,
                      [](uint64_t column) { return column == 0; });
}

bool LinearLayout::isIdentityOver(ArrayRef<StringAttr> dims) const {
  SmallVector<StringAttr> otherIns, otherOuts;
  for (const Dim &in : ins)
    if (!llvm::is_contained(dims, in.name))
      otherIns.push_back(in.name);
  for (const Dim &out : outs)
    if (!llvm::is_contained(dims, out.name))
      otherOuts.push_back(out.name);
  if (!sublayoutIsZero(dims, otherOuts) || !sublayoutIsZero(otherIns, dims))
    return false;
  for (StringAttr dim : dims) {
    if (getInDimSizeLog2(dim) != getOutDimSizeLog2(dim))
      return false;
    for (unsigned bit = 0; bit < getInDimSizeLog2(dim); ++bit)
      for (StringAttr out : dims)
        if (getBasis(dim, bit, out) != (out == dim ? 1 << bit : 0))
          return false;
  }
  return true;
}

LinearLayout LinearLayout::transposeIns(ArrayRef<StringAttr> order) const {
  assert(order.size() == ins.size());
  LinearLayout result({}, outs, {map.rows, {}});
  for (StringAttr name : order) {
    const Dim *dim = find(ins, name);
    result.ins.push_back(*dim);
    ArrayRef<uint64_t> columns =
        ArrayRef(map.columns).slice(offset(ins, name), dim->log2);
    result.map.columns.append(columns.begin(), columns.end());
  }
  return result;
}

LinearLayout LinearLayout::transposeOuts(ArrayRef<StringAttr> order) const {
  assert(order.size() == outs.size());
  LinearLayout result(ins, {}, {map.rows, {}});
  for (StringAttr name : order)
    result.outs.push_back(*find(outs, name));
  for (uint64_t column : map.columns) {
    uint64_t moved = 0;
    for (const Dim &out : outs) {
      moved |= bitField(column, 0, out.log2) << offset(result.outs, out.name);
      column >>= out.log2;
    }
    result.map.columns.push_back(moved);
  }
  return result;
}

LinearLayout LinearLayout::reshapeIns(ArrayRef<NamedValue> dims) const {
  LinearLayout result(toDims(dims), outs, map);
  assert(totalBits(result.ins) == totalBits(ins));
  return result;
}

LinearLayout LinearLayout::reshapeOuts(ArrayRef<NamedValue> dims) const {
  LinearLayout result(ins, toDims(dims), map);
  assert(totalBits(result.outs) == totalBits(outs));
  return result;
}

LinearLayout LinearLayout::flattenIns(StringAttr name) const {
  return LinearLayout({{name, totalBits(ins)}}, outs, map);
}

LinearLayout LinearLayout::flattenOuts(StringAttr name) const {
  return LinearLayout(ins, {{name, totalBits(outs)}}, map);
}

LinearLayout LinearLayout::renameIn(StringAttr from, StringAttr to) const {
  LinearLayout result = *this;
  for (Dim &dim : result.ins)
    if (dim.name == from)
      dim.name = to;
  return result;
}

LinearLayout LinearLayout::renameOut(StringAttr from, StringAttr to) const {
  LinearLayout result = *this;
  for (Dim &dim : result.outs)
    if (dim.name == from)
      dim.name = to;
  return result;
}

LinearLayout LinearLayout::resizeIn(StringAttr name, int64_t size) const {
  LinearLayout result(ins, outs, {map.rows, {}});
  unsigned bits = Log2_64(size);
  const uint64_t *column = map.columns.begin();
  for (Dim &dim : result.ins) {
    unsigned old = dim.log2;
    if (dim.name == name)
      dim.log2 = bits;
    for (unsigned bit = 0; bit < dim.log2; ++bit)
      result.map.columns.push_back(bit < old ? column[bit] : 0);
    column += old;
  }
  return result;
}

LinearLayout LinearLayout::resizeOut(StringAttr name, int64_t size) const {
  LinearLayout result(ins, outs, {0, {}});
  for (Dim &dim : result.outs)
    if (dim.name == name)
      dim.log2 = Log2_64(size);
  result.map.rows = totalBits(result.outs);
  for (uint64_t column : map.columns) {
    uint64_t resized = 0;
    unsigned shift = 0;
    for (auto [before, after] : llvm::zip_equal(outs, result.outs)) {
      resized |= bitField(column, 0, std::min(before.log2, after.log2))
                 << shift;
      column >>= before.log2;
      shift += after.log2;
    }
    result.map.columns.push_back(resized);
  }
  return result;
}

LinearLayout LinearLayout::removeBasis(StringAttr in, unsigned bit) const {
  LinearLayout result = *this;
  result.map.columns.erase(result.map.columns.begin() + offset(ins, in) + bit);
  for (Dim &dim : result.ins)
    if (dim.name == in)
      --dim.log2;
  return result;
}

LinearLayout LinearLayout::removeZeroBases(StringAttr in) const {
  LinearLayout result = *this;
  for (unsigned bit = getInDimSizeLog2(in); bit-- > 0;)
    if (map.columns[offset(ins, in) + bit] == 0)
      result = result.removeBasis(in, bit);
  return result;
}

//===----------------------------------------------------------------------===//
// Text and hash
//===----------------------------------------------------------------------===//

std::string LinearLayout::toString() const {
  std::string text;
  raw_string_ostream os(text);
  llvm::interleaveComma(ins, os, [&](const Dim &in) {
    os << in.name.strref() << ": [";
    llvm::interleaveComma(getBases(in.name), os, [&](const auto &basis) {
      os << "[";
      llvm::interleaveComma(basis, os);
      os << "]";
    });
    os << "]";
  });
  os << (ins.empty() ? "->" : " ->");
  llvm::interleave(
      outs, os,
      [&](const Dim &out) {
        os << " " << out.name.strref() << ": " << out.size();
      },
      ",");
  return text;
}

hash_code hash_value(const LinearLayout &layout) {
  auto hashDims = [](ArrayRef<Dim> dims) {
    hash_code hash(dims.size());
    for (const Dim &dim : dims)
      hash = hash_combine(hash, dim.name, dim.log2);
    return hash;
  };
  return hash_combine(hashDims(layout.ins), hashDims(layout.outs),
                      hash_combine_range(layout.map.columns));
}

} // namespace kernelscope
