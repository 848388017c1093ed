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
  /// Of an AMD chip: the waves of a SIMD that the code's registers allow, as
  /// LLVM says beside it.
  unsigned wavesPerSimd = 0;
};

/// What a multiprocessor can hold of one kernel.
struct Occupancy {
  unsigned ctas = 0;
  /// Their warps, and the most that a multiprocessor can have of any kernel.
  unsigned warps = 0, maxWarps = 0;
  /// What is used up first, by name: registers, shared memory, warps, CTAs.
  llvm::SmallVector<llvm::StringRef, 2> limits;
};

/// The waves that a SIMD of an AMD chip holds at most, from CDNA 2 on (LLVM's
/// `AMDGPUSubtarget::getMaxWavesPerEU`); 0 of NVIDIA's.
unsigned maxWavesPerSimd(const Target &target);

/// The vector registers that a lane of an AMD chip can have, those for sums of
/// products included (LLVM's `AMDGPUSubtarget::getAddressableNumVGPRs`).
unsigned maxVectorRegisters(const Target &target);

/// Nothing where one CTA is too large, or for an AMD chip without
/// `wavesPerSimd`. On AMD's a multiprocessor is a compute unit of CDNA or a
/// workgroup processor of RDNA, four SIMDs each: their ISA documents, "Local
/// Data Share"; LLVM's `AMDGPUSubtarget::getMaxWavesPerEU`. The rule and the
/// sizes of NVIDIA's: CUDA C++ Programming Guide, "Compute Capabilities", and
/// the driver's `cuOccupancyMaxActiveBlocksPerMultiprocessor`, which gives the
/// same on an H200.
std::optional<Occupancy> occupancyOf(const Target &target,
                                     const CtaResources &cta);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_OCCUPANCY_H
