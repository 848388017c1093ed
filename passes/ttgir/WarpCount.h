//===- WarpCount.h - How many warps a kernel needs --------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_WARPCOUNT_H
#define KERNELSCOPE_PASSES_TTGIR_WARPCOUNT_H

#include "dialects/target/Target.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::ttgir {

/// The warps of a block for TTIR under `root` whose user gives no number: 4, or
/// 8 if the registers of 4 would not hold the results of the products in a
/// block of code and the operands that are computed for them. Always 4 for AMD.
/// `ctas` share each tensor.
unsigned chooseWarpCount(mlir::Operation *root, const Target &target,
                         unsigned ctas);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_WARPCOUNT_H
