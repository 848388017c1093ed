//===- F2Matrix.h - matrices over the field of two elements ---------------===//
//
// The arithmetic below linear layouts: addition is xor, multiplication is and.
// Gaussian elimination lives here and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_LAYOUT_F2MATRIX_H
#define KERNELSCOPE_DIALECTS_LAYOUT_F2MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace kernelscope {

/// A matrix over F2 with at most 64 rows. Column `i` is the word `columns[i]`,
/// whose bit `r` is the entry in row `r`.
struct F2Matrix {
  /// The number of rows; bits of a column above it are zero.
  unsigned rows = 0;
  llvm::SmallVector<uint64_t> columns;

  static F2Matrix identity(unsigned size);

  /// The product of the matrix and the vector whose bit `i` goes with column
  /// `i`. Bits beyond the last column are ignored.
  uint64_t apply(uint64_t vector) const;

  /// The number of linearly independent columns.
  unsigned rank() const;

  /// `this * right`: first `right`, then this.
  F2Matrix operator*(const F2Matrix &right) const;

  /// Some `x` with `apply(x) == value`, in which no free column takes part;
  /// nothing when `value` is not in the image.
  std::optional<uint64_t> solve(uint64_t value) const;

  /// Some `X` with `*this * X == right`, column by column as solve(vector).
  std::optional<F2Matrix> solve(const F2Matrix &right) const;

  /// A basis of the vectors that the matrix sends to zero, one for each free
  /// column, in the order of these columns.
  llvm::SmallVector<uint64_t> kernel() const;

  /// A basis of the image: the columns that are not free.
  llvm::SmallVector<uint64_t> image() const;

  /// Bit `i` is set where column `i` is a sum of columns before it.
  uint64_t freeColumns() const;

  bool operator==(const F2Matrix &other) const {
    return rows == other.rows && columns == other.columns;
  }
};

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_F2MATRIX_H
