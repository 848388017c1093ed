//===- Allocation.h - A place for each buffer -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H
#define KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H

#include "dialects/ttg/MemoryAccess.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::memory {

/// An i32 that `allocate` sets on ops whose scratch memory should shrink: the
/// number of rounds in which they use it, a power of two. While it is 0, an op
/// reports the scratch memory for as many rounds as keep its accesses at their
/// width.
constexpr llvm::StringLiteral scratchRoundsName = "allocation.rounds";

/// The row of tensor memory that a buffer begins at, if it is not the first.
constexpr llvm::StringLiteral tensorMemoryRowName = "tensor_memory_row_offset";

/// Records on each op that needs memory in `space` where it is
/// (`allocation.offset`, `tensor_memory_col_offset`,
/// `tensor_memory_row_offset`), and on the module how much there is in all
/// (`ttg.shared`, `ttg.tensor_memory_size`). Fails, with an error on the
/// largest op, when that is more than `most` (0: any), which `arch` has.
llvm::LogicalResult allocate(mlir::ModuleOp module, ttg::MemorySpace space,
                             unsigned most = 0, llvm::StringRef arch = {});

/// The bytes of shared memory that `function` would be allocated, which stays
/// as it is.
unsigned sharedBytesOf(mlir::FunctionOpInterface function);

/// Moves `op`, which allocates memory that only the kernel knows, out of its
/// partition, which is passed the result instead.
void hoistFromPartition(mlir::Operation *op);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H
