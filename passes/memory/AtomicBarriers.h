//===- AtomicBarriers.h - Order of a CTA's threads at atomics ---*- C++ -*-===//
//
// One thread performs an atomic, on behalf of its CTA or cluster: what a
// release publishes are the accesses of all threads, which must have come
// before it, and what an acquire has seen is seen by the accesses of all that
// follow. The memory models of PTX and AMDGPU order only those of the thread
// itself.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H
#define KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H

#include "dialects/ttg/TTG.h"

namespace kernelscope::memory {

/// Whether `op` is an atomic that releases or acquires for its CTA or cluster,
/// or both.
bool ordersForCTA(mlir::Operation *op);

/// Whether `op` is a release that may follow accesses of other threads since
/// the last barrier.
bool needsBarrierBeforeRelease(mlir::Operation *op);

/// Whether `op` is an acquire, or a poll without a timeout, that accesses of
/// other threads may follow before the next barrier. `hasScratch`: its result
/// goes to the threads of a CTA through shared memory.
bool needsBarrierAfterAcquire(mlir::Operation *op, bool hasScratch);

/// Inserts the barrier before or after the atomic `op`: of the cluster, if it
/// has more than one CTA. It orders `accesses`, and those to shared memory.
void insertAtomicBarrier(mlir::OpBuilder &builder, mlir::Operation *op,
                         ttg::AddrSpace accesses);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H
