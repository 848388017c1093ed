//===- LdsRaces.h - Who accessed LDS since the last barrier -----*- C++ -*-===//
//
// A lane that reads what a lane of another wave stored, or stores to what one
// read, with no barrier of the workgroup between, does so only by luck: waves
// run in any order on the chip. So does who touches what a copy is writing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H
#define KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H

#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelscope::wave {

class LdsRaces {
public:
  /// Forgets all accesses: those of an earlier workgroup.
  void start(uint64_t bytes) {
    stores.assign(bytes, Access());
    loads.assign(bytes, Access());
    earlierLoads.assign(bytes, Access());
    copies.assign(bytes, Copies());
    round = 1;
  }
  /// A barrier has ordered what was before it.
  void passBarrier() { ++round; }

  struct Access {
    uint32_t round = 0;
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
      if (loads[i].round == round && loads[i].wave != wave)
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

  /// A copy of `wave` is under way from or to these bytes.
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
      accesses[i] = {round, static_cast<uint16_t>(wave),
                     static_cast<uint16_t>(lane)};
  }
  std::optional<Access> find(const std::vector<Access> &accesses,
                             uint64_t address, uint64_t bytes,
                             unsigned wave) const {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (accesses[i].round == round && accesses[i].wave != wave)
        return accesses[i];
    return std::nullopt;
  }

  struct Copies {
    uint16_t writers = 0, readers = 0, wave = 0;
  };

  /// The last ones, and of loads those of another wave before them.
  std::vector<Access> stores, loads, earlierLoads;
  std::vector<Copies> copies;
  uint32_t round = 1;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H
