//===- Barriers.h - who uses which barrier ----------------------*- C++ -*-===//
//
// What the lints share: the barriers of a function with all that happens to
// them, and asynchronous copies.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LINT_BARRIERS_H
#define KERNELSCOPE_PASSES_LINT_BARRIERS_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace kernelscope {

/// An op that starts, waits for or arrives at `barrier`, a view of the ring.
struct BarrierUse {
  mlir::Operation *op;
  mlir::Value barrier;
};

/// The barriers of one allocation.
struct BarrierRing {
  mlir::Value allocation;
  /// In the order of the text.
  llvm::SmallVector<BarrierUse> uses;

  template <typename... Ops> llvm::SmallVector<BarrierUse> usesBy() const {
    llvm::SmallVector<BarrierUse> found;
    for (const BarrierUse &use : uses)
      if (mlir::isa<Ops...>(use.op))
        found.push_back(use);
    return found;
  }
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

/// How often `op` arrives at each barrier that it names: 0 where it only waits
/// or copies; nothing where that is not known. Of tensor cores whose operands
/// CTAs share, it is the number of CTAs (even ones only of pairs) that have the
/// first copy of an operand: so many commits reach each barrier.
std::optional<int64_t> arrivalsOf(mlir::Operation *op);

/// What arrives at a barrier of the ring in a phase, each kind of op once:
/// "2 by tc_gen5_mma"; empty where an op arrives an unknown number of times.
std::string describeArrivals(const BarrierRing &ring);

/// The bytes that a copy by TMA completes on its barrier in each CTA; nothing
/// for another op, or where that is not known.
std::optional<int64_t> bytesOf(mlir::Operation *op);

/// A copy to shared memory that something must wait for.
bool startsCopy(mlir::Operation *op);
/// A load that AMD's lowering takes as guarded by a wait.
bool isSyncedLoad(mlir::Operation *op);

/// The loop whose body `op` is in, at any depth; null outside of loops.
mlir::Operation *loopAround(mlir::Operation *op);

/// The value of an integer constant.
std::optional<int64_t> constantOf(mlir::Value value);

/// "`ttng.wait_barrier`".
std::string quote(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_BARRIERS_H
