//===- LdsRaces.h - Accesses to LDS that nothing orders ---------*- C++ -*-===//
//
// A lane that reads what a lane of another wave stored, or stores to what one
// read, with no barrier of both between, does so only by luck: waves run in any
// order on the chip. So does an access to what a copy is writing.
//
// Vector clocks detect this: a wave's own time advances whenever it arrives at
// a barrier, and those that wait there learn the times of all that have
// arrived.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H
#define KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H

#include "executor/wave/Clock.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelscope::wave {

class LdsRaces {
public:
  /// Forgets all accesses: those of an earlier workgroup. With 0 bytes nothing
  /// is followed.
  void start(uint64_t bytes, unsigned waves) {
    stores.assign(bytes, Access());
    loads.assign(bytes, Access());
    earlierLoads.assign(bytes, Access());
    copies.assign(bytes, Copies());
    clocks.assign(bytes ? waves : 0, Clock());
    for (unsigned wave = 0; wave < clocks.size(); ++wave)
      clocks[wave].set(wave, 1);
  }

  /// What the wave has done so far comes before this round's end.
  void arrive(unsigned wave, Meeting &barrier) {
    if (clocks.empty())
      return;
    barrier.arriving.join(clocks[wave]);
    clocks[wave].set(wave, clocks[wave].at(wave) + 1);
  }
  /// The wave has waited for the end of a round.
  void pass(unsigned wave, const Meeting &barrier) {
    if (!clocks.empty())
      clocks[wave].join(barrier.ended);
  }

  struct Access {
    /// Of the wave; 0 for none.
    uint32_t time = 0;
    uint16_t wave = 0;
    uint16_t lane = 0;
  };

  void recordStore(uint64_t address, uint64_t bytes, unsigned wave,
                   unsigned lane) {
    record(stores, address, bytes, wave, lane);
  }
  void recordLoad(uint64_t address, uint64_t bytes, unsigned wave,
                  unsigned lane) {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (isUnordered(loads[i], wave))
        earlierLoads[i] = loads[i];
    record(loads, address, bytes, wave, lane);
  }
  /// The store of another wave that nothing orders before a load by `wave`.
  std::optional<Access> findStore(uint64_t address, uint64_t bytes,
                                  unsigned wave) const {
    return find(stores, address, bytes, wave);
  }
  /// The load of another wave that nothing orders before a store by `wave`.
  std::optional<Access> findLoad(uint64_t address, uint64_t bytes,
                                 unsigned wave) const {
    if (auto found = find(loads, address, bytes, wave))
      return found;
    return find(earlierLoads, address, bytes, wave);
  }

  /// A copy of `wave` is in flight from or to these bytes.
  void beginCopy(uint64_t address, uint64_t bytes, unsigned wave,
                 bool writesLds) {
    for (uint64_t i = address; i < address + bytes; ++i) {
      ++(writesLds ? copies[i].writers : copies[i].readers);
      copies[i].wave = static_cast<uint16_t>(wave);
    }
  }
  void endCopy(uint64_t address, uint64_t bytes, bool writesLds) {
    for (uint64_t i = address; i < address + bytes; ++i)
      --(writesLds ? copies[i].writers : copies[i].readers);
  }
  /// A copy to these bytes takes effect, after its end. Whether it stores what
  /// one has stored that was in flight with it: warps that hold the same part
  /// of a tensor copy it each.
  bool agrees(uint64_t address, llvm::ArrayRef<char> stored,
              const char *present) {
    bool equal = true;
    for (uint64_t i = 0; i < stored.size(); ++i) {
      Copies &copy = copies[address + i];
      equal &= !copy.isStored || stored[i] == present[i];
      copy.isStored = copy.writers != 0;
    }
    return equal;
  }
  /// The wave whose copy is reading these bytes.
  std::optional<unsigned> findReader(uint64_t address, uint64_t bytes) const {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (copies[i].readers)
        return copies[i].wave;
    return std::nullopt;
  }
  /// The wave whose copy is writing these bytes, or for a store also reading
  /// them.
  std::optional<unsigned> findCopy(uint64_t address, uint64_t bytes,
                                   bool isStore) const {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (copies[i].writers || (isStore && copies[i].readers))
        return copies[i].wave;
    return std::nullopt;
  }

private:
  void record(std::vector<Access> &accesses, uint64_t address, uint64_t bytes,
              unsigned wave, unsigned lane) {
    for (uint64_t i = address; i < address + bytes; ++i)
      accesses[i] = {clocks[wave].at(wave), static_cast<uint16_t>(wave),
                     static_cast<uint16_t>(lane)};
  }
  bool isUnordered(const Access &access, unsigned wave) const {
    return access.time > clocks[wave].at(access.wave) && access.wave != wave;
  }
  std::optional<Access> find(const std::vector<Access> &accesses,
                             uint64_t address, uint64_t bytes,
                             unsigned wave) const {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (isUnordered(accesses[i], wave))
        return accesses[i];
    return std::nullopt;
  }

  struct Copies {
    uint16_t writers = 0, readers = 0, wave = 0;
    /// By a copy that ended before one of `writers`.
    bool isStored = false;
  };

  /// The last ones, and of loads those of another wave before them.
  std::vector<Access> stores, loads, earlierLoads;
  std::vector<Copies> copies;
  /// What each wave knows.
  std::vector<Clock> clocks;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H
