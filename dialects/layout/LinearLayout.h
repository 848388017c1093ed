//===- LinearLayout.h - the algebra of linear layouts ---------------------===//
//
// Every layout of a tensor is a linear map over F2 between named dimensions
// whose sizes are powers of two: bit i of an input (a register, a lane, a warp,
// an offset) stands for a basis vector, and an element's place is the xor of
// the basis vectors of the bits that are set.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_LAYOUT_LINEARLAYOUT_H
#define KERNELSCOPE_DIALECTS_LAYOUT_LINEARLAYOUT_H

#include "dialects/layout/F2Matrix.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Hashing.h"

#include <string>
#include <utility>
#include <vector>

namespace kernelscope {

/// A linear map over F2 from named input dimensions to named output
/// dimensions. All of it is one matrix: the inputs' bits, first dimension
/// lowest, number its columns, and the outputs' bits, first dimension lowest,
/// its rows. Immutable; cheap to copy.
///
/// Functions that take dimensions expect ones that the layout has; text from a
/// file goes through `create`, which checks everything.
class LinearLayout {
public:
  using StringAttr = mlir::StringAttr;

  /// A dimension of `1 << log2` values.
  struct Dim {
    StringAttr name;
    unsigned log2;
    int32_t size() const { return int32_t(1) << log2; }
    bool operator==(const Dim &other) const {
      return name == other.name && log2 == other.log2;
    }
  };
  /// A dimension and its basis vectors, each with one value per out-dim.
  using Bases = std::pair<StringAttr, std::vector<std::vector<int32_t>>>;
  /// A dimension and its size, or a dimension and an index in it.
  using NamedValue = std::pair<StringAttr, int32_t>;

  /// The most bits that the inputs or the outputs may have together.
  static constexpr unsigned maxBits = 62;
  /// The most bits of one dimension: its values fit in 32 bits with a sign.
  static constexpr unsigned maxDimBits = 30;

  /// The map from no dimensions to none, the unit of `operator*`.
  LinearLayout() = default;

  /// The map that the bases spell, checked: sizes are powers of two, each
  /// basis has a value per out-dim within its size, and names are unique.
  /// Otherwise nothing, and `error` says what is wrong.
  static std::optional<LinearLayout> create(llvm::ArrayRef<Bases> bases,
                                            llvm::ArrayRef<NamedValue> outDims,
                                            std::string &error);
  /// As above, with the sizes of the out-dims taken from the bases: each the
  /// least power of two above all values.
  static std::optional<LinearLayout> create(llvm::ArrayRef<Bases> bases,
                                            llvm::ArrayRef<StringAttr> outDims,
                                            std::string &error);

  /// The map with these columns; see the class for the order of their bits.
  static LinearLayout fromColumns(llvm::ArrayRef<NamedValue> inDims,
                                  llvm::ArrayRef<NamedValue> outDims,
                                  llvm::ArrayRef<uint64_t> columns);

  /// `x -> x` for `x` below `size`.
  static LinearLayout identity1D(int64_t size, StringAttr in, StringAttr out);
  /// `x -> stride * x` for `x` below `size`, both powers of two.
  static LinearLayout strided1D(int64_t size, int64_t stride, StringAttr in,
                                StringAttr out);
  /// `x -> 0` for `x` below `size`, in an out-dim of `outSize` values.
  static LinearLayout zeros1D(int64_t size, StringAttr in, StringAttr out,
                              int64_t outSize = 1);

  llvm::ArrayRef<Dim> getInDims() const { return ins; }
  llvm::ArrayRef<Dim> getOutDims() const { return outs; }
  llvm::SmallVector<StringAttr> getInDimNames() const { return names(ins); }
  llvm::SmallVector<StringAttr> getOutDimNames() const { return names(outs); }
  llvm::SmallVector<NamedValue> getInDimSizes() const { return sizes(ins); }
  llvm::SmallVector<NamedValue> getOutDimSizes() const { return sizes(outs); }
  bool hasInDim(StringAttr name) const { return find(ins, name); }
  bool hasOutDim(StringAttr name) const { return find(outs, name); }
  /// The size of a dimension; 1 of one that the layout does not have.
  int32_t getInDimSize(StringAttr name) const {
    return int32_t(1) << getInDimSizeLog2(name);
  }
  int32_t getOutDimSize(StringAttr name) const {
    return int32_t(1) << getOutDimSizeLog2(name);
  }
  unsigned getInDimSizeLog2(StringAttr name) const;
  unsigned getOutDimSizeLog2(StringAttr name) const;
  unsigned getTotalInDimSizeLog2() const { return map.columns.size(); }
  unsigned getTotalOutDimSizeLog2() const { return map.rows; }
  int64_t getTotalInDimSize() const {
    return int64_t(1) << getTotalInDimSizeLog2();
  }
  int64_t getTotalOutDimSize() const {
    return int64_t(1) << getTotalOutDimSizeLog2();
  }

  /// The image of bit `bit` of an in-dim, one value per out-dim in order.
  llvm::SmallVector<int32_t> getBasis(StringAttr in, unsigned bit) const;
  int32_t getBasis(StringAttr in, unsigned bit, StringAttr out) const;
  /// The bases of an in-dim, as attributes spell them.
  std::vector<std::vector<int32_t>> getBases(StringAttr in) const;
  /// The whole map as a matrix; see the class for the order of its bits.
  const F2Matrix &getMatrix() const { return map; }

  /// Where the inputs go; in-dims that are not named are zero.
  llvm::SmallVector<NamedValue> apply(llvm::ArrayRef<NamedValue> inputs) const;

  bool isSurjective() const { return map.rank() == map.rows; }
  bool isInjective() const { return map.rank() == map.columns.size(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }

  /// For each in-dim the bits that move nothing new: bases that are zero or a
  /// sum of bases before them.
  llvm::SmallVector<NamedValue> getFreeVariableMasks() const;
  /// The bits of an in-dim whose basis is zero: places that hold copies.
  int32_t getZeroMask(StringAttr in) const;

  /// The direct sum: dimensions of the same name are joined, this one's bits
  /// below the other's. `identity1D(4, "lane", "dim0") * zeros1D(2, "lane",
  /// "dim1")` has 8 lanes.
  LinearLayout operator*(const LinearLayout &outer) const;
  LinearLayout &operator*=(const LinearLayout &outer) {
    return *this = *this * outer;
  }
  /// `outer` after this. The out-dims of this are in-dims of `outer`, in any
  /// order, none larger than there.
  LinearLayout compose(const LinearLayout &outer) const;
  /// A right inverse of a surjective layout: of the inputs that reach an
  /// output, one in which no free bit is set.
  LinearLayout pseudoinvert() const;
  /// A layout L from the in-dims of this to those of `outer` with `outer` of L
  /// equal to this, for an `outer` onto whose image this one maps. A bit that
  /// both layouts send to the same place is mapped to itself, so that a
  /// conversion leaves it where it is. Nothing when there is no such L.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &outer) const;

  /// The layout Q with `divisor * Q == *this`, if there is one.
  std::optional<LinearLayout> divideLeft(const LinearLayout &divisor) const;

  /// The part of the map between the given dimensions.
  LinearLayout sublayout(llvm::ArrayRef<StringAttr> inNames,
                         llvm::ArrayRef<StringAttr> outNames) const;
  bool sublayoutIsZero(llvm::ArrayRef<StringAttr> inNames,
                       llvm::ArrayRef<StringAttr> outNames) const;
  /// True where the named in-dims equal the out-dims of the same names, both
  /// ways: nothing else moves them, and they move nothing else.
  bool isIdentityOver(llvm::ArrayRef<StringAttr> dims) const;

  /// The same map with its dimensions in another order (a permutation).
  LinearLayout transposeIns(llvm::ArrayRef<StringAttr> order) const;
  LinearLayout transposeOuts(llvm::ArrayRef<StringAttr> order) const;
  /// The same bits divided among other dimensions, of the same total size.
  LinearLayout reshapeOuts(llvm::ArrayRef<NamedValue> dims) const;
  /// All dimensions joined into the one of the given name.
  LinearLayout flattenOuts(StringAttr name) const;
  LinearLayout renameIn(StringAttr from, StringAttr to) const;
  LinearLayout renameOut(StringAttr from, StringAttr to) const;

  /// Drops the highest bases of an in-dim, or adds zero bases.
  LinearLayout resizeIn(StringAttr name, int64_t size) const;
  /// Wraps an out-dim around at `size`, or makes room above its values.
  LinearLayout resizeOut(StringAttr name, int64_t size) const;
  /// Drops one basis of an in-dim; those above it move down.
  LinearLayout removeBasis(StringAttr in, unsigned bit) const;
  /// Drops the bases of an in-dim that are zero.
  LinearLayout removeZeroBases(StringAttr in) const;
  /// Drops those of all in-dims.
  LinearLayout removeZeroBases() const;

  /// `register: [[0, 1], [0, 2]], lane: [] -> dim0: 1, dim1: 4`.
  std::string toString() const;

  /// The same map with the same dimensions in the same order.
  bool operator==(const LinearLayout &other) const {
    return ins == other.ins && outs == other.outs && map == other.map;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout);

private:
  using Dims = llvm::SmallVector<Dim, 4>;
  LinearLayout(Dims ins, Dims outs, F2Matrix map)
      : ins(std::move(ins)), outs(std::move(outs)), map(std::move(map)) {}

  static llvm::SmallVector<StringAttr> names(llvm::ArrayRef<Dim> dims);
  static llvm::SmallVector<NamedValue> sizes(llvm::ArrayRef<Dim> dims);
  static const Dim *find(llvm::ArrayRef<Dim> dims, StringAttr name);
  /// The number of bits of the dimensions before the named one.
  static unsigned offset(llvm::ArrayRef<Dim> dims, StringAttr name);

  Dims ins, outs;
  F2Matrix map;
};

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_LINEARLAYOUT_H
