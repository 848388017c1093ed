//===- SharedRaces.h - What nothing orders in shared memory -----*- C++ -*-===//
//
// By vector clocks: a warp, and a unit beside the warps that works for one, are
// agents, and each knows how far the others were when it last heard of them, by
// a barrier of threads, an mbarrier, or a wait for its own asynchronous work.
// PTX ISA, "Memory Consistency Model", at the grain of warps.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDRACES_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDRACES_H

#include "executor/wave/Clock.h"
#include "executor/wave/Wave.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace kernelscope::wave::nvidia {

/// Where agents meet: the address of an mbarrier in the cluster, or one of
/// these.
uint64_t placeOfBarrier(unsigned rank, uint64_t number);
constexpr uint64_t placeOfCluster = uint64_t{2} << 40;

/// Units that work for a warp, and for whose work it waits without an mbarrier.
/// The tensor core's work completes on mbarriers, in order.
enum class Unit : uint8_t { AsyncCopy, BulkStore, Wgmma, TensorCore };
uint64_t placeOfUnit(const Wave &wave, Unit unit);

/// Of all CTAs of a cluster.
class SharedRaces {
public:
  SharedRaces(unsigned ctas, unsigned warps, uint64_t bytes);
  /// Those of the cluster of `wave`; null where none are looked for.
  static SharedRaces *of(const Wave &wave);

  /// What `wave`, or what acts for it, has done comes before the end of the
  /// round at `place`.
  void arrive(const Wave &wave, uint64_t place);
  void endRound(uint64_t place);
  /// What came before the rounds that have ended comes before what `wave` does
  /// next.
  void pass(const Wave &wave, uint64_t place);
  /// A new barrier is at `place`.
  void forget(uint64_t place) { meetings.erase(place); }

  /// Who accesses memory, and what it knows.
  struct Actor {
    unsigned agent;
    Clock clock;
  };
  /// The unit at `place` (the mbarrier on which it completes, for copies) gets
  /// work from `wave`.
  Actor startWork(const Wave &wave, uint64_t place);
  /// Until it is null, accesses are those of `actor`.
  void act(const Actor *actor) { acting = actor; }
  bool isActing() const { return acting; }

  /// Records an access; what is wrong with it, for people, or nothing.
  std::string access(const Wave &wave, uint64_t address, uint64_t bytes,
                     unsigned lane, bool isStore);

private:
  struct Access {
    uint32_t time = 0;
    uint16_t agent = 0;
    uint16_t lane = 0;
  };
  /// The last store, the last load, and one of another agent before it that it
  /// did not know of.
  struct Byte {
    Access store, load, earlierLoad;
  };
  struct Agent {
    unsigned warp;
    const char *unit; ///< null for a warp
  };

  unsigned agentOf(const Wave &wave) const;
  /// The clock of the actor that acts for `wave` now.
  const Clock &clockOf(const Wave &wave) const;
  void advance(unsigned agent);
  const Access *findConflict(const Byte &byte, const Clock &clock, bool isUnit,
                             bool isStore) const;
  std::string describe(const Access &access) const;

  unsigned warpsOfCta;
  std::vector<Agent> agents;
  std::vector<Clock> clocks; ///< of warps
  std::map<std::pair<unsigned, uint64_t>, unsigned> units;
  std::vector<uint32_t> unitTimes; ///< by agent
  llvm::DenseMap<uint64_t, Meeting> meetings;
  std::vector<std::vector<Byte>> memories; ///< of each CTA
  const Actor *acting = nullptr;
};

/// Fails `wave` where an access to an address of the cluster is not ordered
/// after what others have done there.
bool checkOrder(Wave &wave, uint64_t address, uint64_t bytes, unsigned lane,
                bool isStore);

/// `work` as the unit at `place` does it for `wave`, which issues it now.
std::function<void(Wave &)> asWorkOf(const Wave &wave, uint64_t place,
                                     std::function<void(Wave &)> work);
/// The same for one of the warp's own units, for which it waits by
/// `passUnit`.
std::function<void(Wave &)> asWorkOf(const Wave &wave, Unit unit,
                                     std::function<void(Wave &)> work);
/// `wave` has waited for what the unit has finished.
void passUnit(const Wave &wave, Unit unit);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDRACES_H
