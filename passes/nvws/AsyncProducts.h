//===- AsyncProducts.h - Products that exits of regions commit --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_ASYNCPRODUCTS_H
#define KERNELSCOPE_PASSES_NVWS_ASYNCPRODUCTS_H

#include "mlir/IR/Operation.h"

namespace kernelscope::nvws {

/// Makes products with a sum in one of the buffers that `givers`, enters of one
/// side of a reference and their `aref.buffer`s, hand out asynchronous: the
/// exits commit them. Unless a partition reads its own sum. What threads have
/// stored for such products before the loop gets a fence.
void markAsyncProducts(llvm::ArrayRef<mlir::Operation *> givers);

/// Whether products use buffers of `givers`, and all are done at once.
bool areProductsDoneAtOnce(llvm::ArrayRef<mlir::Operation *> givers);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_ASYNCPRODUCTS_H
