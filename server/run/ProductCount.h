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

/// Nothing if there is no product, if operands have several sizes, or if how
/// often one is done depends on more than constants, the arguments of `launch`
/// and the size of its grid.
std::optional<ProductCount> countProducts(mlir::FunctionOpInterface kernel,
                                          const Launch &launch);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_PRODUCTCOUNT_H
