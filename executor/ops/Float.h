//===- Float.h - Floating point functions that ops share -------*- C++ -*-===//
//
// Comparisons with IEEE 754-2019's rules for NaN and signed zero.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_FLOAT_H
#define KERNELSCOPE_EXECUTOR_OPS_FLOAT_H

namespace kernelscope::executor {

/// The larger or smaller value; a NaN loses, and -0 is below +0.
double maximumNumber(double a, double b);
double minimumNumber(double a, double b);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_FLOAT_H
