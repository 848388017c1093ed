//===- ProductCount.h - How much a kernel multiplies ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_PRODUCTCOUNT_H
#define KERNELSCOPE_SERVER_RUN_PRODUCTCOUNT_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// What the matrix products of a launch compute.
struct ProductCount {
  double operations = 0;    ///< A multiplication and an addition are two.
  unsigned operandBits = 0; ///< Of the elements of A.
};

/// Follows the loops and branches of each program, as far as they depend on
/// constants, the arguments of `launch`, its grid and the program's id alone.
/// Nothing if they depend on more, if there is no product, if operands have
/// several sizes, or if more than 65,536 programs differ.
std::optional<ProductCount> countProducts(mlir::FunctionOpInterface kernel,
                                          const Launch &launch);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_PRODUCTCOUNT_H
