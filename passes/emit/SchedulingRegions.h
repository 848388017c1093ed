//===- SchedulingRegions.h - What LLVM schedules at once --------*- C++ -*-===//
//
// LLVM's machine scheduler for AMD takes a whole block as one region, barriers
// of threads included. It then overlaps arithmetic as far as the registers of
// the highest occupancy allow, although no memory access can cross a barrier.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_SCHEDULINGREGIONS_H
#define KERNELSCOPE_PASSES_EMIT_SCHEDULINGREGIONS_H

#include <cstddef>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace kernelscope::emit {

/// Whether `function` tells LLVM how to schedule, or has matrix products, which
/// overlap with accesses beyond barriers.
bool hasOwnSchedule(const llvm::Function &function);

/// Whether `function` has products by MFMA or WMMA.
bool hasMatrixProducts(const llvm::Function &function);

/// Ends a scheduling region of `function` after each barrier, by
/// `llvm.amdgcn.sched.barrier(0)`. Those with a schedule of their own stay as
/// they are.
void endRegionsAtBarriers(llvm::Function &function);

/// Has LLVM schedule `module` for the fewest registers instead of the most
/// arithmetic in flight (`amdgpu-sched-strategy`), except functions that state
/// their own schedule or strategy. Returns whether there are others.
bool scheduleForFewRegisters(llvm::Module &module);

/// The instructions of the longest block of `module`, all of which LLVM
/// schedules at once.
size_t longestBlockOf(const llvm::Module &module);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_SCHEDULINGREGIONS_H
