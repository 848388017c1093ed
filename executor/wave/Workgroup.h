//===- Workgroup.h - Waves that share LDS -----------------------*- C++ -*-===//
//
// Its waves run one at a time, in turn, each until it waits.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H
#define KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H

#include "executor/wave/LdsRaces.h"
#include "executor/wave/Wave.h"
#include <deque>

namespace kernelscope::wave {

/// A barrier of the waves of a workgroup. Arriving and waiting are apart, as on
/// gfx12.
class WaveBarrier {
public:
  /// One more wave is there; the last one starts the next round.
  void arrive(unsigned expected) {
    if (++arrived >= expected) {
      arrived = 0;
      ++rounds;
    }
  }
  unsigned round() const { return rounds; }

private:
  unsigned arrived = 0, rounds = 0;
};

/// What is the same for all workgroups of a launch.
struct Launch {
  const Program &program;
  const GlobalMemory &global;
  /// Each parameter's bits, as the launcher passes them.
  std::vector<std::vector<char>> parameters;
  std::array<uint32_t, 3> grid{1, 1, 1};
  unsigned clusterSize = 1;
  unsigned waves = 1;
  uint64_t ldsBytes = 0;
  uint64_t maxSteps = 0;
  bool findsRaces = false;
};

class Workgroup {
public:
  explicit Workgroup(const Launch &launch);

  /// Runs the workgroup with this id to its end, or to a failure.
  std::optional<Failure> run(std::array<uint32_t, 3> id);

  const Launch &launch;
  std::array<uint32_t, 3> id{};
  std::vector<char> lds;
  WaveBarrier barrier;
  LdsRaces races;
  /// For a wave: the round of the barrier that it has arrived for.
  std::vector<std::optional<unsigned>> arrivals;
  std::optional<Failure> failure;
  /// Steps of all waves so far.
  uint64_t steps = 0;

  unsigned numWaves() const { return static_cast<unsigned>(waves.size()); }

private:
  void passParameters(Wave &wave);

  std::deque<Wave> waves;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H
