//===- DataMoverBlocks.h - Blocks by AMD's data mover -----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_TTIR_DATAMOVERBLOCKS_H
#define KERNELSCOPE_PASSES_TTIR_DATAMOVERBLOCKS_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope {

/// Makes loads, stores, gathers and scatters by descriptors that the kernels of
/// `module` are given copies of the tensor data mover through LDS, done before
/// the next op.
void moveBlocksByDataMover(mlir::ModuleOp module);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_DATAMOVERBLOCKS_H
