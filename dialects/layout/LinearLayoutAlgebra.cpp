//===- LinearLayoutAlgebra.cpp - Layouts from layouts --------------------===//

#include "dialects/layout/DimBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;

namespace kernelscope {

using Dim = LinearLayout::Dim;
using layout::bitField;
using layout::toDims;
using layout::totalBits;
using mlir::StringAttr;

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

LinearLayout LinearLayout::reshapeOuts(ArrayRef<NamedValue> dims) const {
  LinearLayout result(ins, toDims(dims), map);
  assert(totalBits(result.outs) == totalBits(outs));
  return result;
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

LinearLayout LinearLayout::removeZeroBases() const {
  LinearLayout result = *this;
  for (const Dim &dim : ins)
    result = result.removeZeroBases(dim.name);
  return result;
}

} // namespace kernelscope
