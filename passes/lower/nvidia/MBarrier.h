//===- MBarrier.h - Where an mbarrier is ------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_MBARRIER_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_MBARRIER_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/TargetHooks.h"
#include "llvm/ADT/bit.h"

namespace kernelscope::lower {

/// The mbarrier that a converted memdesc of type `type` describes, as the CTAs
/// of a cluster have it. `op` uses it.
class MBarrier {
public:
  MBarrier(Builder &b, const TargetHooks &hooks, mlir::Operation *op,
           mlir::Value packed, ttg::MemDescType type);

  /// The address in this CTA's memory. CTAs that share a barrier use that of
  /// their leader, the first of them.
  mlir::Value local() const { return address; }
  /// The address, in the cluster's memory, of the barrier that this CTA uses.
  mlir::Value used(Builder &b, const TargetHooks &hooks) const;
  /// The address of CTA `cta`'s barrier, in the cluster's memory.
  mlir::Value of(Builder &b, mlir::Value cta) const;
  /// Whether some CTAs share one barrier.
  bool isShared() const { return sharedCTABits != 0; }
  /// The address that copies of TMA signal, and how their instruction says that
  /// it may be in the other CTA of the pair. PTX ISA, "cp.async.bulk.tensor",
  /// `.cta_group`.
  mlir::Value signalled(Builder &b, const TargetHooks &hooks) const {
    return isShared() ? used(b, hooks) : local();
  }
  /// `isElsewhere` if what they write may be in the other CTA.
  llvm::StringRef groupOfCopies(mlir::Operation *op, bool isElsewhere) const;
  /// How many CTAs use the same barrier.
  unsigned users() const {
    return 1u << llvm::popcount(unsigned(sharedCTABits));
  }
  /// True in the CTA that has the barrier; null where all have one.
  mlir::Value isLeader(Builder &b, const TargetHooks &hooks) const;

private:
  mlir::Value address;
  /// The bits of the CTA id along which CTAs share a barrier.
  int32_t sharedCTABits;
};

/// The 32-bit address in the cluster's memory of what CTA `cta` has at the
/// place where this CTA has `local`. PTX ISA, "mapa".
mlir::Value mapToCTA(Builder &b, mlir::Value local, mlir::Value cta);

/// Emits `instruction [address]suffix;` where `predicate`, which may be null,
/// holds.
void emitOnBarrier(Builder &b, llvm::StringRef instruction, mlir::Value address,
                   const llvm::Twine &suffix, mlir::Value predicate);

/// All threads wait where `predicate`, which may be null, holds until the phase
/// of that parity of the mbarrier at `address` in this CTA is complete. PTX
/// ISA, "mbarrier.try_wait".
void waitForPhase(Builder &b, const TargetHooks &hooks, mlir::Value address,
                  mlir::Value parity, mlir::Value predicate);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_MBARRIER_H
