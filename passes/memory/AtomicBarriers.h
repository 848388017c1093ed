//===- AtomicBarriers.h - Order of a CTA's threads at atomics ---*- C++ -*-===//
//
// One thread performs an atomic, on behalf of its CTA: what a release publishes
// are the accesses of all threads, which must have come before it, and what an
// acquire has seen is seen by the accesses of all that follow. The memory
// models of PTX and AMDGPU order only those of the thread itself.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H
#define KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H

#include "mlir/IR/Operation.h"

namespace kernelscope::memory {

/// Whether `op` is an atomic that releases or acquires for its CTA, or both.
bool ordersForCTA(mlir::Operation *op);

/// Whether `op` is a release that may follow accesses of other threads since
/// the last barrier.
bool needsBarrierBeforeRelease(mlir::Operation *op);

/// Whether `op` is an acquire that accesses of other threads may follow before
/// the next barrier.
bool needsBarrierAfterAcquire(mlir::Operation *op);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_ATOMICBARRIERS_H
