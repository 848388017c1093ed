//===- PeakRates.cpp - What a device can do at most -----------------------===//

#include "dialects/target/PeakRates.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

namespace {

/// Operations of dense f16 products in a clock of a multiprocessor, from the
/// rates in NVIDIA's architecture white papers (A100, H100, Blackwell; GA102
/// and AD102 with f32 accumulators), divided by clock and multiprocessors.
/// Twice with 8 bits, half with tf32.
struct ProductRate {
  unsigned capability;
  unsigned operationsPerClock;
};

constexpr ProductRate productRates[] = {
    {75, 1024}, {80, 2048}, {86, 1024},  {87, 1024},
    {89, 1024}, {90, 4096}, {100, 8192}, {103, 8192},
};

} // namespace

std::optional<double>
kernelscope::peakGigabytesPerSecond(const DeviceClocks &clocks) {
  double rate = 2 * clocks.memoryGigahertz * clocks.memoryBits / 8;
  return rate > 0 ? std::optional<double>(rate) : std::nullopt;
}

std::optional<double> kernelscope::peakTeraflops(const Target &target,
                                                 const DeviceClocks &clocks,
                                                 unsigned operandBits) {
  const auto *row = llvm::find_if(productRates, [&](const ProductRate &rate) {
    return target.isNvidia() && rate.capability == target.isaVersion;
  });
  double perClock = clocks.gigahertz * clocks.multiprocessors;
  if (row == std::end(productRates) || perClock <= 0 ||
      (operandBits != 8 && operandBits != 16 && operandBits != 32))
    return std::nullopt;
  return perClock * row->operationsPerClock * 16 / operandBits / 1000;
}
