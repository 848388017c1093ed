//===- Memory.h - What a simulated GPU's addresses reach --------*- C++ -*-===//
//
// Global memory is the host's: a pointer of the kernel is one of this process,
// and each access is checked against the ranges that were allocated. LDS and
// private memory are addressed from zero, and through generic pointers by
// apertures in which no memory of the host lies.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_MEMORY_H
#define KERNELSCOPE_EXECUTOR_WAVE_MEMORY_H

#include "executor/wave/Scalar.h"
#include <map>
#include <string>

namespace kernelscope::wave {

/// Where LDS and private memory are for generic pointers.
constexpr uint64_t ldsAperture = uint64_t{1} << 48;
constexpr uint64_t privateAperture = uint64_t{2} << 48;
constexpr uint64_t apertureMask = ~((uint64_t{1} << 48) - 1);

/// The global memory that a kernel may access.
class GlobalMemory {
public:
  /// Allows accesses to `bytes` bytes at `data`, which stay the caller's.
  void allow(uint64_t data, uint64_t bytes) { ranges[data] = bytes; }
  void forbid(uint64_t data) { ranges.erase(data); }
  /// Whether all of these bytes are in one range.
  bool holds(uint64_t address, uint64_t bytes) const {
    auto after = ranges.upper_bound(address);
    if (after == ranges.begin())
      return false;
    auto [begin, size] = *std::prev(after);
    return address - begin <= size && bytes <= size - (address - begin);
  }
  /// "4 bytes past the end of a buffer of 100 bytes", for people.
  std::string describe(uint64_t address) const;

private:
  std::map<uint64_t, uint64_t> ranges;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_MEMORY_H
