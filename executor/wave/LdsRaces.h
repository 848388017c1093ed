//===- LdsRaces.h - Who stored to LDS since the last barrier ----*- C++ -*-===//
//
// A lane that reads what a lane of another wave stored, with no barrier of the
// workgroup between, reads it only by luck: waves run in any order on the chip.
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
  /// Forgets all stores: those of an earlier workgroup.
  void start(uint64_t bytes) {
    stores.assign(bytes, Store());
    round = 1;
  }
  /// A barrier has ordered what was before it.
  void passBarrier() { ++round; }

  struct Store {
    uint32_t round = 0;
    uint16_t wave = 0;
    uint16_t lane = 0;
  };

  void recordStore(uint64_t address, uint64_t bytes, unsigned wave,
                   unsigned lane) {
    for (uint64_t i = address; i < address + bytes; ++i)
      stores[i] = {round, static_cast<uint16_t>(wave),
                   static_cast<uint16_t>(lane)};
  }
  /// The store of another wave that nothing orders before a load by `wave`.
  std::optional<Store> findStore(uint64_t address, uint64_t bytes,
                                 unsigned wave) const {
    for (uint64_t i = address; i < address + bytes; ++i)
      if (stores[i].round == round && stores[i].wave != wave)
        return stores[i];
    return std::nullopt;
  }

private:
  std::vector<Store> stores;
  uint32_t round = 1;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_LDSRACES_H
