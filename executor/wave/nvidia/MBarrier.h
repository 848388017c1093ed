//===- MBarrier.h - Barriers in shared memory -------------------*- C++ -*-===//
//
// PTX ISA, "mbarrier": 64 bits of shared memory, which only these instructions
// may touch. How the chip uses the bits is not known; here a mark distinguishes
// them from memory that is not a barrier.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_MBARRIER_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_MBARRIER_H

#include "executor/wave/nvidia/Ptx.h"

namespace kernelscope::wave {
class Cluster;
} // namespace kernelscope::wave

namespace kernelscope::wave::nvidia {

/// One barrier's state.
class MBarrier {
public:
  static constexpr uint64_t bytes = 8;
  static constexpr uint64_t maxCount = (uint64_t{1} << 20) - 1;

  /// That awaits `count` arrivals in each phase.
  explicit MBarrier(uint64_t count)
      : count(count & maxCount), pending(count & maxCount), bytesLeft(0),
        phase(0), mark(valid) {}
  /// None if the bits are not those of a barrier.
  static std::optional<MBarrier> read(const char *memory);
  void write(char *memory) const;

  /// Each is false, and changes nothing, where the PTX ISA leaves open what
  /// becomes of the barrier.
  bool arrive(uint64_t arrivals);
  bool add(uint64_t arrivals);
  /// Announces bytes, which the phase waits for.
  bool expect(int64_t size);
  /// So many of those are there.
  bool complete(int64_t size) { return expect(-size); }
  /// Whether the phase of this parity has ended: it is not the one at work.
  bool hasEnded(bool parity) const { return phase != parity; }
  /// "2 of 4 arrivals and 512 bytes": what the phase at work lacks.
  std::string missing() const;

private:
  MBarrier() = default;
  void endPhaseIfDone();

  static constexpr uint64_t valid = 1; // memory starts with ones

  uint64_t count : 20;
  uint64_t pending : 20;
  int64_t bytesLeft : 21;
  uint64_t phase : 1;
  uint64_t mark : 2;
};
static_assert(sizeof(MBarrier) == MBarrier::bytes);

/// The barrier at an address of the cluster; none where there is none.
std::optional<MBarrier> readBarrier(Cluster &cluster, uint64_t address);

/// "the mbarrier in shared memory at 24 of CTA 0, which lacks 1 of 1 arrivals
/// and 512 bytes".
std::string describeBarrier(Cluster &cluster, uint64_t address);

/// Fails `wave` where there is no barrier at an address of the cluster.
void requireBarrier(Wave &wave, uint64_t address);

/// Changes the barrier at an address of the cluster; fails `wave` where there
/// is none, or `change` says that it must not be.
void changeBarrier(Wave &wave, uint64_t address,
                   llvm::function_ref<bool(MBarrier &)> change);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_MBARRIER_H
