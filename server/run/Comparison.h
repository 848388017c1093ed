//===- Comparison.h - How a buffer differs ----------------------*- C++ -*-===//
//
// From what it should be: by how much, and where.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_COMPARISON_H
#define KERNELSCOPE_SERVER_RUN_COMPARISON_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// How a buffer differs from what it should be.
struct Comparison {
  std::string with; ///< "the CPU executor", or a file
  double maxAbsolute = 0, maxRelative = 0;
  size_t outside = 0; ///< elements that differ by more than the tolerance
  size_t firstOutside = 0;
  std::string found, expected; ///< of the first outside
  Tolerance tolerance;         ///< zero for integers: they must be equal
};

/// Compares two buffers of the same type and shape.
Comparison compare(const ArgumentValue &found, const ArgumentValue &expected,
                   const Tolerance &tolerance);

/// Where a buffer differs from what it should be, as a picture of cells. A
/// buffer is seen as rows of its last dimension; one of one dimension is cut
/// into rows.
struct ErrorMap {
  size_t rowLength = 0; ///< elements
  size_t rowsPerCell = 1, columnsPerCell = 1;
  size_t columns = 0; ///< of cells
  /// By rows: the largest difference in the cell, times its tolerance, so that
  /// above 1 is outside; infinity where one side is not finite.
  std::vector<double> cells;
};

ErrorMap mapErrors(const ArgumentValue &found, const ArgumentValue &expected,
                   const Tolerance &tolerance);

/// The tolerance for a buffer that a spec does not give: what GPUs' fast
/// functions and other orders of summation make of one rounding step. Sums lose
/// as much near zero as elsewhere, so the absolute part is times the root mean
/// square of what is expected, where that is above 1. Of floats it is at least
/// `least` before that: what the device loses in sums of products.
Tolerance defaultTolerance(const ArgumentValue &expected, double least = 0);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_COMPARISON_H
