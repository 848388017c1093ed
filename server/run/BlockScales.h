//===- BlockScales.h - Loads of exponents that scale blocks -----*- C++ -*-===//
//
// A microscaled product multiplies blocks by powers of two, whose exponents it
// loads as bytes (OCP Microscaling Formats 1.0, "E8M0"): 127 stands for one.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_BLOCKSCALES_H
#define KERNELSCOPE_SERVER_RUN_BLOCKSCALES_H

#include "dialects/tt/TT.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::run {

/// The loads and copies of bytes that scale an operand of a product, or that
/// the kernel shifts into the exponent of a float.
llvm::SmallVector<tt::GlobalAccessOpInterface>
blockScaleLoads(mlir::FunctionOpInterface kernel);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_BLOCKSCALES_H
