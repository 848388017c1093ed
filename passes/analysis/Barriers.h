//===- Barriers.h - who uses which barrier ----------------------*- C++ -*-===//
//
// The mbarriers of a function with all that happens to them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H

#include "dialects/ttg/MemoryAccess.h"

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
  /// In the order of the text.
  llvm::SmallVector<BarrierUse> uses;

  /// The uses that are of `kind`.
  llvm::SmallVector<BarrierUse> usesOf(ttg::BarrierAction::Kind kind) const;
  /// How many barriers there are.
  int64_t depth() const;
};

/// The rings of a function of which every use is known: none is passed on, nor
/// carried around a loop.
class Barriers {
public:
  explicit Barriers(mlir::Operation *function);
  llvm::ArrayRef<BarrierRing> rings() const { return all; }

private:
  llvm::SmallVector<BarrierRing> all;
};

/// Whether two views are of one buffer or barrier of a ring, for certain.
bool areSameView(mlir::Value a, mlir::Value b);

/// What arrives at a barrier of the ring in a phase, each kind of op once:
/// "2 by tc_gen5_mma"; empty where an op arrives an unknown number of times.
std::string describeArrivals(const BarrierRing &ring);

/// The loop whose body `op` is in, at any depth; null outside of loops.
mlir::Operation *loopAround(mlir::Operation *op);

/// "`ttng.wait_barrier`".
std::string quote(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERS_H
