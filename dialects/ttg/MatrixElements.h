//===- MatrixElements.h - Element types of matrix units ---------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H
#define KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H

#include "dialects/target/MatrixInstructions.h"
#include "mlir/IR/Types.h"
#include <optional>

namespace kernelscope::ttg {

/// What a matrix unit takes elements of `type` as; nothing if none does.
std::optional<MatrixElement> matrixElement(mlir::Type type);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_MATRIXELEMENTS_H
