//===- BarrierProgram.h - what decides what barriers do ---------*- C++ -*-===//
//
// The part of a function that its barriers depend on: the ops that use them,
// the integers and predicates that these take, the loops and branches around
// them. Everything else is left out.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H

#include "passes/analysis/Barriers.h"

#include "llvm/ADT/DenseSet.h"

namespace kernelscope {

class BarrierProgram {
public:
  /// Nothing where a barrier is used under something other than loops,
  /// branches and partitions, or where some barrier is not known.
  static std::optional<BarrierProgram> create(mlir::Operation *function,
                                              const Barriers &barriers);

  /// The ops of the program in `block`, in order, without its terminator.
  llvm::ArrayRef<mlir::Operation *> opsOf(mlir::Block *block) const;
  mlir::Block *entry() const { return entryBlock; }
  /// Whether a barrier is used in a region of `op`.
  bool hasBarriers(mlir::Operation *op) const {
    return aroundBarriers.contains(op);
  }

private:
  bool addOp(mlir::Operation *op);
  bool addStructure(mlir::Operation *op);
  void need(mlir::Value value) { needed.push_back(value); }
  void addValue(mlir::Value value);
  void addCarried(mlir::Operation *loop, unsigned number);
  void sort(mlir::Operation *function);

  mlir::Block *entryBlock = nullptr;
  llvm::DenseSet<mlir::Operation *> ops, aroundBarriers;
  llvm::DenseSet<mlir::Value> known;
  llvm::SmallVector<mlir::Value> needed;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Operation *>> byBlock;
};

/// The region of the partition that `op` runs in; null for the rest of the
/// function, default regions included.
mlir::Region *partitionOf(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H
