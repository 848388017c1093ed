//===- PeakRates.h - What a device can do at most ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_PEAKRATES_H
#define KERNELSCOPE_DIALECTS_TARGET_PEAKRATES_H

#include "dialects/target/Target.h"

namespace kernelscope {

/// What a driver says of one device; zero where it says nothing. Devices of one
/// architecture differ in all of these (H100, H200).
struct DeviceClocks {
  unsigned multiprocessors = 0;
  double gigahertz = 0; ///< of the multiprocessors, at most
  double memoryGigahertz = 0;
  unsigned memoryBits = 0; ///< of the bus
  unsigned transfersPerMemoryClock = 2;
};

/// Of memory. Nothing without clocks.
std::optional<double> peakGigabytesPerSecond(const DeviceClocks &clocks);

/// Of dense matrix products whose operands have `operandBits` (8, 16, or 32 for
/// tf32), in 10^12 operations in a second, an addition and a multiplication
/// each. Nothing for a chip or a type whose rate we do not know.
std::optional<double> peakTeraflops(const Target &target,
                                    const DeviceClocks &clocks,
                                    unsigned operandBits);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_PEAKRATES_H
