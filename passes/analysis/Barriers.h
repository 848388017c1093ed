//===- Barriers.h - who uses which barrier ----------------------*- C++ -*-===//
//
// The mbarriers of a function with all that happens to them: which allocation
// a barrier is of, wherever it is carried, and which ops use it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H

#include "dialects/ttg/MemoryAccess.h"

#include "llvm/ADT/SetVector.h"
#include <string>

namespace kernelscope {

/// Something that an op does to a view of a ring.
struct BarrierUse {
  mlir::Operation *op;
  ttg::BarrierAction action;

  mlir::Value barrier() const { return action.barrier; }
};

/// The barriers of one allocation.
struct BarrierRing {
  mlir::Value allocation;
  /// The values that are or may be a barrier of it, or all of them.
  llvm::SetVector<mlir::Value> views;
  /// In the order of the text. Of a value that may be a barrier of this ring or
  /// of another one, as in a loop that swaps two, the uses are here too.
  llvm::SmallVector<BarrierUse> uses;

  /// The uses that are of `kind`.
  llvm::SmallVector<BarrierUse> usesOf(ttg::BarrierAction::Kind kind) const;
  /// How many barriers there are.
  int64_t depth() const;
};

/// A buffer of shared or tensor memory that some copy or product fills whose
/// completion an mbarrier signals.
struct GuardedBuffer {
  mlir::Value allocation;
  /// What reads, writes or frees it or a part of it.
  llvm::SetVector<mlir::Operation *> users;
  /// How many of them there are, if one is taken by its number.
  int64_t count = 1;
  /// Nothing else writes it.
  bool isOnlyFilled = true;
};

/// The rings of a function of which every use is known: views, captures of
/// partitions, values that loops carry and branches choose. A ring that is
/// passed to a function or stored is not among them.
class Barriers {
public:
  explicit Barriers(mlir::Operation *function);

  llvm::ArrayRef<BarrierRing> rings() const { return all; }
  /// Whether these are all barriers that the function uses.
  bool isComplete() const { return complete; }
  /// The ring of an allocation; null for one that is not known.
  const BarrierRing *ringOf(mlir::Value allocation) const;
  /// Those of which every use is known.
  llvm::ArrayRef<GuardedBuffer> buffers() const { return guarded; }
  /// The first use of each ring that is waited for, of which every use is
  /// known, and none initialises it. These are not among the rings.
  llvm::ArrayRef<mlir::Operation *> bareUses() const { return bare; }

private:
  void addRing(mlir::Value allocation);
  void addBuffer(mlir::Value allocation);
  llvm::ArrayRef<ttg::BarrierAction> actionsOf(mlir::Operation *op);

  llvm::SmallVector<BarrierRing> all;
  llvm::SmallVector<GuardedBuffer> guarded;
  llvm::SmallVector<mlir::Operation *> bare;
  /// Of each op, looked up once.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ttg::BarrierAction, 1>>
      actions;
  bool complete = true;
};

/// Whether `op` touches no memory, which is so of most ops of a kernel.
bool onlyComputes(mlir::Operation *op);

/// The only block of a function's body that runs; null where there are others.
/// What Gluon compiles ends with a block that nothing leads to.
mlir::Block *onlyBlockOf(mlir::Region &body);

/// The values that have the value of `use` for theirs, or a view of it, as it
/// flows through views, loops, branches and into partitions. Nothing when its
/// user does something else with it.
llvm::SmallVector<mlir::Value, 2> flowsTo(mlir::OpOperand &use);

/// Whether two views are of one buffer or barrier of a ring, for certain.
bool areSameView(mlir::Value a, mlir::Value b);

/// What arrives at a barrier of the ring in a phase, each kind of op once:
/// "2 by tc_gen5_mma"; empty where an op arrives an unknown number of times.
std::string describeArrivals(const BarrierRing &ring);

/// "`ttng.wait_barrier`".
std::string quote(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H
