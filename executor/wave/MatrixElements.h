//===- MatrixElements.h - The numbers that matrix units take ----*- C++ -*-===//
//
// The bits of elements and of scales, as numbers and back.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_MATRIXELEMENTS_H
#define KERNELSCOPE_EXECUTOR_WAVE_MATRIXELEMENTS_H

#include "dialects/target/MatrixInstructions.h"

namespace kernelscope::wave {

/// How the bits of an element are read.
double (*matrixElementReader(MatrixElement element))(uint64_t);

/// The bits of a result, rounded once. Integers wrap.
uint64_t roundedMatrixElement(MatrixElement element, double value);

/// A scale that is a power of two; 255 is NaN.
double scaleOfE8M0(uint64_t byte);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_MATRIXELEMENTS_H
