//===- LaneMatrix.h - Matrices in the registers of a warp -------*- C++ -*-===//
//
// The operands of mma.sync and wgmma: elements side by side in registers.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_LANEMATRIX_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_LANEMATRIX_H

#include "executor/wave/MatrixProducts.h"

namespace kernelscope::wave::nvidia {

/// A matrix of some rows of `stride` elements.
using Matrix = std::vector<double>;

/// An element in a register of 32 bits, or more if it has more.
struct LaneElement {
  /// It takes `slot` bits, 0 for as many as it has.
  LaneElement(MatrixElement element, unsigned slot = 0)
      : element(element), slot(slot ? slot : bitsOf(element)) {}

  MatrixElement element;
  unsigned slot;

  unsigned inRegister() const { return std::max(1u, 32 / slot); }
  /// Registers of a fragment.
  size_t registersOf(const MatrixFragment &fragment) const {
    return (fragment.numElements() + inRegister() - 1) / inRegister();
  }
};

/// The registers of one fragment, or of several side by side along the columns:
/// D of wgmma.
class LaneMatrix {
public:
  /// `rows` is the name of the dimension that rows are along. There are as many
  /// fragments as fill `registers`, each `width` columns further.
  LaneMatrix(Columns registers, LaneElement element,
             const MatrixFragment &fragment, char rows, unsigned width = 0);

  /// Copies the elements of all lanes to `matrix`, or rounded from there.
  void gather(Wave &wave, Matrix &matrix, unsigned stride) const;
  void scatter(Wave &wave, const Matrix &matrix, unsigned stride) const;

private:
  /// Calls `fn(register, first bit, lane, element of the matrix)`.
  template <typename Fn> void forElements(unsigned stride, Fn fn) const;

  Columns registers;
  LaneElement element;
  FragmentPlaces places;
  unsigned width;
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_LANEMATRIX_H
