//===- Workgroup.h - Waves that share LDS -----------------------*- C++ -*-===//
//
// Its waves run one at a time, in turn, each until it waits; so do those of the
// workgroups of a cluster, which are at work together.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H
#define KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H

#include "executor/wave/Hostcall.h"
#include "executor/wave/LdsRaces.h"
#include "executor/wave/Wave.h"
#include <deque>
#include <map>
#include <memory>

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
      meeting.endRound();
    }
  }
  unsigned round() const { return rounds; }

  /// Of AMD's.
  Meeting meeting;

private:
  unsigned arrived = 0, rounds = 0;
};

/// The first workgroup of each cluster that has not started, in their order.
using WaitingClusters = std::deque<std::array<uint32_t, 3>>;

/// What is the same for all workgroups of a launch.
struct Launch {
  const Program &program;
  const GlobalMemory &global;
  /// Each parameter's bits, as the launcher passes them.
  std::vector<std::vector<char>> parameters;
  std::array<uint32_t, 3> grid{1, 1, 1};
  WaitingClusters &waiting;
  unsigned clusterSize = 1;
  unsigned waves = 1;
  uint64_t ldsBytes = 0;
  uint64_t maxSteps = 0;
  bool findsRaces = false;
  /// Where what NVIDIA's kernels print goes; null for nowhere.
  llvm::raw_ostream *print = nullptr;
  /// AMD's kernels print through it.
  Hostcall *hostcall = nullptr;
  /// Set when an atomic has changed global memory.
  mutable bool hasChanged = false;
};

class Cluster;
namespace nvidia {
struct Cta;
}

/// NVIDIA's shared memory has addresses of a cluster: bits from this one on are
/// the rank of the CTA.
constexpr uint64_t sharedWindow = uint64_t{1} << 24;

class Workgroup {
public:
  /// That of number `rank` in its cluster.
  Workgroup(const Launch &launch, Cluster &cluster, unsigned rank);
  ~Workgroup();

  /// Puts its waves at the start of the kernel.
  void start(std::array<uint32_t, 3> id);
  /// Gives each wave a turn, up to a failure; false when all have ended.
  bool takeTurns();
  /// Fails for the first wave that has not ended: none can continue.
  void failAsDeadlock();
  /// Fails if its waves have ended without giving back what they took.
  void checkEnd();

  const Launch &launch;
  const unsigned rank;
  /// What its LDS has before addresses: zero, but in NVIDIA's clusters.
  uint64_t ldsBase() const {
    return launch.program.target->isNvidia() ? rank * sharedWindow : 0;
  }
  Cluster &cluster() const { return owner; }
  /// What only NVIDIA's have.
  std::unique_ptr<nvidia::Cta> cta;
  std::array<uint32_t, 3> id{};
  std::vector<char> lds;
  WaveBarrier barrier;
  LdsRaces races;
  /// For a wave: the round of the barrier that it has arrived for.
  std::vector<std::optional<unsigned>> arrivals;
  /// Barriers of some of its waves, by the addresses that LLVM's variables
  /// have.
  std::map<uint64_t, WaveBarrier> namedBarriers;
  /// What a wave has to do with them.
  struct Membership {
    std::optional<uint64_t> joined;
    /// The round of the barrier joined that it has arrived for.
    std::optional<unsigned> arrival;
  };
  std::vector<Membership> memberships;
  /// Barriers in LDS, by their addresses.
  std::map<uint64_t, Meeting> ldsBarriers;
  /// What this workgroup's waves know of each other at the cluster's barrier.
  Meeting clusterMeeting;
  /// Of the barrier of AMD's clusters: the signals so far, and for a wave the
  /// phases that it has waited for.
  unsigned clusterSignals = 0;
  std::vector<unsigned> clusterRounds;
  std::optional<Failure> failure;
  /// Steps of all waves so far, and those of them from one poll to the next.
  uint64_t steps = 0, idleSteps = 0;

  unsigned numWaves() const { return static_cast<unsigned>(waves.size()); }
  /// Finishes the oldest copy that one of its waves has in flight; false if
  /// there is none.
  bool finishTransfer();

private:
  void passParameters(Wave &wave);

  Cluster &owner;
  std::deque<Wave> waves;
};

/// Workgroups that run at the same time.
class Cluster {
public:
  explicit Cluster(const Launch &launch);

  /// Puts the workgroups from this id on at the start of the kernel.
  void start(std::array<uint32_t, 3> first);
  enum class Stop { Ended, Failed, LooksAgain };
  /// Runs the workgroups to their end, or to a failure, or until a wave finds
  /// the same again in global memory: it may wait for other workgroups.
  Stop run();
  /// Whose failure it is, after Stop::Failed.
  const Failure &failure() const;
  /// `wave` finds the same again.
  void looksAgain(Wave &wave) { looking = {&wave, wave.source()}; }
  /// Fails where a wave looks: no workgroup changes what it finds. `state` says
  /// what the others do.
  void failLooking(const llvm::Twine &state);

  unsigned size() const { return static_cast<unsigned>(groups.size()); }
  Workgroup &group(unsigned rank) { return groups[rank]; }
  /// The bytes at an address of the cluster; null outside of all its memory.
  char *findShared(uint64_t address, uint64_t bytes);

  /// Work that `wave` has given a unit beside the waves takes effect as late as
  /// may be: when no wave can continue without it, the oldest first.
  void issue(Wave &wave, std::function<void(Wave &)> work);
  /// Finishes the oldest work or copy that is in flight; false if there is
  /// none.
  bool finishOldest();

  /// Of all waves of the cluster.
  WaveBarrier barrier;

private:
  std::deque<Workgroup> groups;
  struct Work {
    Wave &wave;
    const llvm::Instruction *source;
    std::function<void(Wave &)> run;
  };
  std::deque<Work> pending;
  /// Work of all waves at the last turn, and turns without any.
  uint64_t before = 0;
  unsigned idleTurns = 0;
  /// The wave that finds the same again, and its instruction.
  std::pair<Wave *, const llvm::Instruction *> looking;
};

/// A load for all workgroups of a cluster that have a bit in `ctas`: each
/// requests its own, and the hardware loads once if the requests coincide.
/// False, with a failure, where the wave's is not among them.
bool checkMulticast(Wave &wave, uint64_t ctas);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_WORKGROUP_H
