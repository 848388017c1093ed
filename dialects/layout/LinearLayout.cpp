//===- LinearLayout.cpp - the algebra of linear layouts -------------------===//

#include "dialects/layout/LinearLayout.h"
#include "dialects/layout/Counted.h"
#include "dialects/layout/DimBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace llvm;

namespace kernelscope {

using Dim = LinearLayout::Dim;
using layout::bitField;
using layout::toDims;
using layout::totalBits;
using mlir::StringAttr;

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
        return fail(formatv("basis {0} of '{1}' has {2}; it needs {3}, "
                            "one per out-dim",
                            bit, name.strref(), counted(vector.size(), "value"),
                            outDims.size()));
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
