//===- BlockIndices.h - Where a descriptor's block begins -------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TT_BLOCKINDICES_H
#define KERNELSCOPE_DIALECTS_TT_BLOCKINDICES_H

#include "dialects/tt/TT.h"

namespace kernelscope::tt {

/// Verifies that there is an index for each dimension of the descriptor's
/// block.
llvm::LogicalResult verifyBlockIndices(mlir::Operation *op,
                                       TensorDescInterface desc,
                                       mlir::ValueRange indices);

} // namespace kernelscope::tt

#endif // KERNELSCOPE_DIALECTS_TT_BLOCKINDICES_H
