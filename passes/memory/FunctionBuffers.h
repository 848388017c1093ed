//===- FunctionBuffers.h - Memory across calls ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_FUNCTIONBUFFERS_H
#define KERNELSCOPE_PASSES_MEMORY_FUNCTIONBUFFERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "passes/memory/Buffers.h"
#include "llvm/ADT/MapVector.h"

namespace kernelscope::memory {

/// The memory of all functions with a body, with the places that are recorded
/// on the ops. An argument stands for what any call passes.
class FunctionBuffers {
public:
  explicit FunctionBuffers(mlir::ModuleOp module);

  /// The memory of the function that `op` is in.
  const Buffers &around(mlir::Operation *op) const;
  /// The function that is called, or null if it has no body here.
  mlir::FunctionOpInterface calleeOf(mlir::CallOpInterface call) const;
  /// The functions that no op calls.
  llvm::SmallVector<mlir::FunctionOpInterface> entries() const;

private:
  bool passMemory(mlir::CallOpInterface call);

  llvm::MapVector<mlir::Operation *, std::unique_ptr<Buffers>> all;
  llvm::DenseMap<mlir::Operation *, mlir::FunctionOpInterface> callees;
};

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_FUNCTIONBUFFERS_H
