//===- Occupancy.h - How many CTAs a multiprocessor holds at once -*- C++
//-*-===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_OCCUPANCY_H
#define KERNELSCOPE_DIALECTS_TARGET_OCCUPANCY_H

#include "dialects/target/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace kernelscope {

/// What a CTA takes of a multiprocessor.
struct CtaResources {
  unsigned warps = 1;
  /// Of each thread.
  unsigned registers = 0;
  unsigned sharedBytes = 0;
};

/// What a multiprocessor can hold of one kernel.
struct Occupancy {
  unsigned ctas = 0;
  /// Their warps, and the most that a multiprocessor can have of any kernel.
  unsigned warps = 0, maxWarps = 0;
  /// What is used up first, by name: registers, shared memory, warps, CTAs.
  llvm::SmallVector<llvm::StringRef, 2> limits;
};

/// Nothing for an AMD chip, or where one CTA is too large. The rule and the
/// sizes: CUDA C++ Programming Guide, "Compute Capabilities", and the driver's
/// `cuOccupancyMaxActiveBlocksPerMultiprocessor`, which gives the same on an
/// H200.
std::optional<Occupancy> occupancyOf(const Target &target,
                                     const CtaResources &cta);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_OCCUPANCY_H
