//===- TensorUnit.h - The tensor core and memory of a CTA -------*- C++ -*-===//
//
// What instructions of tcgen05 share: the memory, and what is in flight.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORUNIT_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORUNIT_H

#include "executor/wave/nvidia/Ptx.h"
#include "executor/wave/nvidia/TensorMemory.h"
#include <deque>
#include <functional>

namespace kernelscope::wave::nvidia {

/// Of one CTA.
struct TensorUnit {
  TensorMemory memory;
  /// CTAs that an instruction is for, 1 or 2; 0 before the first one.
  unsigned ctas = 0;

  /// Stores of each warp that its next wait finishes, the oldest first.
  std::map<unsigned, std::deque<std::function<void()>>> stores;

  /// That of the CTA that `wave` is in.
  static TensorUnit &of(Wave &wave);
};

/// Takes `.cta_group::N` away: 1 or 2; fails the call without it.
unsigned takeCtaGroup(PtxCall &call);
/// Whether a CTA is in a cluster that has so many for an instruction, and has
/// used no other number before; fails `wave` otherwise.
bool agreesWithGroup(Wave &wave, unsigned ctas);
/// The rank of the even CTA of a pair, or of the CTA itself.
unsigned firstOfGroup(Wave &wave, unsigned ctas);

void addTensorCoreInstructions(PtxMeanings &meanings);
void addTensorMessages(PtxMeanings &meanings);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORUNIT_H
