//===- F2Matrix.cpp - matrices over the field of two elements -------------===//

#include "dialects/layout/F2Matrix.h"

#include "llvm/ADT/bit.h"

using namespace llvm;

namespace kernelscope {
namespace {

/// An echelon basis of the columns, grown one column at a time. Each entry
/// remembers which columns it is the sum of.
class Echelon {
public:
  explicit Echelon(const F2Matrix &matrix) {
    for (auto [index, column] : llvm::enumerate(matrix.columns)) {
      uint64_t sum = uint64_t(1) << index;
      uint64_t rest = reduce(column, sum);
      if (rest) {
        image.push_back(column);
        entries.push_back({rest, sum});
      } else {
        free |= uint64_t(1) << index;
        kernel.push_back(sum);
      }
    }
  }

  /// What is left of `value` after the basis is taken out; `sum` gets the
  /// columns that were taken.
  uint64_t reduce(uint64_t value, uint64_t &sum) const {
    for (const Entry &entry : entries)
      if (value & llvm::bit_floor(entry.value)) {
        value ^= entry.value;
        sum ^= entry.sum;
      }
    return value;
  }

  uint64_t free = 0;
  SmallVector<uint64_t> kernel, image;

private:
  /// The leading bit of `value` is zero in every later entry.
  struct Entry {
    uint64_t value, sum;
  };
  SmallVector<Entry> entries;
};

} // namespace

F2Matrix F2Matrix::identity(unsigned size) {
  F2Matrix result{size, {}};
  for (unsigned i = 0; i < size; ++i)
    result.columns.push_back(uint64_t(1) << i);
  return result;
}

uint64_t F2Matrix::apply(uint64_t vector) const {
  uint64_t result = 0;
  for (auto [index, column] : llvm::enumerate(columns))
    if (vector >> index & 1)
      result ^= column;
  return result;
}

unsigned F2Matrix::rank() const { return Echelon(*this).image.size(); }

F2Matrix F2Matrix::operator*(const F2Matrix &right) const {
  F2Matrix result{rows, {}};
  for (uint64_t column : right.columns)
    result.columns.push_back(apply(column));
  return result;
}

std::optional<uint64_t> F2Matrix::solve(uint64_t value) const {
  uint64_t sum = 0;
  if (Echelon(*this).reduce(value, sum))
    return std::nullopt;
  return sum;
}

std::optional<F2Matrix> F2Matrix::solve(const F2Matrix &right) const {
  Echelon echelon(*this);
  F2Matrix result{unsigned(columns.size()), {}};
  for (uint64_t column : right.columns) {
    uint64_t sum = 0;
    if (echelon.reduce(column, sum))
      return std::nullopt;
    result.columns.push_back(sum);
  }
  return result;
}

SmallVector<uint64_t> F2Matrix::kernel() const { return Echelon(*this).kernel; }

SmallVector<uint64_t> F2Matrix::image() const { return Echelon(*this).image; }

uint64_t F2Matrix::freeColumns() const { return Echelon(*this).free; }

} // namespace kernelscope
