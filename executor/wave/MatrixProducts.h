//===- MatrixProducts.h - Products of matrices in lanes ---------*- C++ -*-===//
//
// What plain and scaled matrix instructions share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_MATRIXPRODUCTS_H
#define KERNELSCOPE_EXECUTOR_WAVE_MATRIXPRODUCTS_H

#include "executor/wave/Intrinsics.h"
#include "executor/wave/MatrixElements.h"

namespace kernelscope::wave {

/// The element of a matrix that each element of each lane is.
struct FragmentPlaces {
  struct Place {
    unsigned row = 0, column = 0;
  };
  /// `rows` is the name of the dimension that rows are along.
  FragmentPlaces(const MatrixFragment &fragment, char rows, unsigned lanes);

  unsigned elements = 0;
  /// Those of element 0 in each lane, then of element 1.
  std::vector<Place> places;
};

/// A matrix in the lanes of a wave.
class MatrixOperand {
public:
  /// Operand `number` of a call, which must have the bits.
  MatrixOperand(const Call &call, unsigned number, MatrixElement element,
                const MatrixFragment &fragment, char rows);
  /// Writes its elements to `matrix`, row by row of `stride` elements.
  void gather(Wave &wave, std::vector<double> &matrix, unsigned stride) const;

private:
  FragmentPlaces places;
  double (*read)(uint64_t);
  Columns columns;
};

struct ProductShape {
  unsigned m, n, k;
};

/// Adds the product of `a`, m x k, and `b`, k x n, to `c`.
void multiplyMatrices(const ProductShape &shape, const std::vector<double> &a,
                      const std::vector<double> &b, std::vector<double> &c);

/// Changes A and B before they are multiplied.
using MatrixScaling =
    std::function<void(Wave &, std::vector<double> &a, std::vector<double> &b)>;

/// The product of `a` and `b` plus operand `c` of the call, which the result is
/// laid out like. With `isHigh` results of 16 bits are in the upper halves.
void emitProduct(const Call &call, const MatrixInstruction &instruction,
                 const MatrixOperand &a, const MatrixOperand &b, unsigned c,
                 bool isHigh, MatrixScaling scale);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_MATRIXPRODUCTS_H
