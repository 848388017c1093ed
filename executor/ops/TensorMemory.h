//===- TensorMemory.h - Reading and writing tensor memory ------*- C++ -*-===//
//
// Tensor memory has 128 rows of columns of 32 bits. Unlike shared memory it is
// kept as the chip lays it out, since the same place is read by layouts that
// know nothing of each other: a view of an allocation as another type sees what
// is there.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_TENSORMEMORY_H
#define KERNELSCOPE_EXECUTOR_OPS_TENSORMEMORY_H

#include "executor/plan/Planner.h"
#include "executor/sanitize/Shadow.h"

namespace kernelscope::executor {

/// The value is a memdesc in tensor memory.
bool isInTensorMemory(mlir::Value memdesc);

/// Where the elements of a memdesc in tensor memory are, as bytes from the base
/// of its view. Columns follow each other, each of 128 rows; the parts of the
/// CTAs of a cluster lie one after another.
class TensorMemoryPlaces {
public:
  /// None, after an error on `op`, when the type has no layout.
  static std::optional<TensorMemoryPlaces> of(mlir::Operation *op,
                                              mlir::Value memdesc);

  /// Bytes from the base to element (row, column) of the matrix.
  int64_t at(int64_t row, int64_t column) const {
    return rows[row] ^ columns[column];
  }
  template <typename T> void read(const char *base, T *dense) const {
    forEach(
        [&](int64_t place) { std::memcpy(dense++, base + place, sizeof(T)); });
  }
  template <typename T> void write(char *base, const T *dense) const {
    forEach([&](int64_t place) {
      for (int64_t copy : copies)
        std::memcpy(base + (place ^ copy), dense, sizeof(T));
      ++dense;
    });
  }

  /// All bytes of the cells that hold elements or their copies.
  llvm::ArrayRef<sanitize::Piece> pieces() const { return cells; }

  int64_t bytes = 0;     ///< of one matrix, up to its last element
  int64_t ringBytes = 0; ///< from one buffer of a ring to the next

private:
  /// Calls `fn(place)` for each element in row-major order.
  template <typename Fn> void forEach(Fn fn) const {
    for (int64_t row : rows)
      for (int64_t column : columns)
        fn(row ^ column);
  }

  /// A layout is linear over F2, so a place is that of the row and that of the
  /// column combined.
  std::vector<int64_t> rows, columns;
  /// Places that hold the same element, relative to the first: scales are kept
  /// once for each warp.
  std::vector<int64_t> copies;
  std::vector<sanitize::Piece> cells;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_TENSORMEMORY_H
