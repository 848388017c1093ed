//===- GatheredRows.h - Row numbers as TMA's gather takes them --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_TTIR_GATHEREDROWS_H
#define KERNELSCOPE_PASSES_TTIR_GATHEREDROWS_H

#include "mlir/IR/Builders.h"

namespace kernelscope {

/// `rows`, a tensor of integers with a layout, as TMA gathers and scatters by
/// them: of 32 bits, four neighbours in each thread, the same in all lanes of a
/// warp. `warps` and `lanes` are those that compute them, in a cluster of one.
mlir::Value gatheredRows(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value rows, int warps, int lanes);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_GATHEREDROWS_H
