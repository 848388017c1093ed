//===- MatrixElements.h - Element types of matrix units ---------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H
#define KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H

#include "dialects/target/DescribedProducts.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/Types.h"
#include <optional>

namespace kernelscope::ttg {

/// What a matrix unit takes elements of `type` as; nothing if none does.
std::optional<MatrixElement> matrixElement(mlir::Type type);
/// The same for an operand of a product with scales.
std::optional<MatrixElement> matrixElement(tt::ScaleDotElemType format);

/// The product of `unit` with elements of these types; null if it has none.
const DescribedProduct *findDescribedProduct(MatrixUnit unit, mlir::Type a,
                                             mlir::Type b, mlir::Type c);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H
