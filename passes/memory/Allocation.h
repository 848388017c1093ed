//===- Allocation.h - A place for each buffer -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H
#define KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H

#include "dialects/target/Target.h"
#include "dialects/ttg/MemoryAccess.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::memory {

/// An i32 that `allocate` sets on ops whose scratch memory should shrink: the
/// number of rounds in which they use it, a power of two. While it is 0, an op
/// reports the least scratch memory that is worth its rounds: as many as keep
/// the accesses of a conversion at their width, or as a reduction of Triton's
/// takes.
constexpr llvm::StringLiteral scratchRoundsName = "allocation.rounds";

/// The row of tensor memory that a buffer begins at, if it is not the first.
constexpr llvm::StringLiteral tensorMemoryRowName = "tensor_memory_row_offset";

/// What memory there is for a module.
struct Supply {
  /// Of the chip, and the chip's name; 0: any amount.
  unsigned most = 0;
  llvm::StringRef arch;
  /// Whether the kernel may take shared memory for a product's operands, or a
  /// reduction, in one round.
  bool mayGrow = false;
};

/// Records on each op that needs memory in `space` where it is
/// (`allocation.offset`, `tensor_memory_col_offset`,
/// `tensor_memory_row_offset`), and on the module how much there is in all
/// (`ttg.shared`, `ttg.tensor_memory_size`). Fails, with an error on the
/// largest op, when that is more than the chip has.
llvm::LogicalResult allocate(mlir::ModuleOp module, ttg::MemorySpace space,
                             const Supply &supply);

/// The bytes of shared memory that a block of `function` may take on `target`
/// without keeping others from running beside it.
int64_t bytesOfShare(mlir::FunctionOpInterface function, const Target &target);

/// The bytes of shared memory that `function` would be allocated, which stays
/// as it is.
unsigned sharedBytesOf(mlir::FunctionOpInterface function);

/// Moves `op`, which allocates memory that only the kernel knows, out of its
/// partition, which is passed the result instead.
void hoistFromPartition(mlir::Operation *op);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_ALLOCATION_H
