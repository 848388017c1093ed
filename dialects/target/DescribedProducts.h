//===- DescribedProducts.h - Products of matrices in memory -----*- C++ -*-===//
//
// The matrix instructions that find operands in shared or tensor memory by
// descriptors, as data: wgmma and tcgen05.mma.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_DESCRIBEDPRODUCTS_H
#define KERNELSCOPE_DIALECTS_TARGET_DESCRIBEDPRODUCTS_H

#include "dialects/target/MatrixInstructions.h"

namespace kernelscope {

/// Sizes of a result: `rows`, by each multiple of `step` columns up to
/// `columns`.
struct ProductTile {
  /// CTAs that compute it together: 1, or 2 for a pair.
  unsigned ctas;
  unsigned rows, step, columns;
};

/// One instruction. PTX ISA, "Asynchronous Warpgroup Level Matrix Shape" and
/// "TensorCore 5th Generation: Matrix shape".
struct DescribedProduct {
  /// In PTX, without what says shape and types.
  llvm::StringLiteral name;
  MatrixUnit unit;
  /// The types of A, of B, and of C and D.
  MatrixElement a, b, c;
  unsigned k;
  llvm::ArrayRef<ProductTile> tiles;

  /// Whether it multiplies by elements of type `element`.
  bool takesAsB(MatrixElement element) const;
  /// Whether `ctas` can compute `rows` by `columns` with it.
  bool hasTile(unsigned ctas, unsigned rows, unsigned columns) const;
  /// "a multiple of 8 up to 256": the columns that it can have with `rows`.
  /// Empty if it cannot have those.
  std::string columnsFor(unsigned ctas, unsigned rows) const;
};

/// What `unit` multiplies operands with, of which A is of type `a`; first that
/// with the narrowest C. The unit rounds f32 to tf32.
llvm::SmallVector<const DescribedProduct *>
describedProductsOf(MatrixUnit unit, MatrixElement a);

/// That of all three types, or null.
const DescribedProduct *findDescribedProduct(MatrixUnit unit, MatrixElement a,
                                             MatrixElement b, MatrixElement c);

/// Whether `target` has `product`, of a unit that it has: some of the chips
/// have no 8-bit integers in theirs. PTX ISA, "tcgen05.mma", "Target ISA
/// Notes".
bool hasProduct(const Target &target, const DescribedProduct &product);

/// "f16, bf16, tf32": the types that `unit` takes as A.
std::string describedOperands(MatrixUnit unit);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_DESCRIBEDPRODUCTS_H
