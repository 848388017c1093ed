//===- Cta.h - What only NVIDIA's workgroups have ---------------*- C++ -*-===//
//
// Beside shared memory: barriers by number, and where their warps wait.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_CTA_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_CTA_H

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/PendingProducts.h"
#include "executor/wave/nvidia/SharedRaces.h"
#include "executor/wave/nvidia/TensorUnit.h"

namespace kernelscope::wave::nvidia {

/// The round of a barrier that a warp has arrived for, and waits for the end
/// of.
using Arrival = std::optional<unsigned>;

struct Cta {
  explicit Cta(unsigned warps)
      : atBarrier(warps), atCluster(warps), atMBarrier(warps), products(warps) {
  }

  /// PTX ISA, "bar": 16 of them, which count threads.
  static constexpr unsigned numBarriers = 16;
  std::array<WaveBarrier, numBarriers> barriers;
  /// Of each warp, at one of those and at that of the cluster.
  std::vector<Arrival> atBarrier, atCluster;

  /// Where each warp waits for a phase of an mbarrier.
  std::vector<std::optional<uint64_t>> atMBarrier;

  /// Of each warp, those of wgmma.
  std::vector<PendingProducts> products;

  /// Its tensor core and tensor memory, from their first use on.
  TensorUnit &tensorUnit() {
    if (!tensor)
      tensor = std::make_unique<TensorUnit>();
    return *tensor;
  }
  std::unique_ptr<TensorUnit> tensor;

  /// Those of the whole cluster, in its first CTA.
  std::unique_ptr<SharedRaces> races;
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_CTA_H
