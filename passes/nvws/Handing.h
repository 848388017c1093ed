//===- Handing.h - Buffers handed from one partition to another -*- C++ -*-===//
//
// References, and the regions of puts and gets on them, as passes make them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_HANDING_H
#define KERNELSCOPE_PASSES_NVWS_HANDING_H

#include "dialects/nvws/Owners.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/nvws/Marks.h"

namespace kernelscope::nvws {

/// Whether a loop carries its arguments, and gives them as its results: an
/// scf.while does if its condition passes on just these.
bool passesOnArguments(mlir::LoopLikeOpInterface loop);

/// The number of the result that goes with an argument of a loop; none for
/// that of an iteration's number, and of what is no such loop.
std::optional<unsigned> resultOfArgument(mlir::BlockArgument argument);

/// The loops of `module`, scf.for, and scf.while that pass on their arguments,
/// whose ops are marked with partitions.
llvm::SmallVector<mlir::LoopLikeOpInterface>
findPartitionedLoops(mlir::Operation *module);

/// The partitions that use an operand: those of its user, or of the value that
/// a terminator or loop makes of it. Null if nothing says it.
mlir::DenseI32ArrayAttr partitionsOfUse(mlir::OpOperand &use);

/// A reference to a ring of `depth` buffers of type `one`, in shared or tensor
/// memory, made before `at`.
mlir::Value createReference(mlir::Operation *at, ttg::MemDescType one,
                            int64_t depth);

/// What the enter of a put or get has given.
struct Handed {
  mlir::Value aref, buffer, token;
};
Handed enterPut(MarkedBuilder &at, mlir::Value aref);
Handed enterGet(MarkedBuilder &at, mlir::Value aref);
void exitPut(MarkedBuilder &at, const Handed &region,
             llvm::ArrayRef<AsyncOp> kinds);
void exitGet(MarkedBuilder &at, const Handed &region,
             llvm::ArrayRef<AsyncOp> kinds);

/// Calls `fn` for the ops that access `memory`, through views of it, too.
void forEachAccess(mlir::Value memory,
                   llvm::function_ref<void(mlir::Operation *)> fn);
/// What `memory` is a view of.
mlir::Value rootOf(mlir::Value memory);
/// What may still be reading or writing a buffer after `access`.
AsyncOp kindOf(mlir::Operation *access);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_HANDING_H
