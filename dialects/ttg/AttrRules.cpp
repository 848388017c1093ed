//===- AttrRules.cpp - Rules that layouts share --------------------------===//

#include "dialects/ttg/AttrRules.h"

#include "dialects/layout/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::ttg {

bool isPermutation(ArrayRef<unsigned> order) {
  llvm::SmallBitVector seen(order.size());
  for (unsigned dim : order) {
    if (dim >= order.size() || seen.test(dim))
      return false;
    seen.set(dim);
  }
  return true;
}

namespace rules {

/// The most dimensions a layout may have; Triton's tensors stay far below.
static constexpr unsigned maxRank = 16;

LogicalResult verifyRank(EmitError emitError, size_t rank) {
  if (rank >= 1 && rank <= maxRank)
    return success();
  return emitError() << "layout has " << counted(rank, "dimension")
                     << "; it needs from 1 to " << maxRank;
}

LogicalResult verifyOrder(EmitError emitError, ArrayRef<unsigned> order) {
  if (isPermutation(order))
    return success();
  auto all = llvm::to_vector(llvm::seq<unsigned>(order.size()));
  return emitError() << "order is [" << order << "]; it must be "
                     << (order.size() == 1 ? "[" : "a permutation of [")
                     << ArrayRef(all) << "]";
}

LogicalResult verifyPowersOfTwo(EmitError emitError, StringRef name,
                                ArrayRef<unsigned> values) {
  if (llvm::all_of(values, llvm::isPowerOf2_32))
    return success();
  return emitError() << name << " is [" << values
                     << "]; every value must be a power of two";
}

LogicalResult verifyPowerOfTwo(EmitError emitError, StringRef name,
                               unsigned value) {
  if (llvm::isPowerOf2_32(value))
    return success();
  return emitError() << name << " is " << value
                     << "; it must be a power of two";
}

LogicalResult verifySameRank(EmitError emitError, StringRef name, size_t found,
                             size_t needed) {
  if (found == needed)
    return success();
  return emitError() << name << " has " << counted(found, "value")
                     << "; it needs " << needed << ", one per dimension";
}

LogicalResult verifyClusterRank(EmitError emitError, CGAEncodingAttr cluster,
                                size_t rank) {
  if (!cluster)
    return emitError() << "layout has no CGALayout";
  if (cluster.getRank() == rank)
    return success();
  return emitError() << "CGALayout has "
                     << counted(cluster.getRank(), "dimension")
                     << "; the layout has " << rank;
}

/// Keeps the product of powers of two inside what a linear layout can hold.
LogicalResult verifyTileSize(EmitError emitError,
                             ArrayRef<ArrayRef<unsigned>> factors) {
  unsigned bits = 0;
  for (ArrayRef<unsigned> values : factors)
    for (unsigned value : values)
      bits += llvm::Log2_32(value);
  if (bits <= LinearLayout::maxDimBits)
    return success();
  return emitError() << "layout's tile has 2^" << bits
                     << " elements; at most 2^" << LinearLayout::maxDimBits
                     << " are possible";
}

/// The in-dims and out-dims by their names.
LogicalResult verifyDims(EmitError emitError, const LinearLayout &layout,
                         ArrayRef<StringRef> inDims) {
  SmallVector<StringRef> found;
  for (const LinearLayout::Dim &dim : layout.getInDims())
    found.push_back(dim.name.getValue());
  if (ArrayRef<StringRef>(found) != inDims) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "linear layout maps from [";
    llvm::interleaveComma(found, diagnostic);
    diagnostic << "]; it must map from [";
    llvm::interleaveComma(inDims, diagnostic);
    return diagnostic << "]";
  }
  if (failed(verifyRank(emitError, layout.getOutDims().size())))
    return failure();
  MLIRContext *context = layout.getInDims().front().name.getContext();
  if (layout.getOutDimNames() !=
      tensorDims(context, layout.getOutDims().size()))
    return emitError() << "linear layout must map to dim0, dim1, ...: "
                       << layout.toString();
  return success();
}

/// How many of a basis' values are not zero.
static unsigned nonZeros(ArrayRef<int32_t> basis) {
  return llvm::count_if(basis, [](int32_t value) { return value != 0; });
}

/// Every basis is zero, or one power of two along one dimension.
bool movesAlongOneDim(const LinearLayout &layout, StringAttr inDim,
                      bool byPowerOfTwo) {
  return llvm::all_of(layout.getBases(inDim), [&](const auto &basis) {
    return nonZeros(basis) <= 1 &&
           (!byPowerOfTwo || llvm::all_of(basis, [](int32_t value) {
             return value == 0 || llvm::isPowerOf2_32(value);
           }));
  });
}

} // namespace rules

bool isPermutationWithCopies(const LinearLayout &layout) {
  return llvm::all_of(layout.getInDimNames(),
                      [&](StringAttr name) {
                        return rules::movesAlongOneDim(layout, name,
                                                       /*byPowerOfTwo=*/true);
                      }) &&
         layout.removeZeroBases().isInvertible();
}

bool isGenericLinear(const LinearLayout &layout) {
  return layout.isSurjective() &&
         llvm::all_of(layout.getInDimNames(), [&](StringAttr name) {
           return name.getValue() == "warp" ||
                  rules::movesAlongOneDim(layout, name, /*byPowerOfTwo=*/false);
         });
}

} // namespace kernelscope::ttg
