//===- TensorCoreWaits.h - When the tensor core is done ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_TENSORCOREWAITS_H
#define KERNELSCOPE_PASSES_MEMORY_TENSORCOREWAITS_H

#include "dialects/ttg/MemoryAccess.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::memory {

/// The waits of a function, whose regions have one block each, for products and
/// copies of Blackwell's tensor core. Those work on memory after the op that
/// issues them, until an mbarrier signals completion (PTX ISA,
/// "tcgen05.commit").
class TensorCoreWaits {
public:
  /// `ringOf` returns the same value for all views of the same mbarriers.
  TensorCoreWaits(mlir::FunctionOpInterface function,
                  llvm::function_ref<mlir::Value(mlir::Value)> ringOf);

  /// Whether `op` is such a product or copy.
  static bool isIssuedBy(mlir::Operation *op);

  /// Whether `op` is a product that is not asynchronous: unless the kernel has
  /// commits, allocate-tensor-memory inserts a wait after it.
  static bool isSynchronous(mlir::Operation *op);

  /// Ops by whose end the work that `op` issues on a buffer of `owner` is done:
  /// `op` itself if the threads await it there, waits, and a loop around both
  /// if the work may continue into its next iteration. Nothing if it may
  /// continue until the function's end.
  std::optional<llvm::SmallVector<mlir::Operation *, 2>>
  findEnd(mlir::Operation *op, mlir::Operation *owner) const;

private:
  /// What happens to a ring of barriers in an op, or in its regions.
  struct Event {
    mlir::Operation *op;
    mlir::Value ring;
    bool isNested = false;
    /// Of the tensor core, when it is done; and unconditional waits.
    unsigned arrivals = 0, waits = 0;
  };

  void add(mlir::Operation *op, const Event &event);
  llvm::ArrayRef<Event> eventsOf(mlir::Block *block) const;
  /// The events of its block after `op`.
  llvm::ArrayRef<Event> eventsAfter(mlir::Operation *op) const;
  std::optional<unsigned> pendingBefore(mlir::Operation *place,
                                        mlir::Value ring) const;
  mlir::Operation *findArrival(mlir::Operation *op) const;
  llvm::SmallVector<mlir::Operation *, 2>
  endAt(const Event &wait, mlir::Operation *op, mlir::Operation *owner) const;
  mlir::Operation *findLastWait(mlir::Operation *loop, mlir::Value ring) const;

  mlir::Operation *function;
  bool hasCommits = false;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Event>> events;
};

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_TENSORCOREWAITS_H
