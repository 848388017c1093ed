//===- PeakRates.cpp - What a device can do at most -----------------------===//

#include "dialects/target/PeakRates.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

namespace {

/// Operations of dense products in a clock of a multiprocessor (on AMD, a
/// compute unit) with operands of 16, 8 and 32 bits (tf32), zero where a chip
/// has no such products: the published rates divided by clock and
/// multiprocessors. NVIDIA: the architecture white papers (A100, H100,
/// Blackwell; GA102 and AD102 with f32 accumulators). AMD: the CDNA 3 and CDNA
/// 4 white papers, and the data sheets of the Radeon RX 7900 XTX and 9070 XT.
/// Nothing is published for gfx1250.
struct ProductRate {
  llvm::StringLiteral arch; ///< Without a suffix: "sm_90".
  unsigned with16Bits, with8Bits, with32Bits;
};

constexpr ProductRate productRates[] = {
    {"sm_75", 1024, 2048, 0},      {"sm_80", 2048, 4096, 1024},
    {"sm_86", 1024, 2048, 512},    {"sm_87", 1024, 2048, 512},
    {"sm_89", 1024, 2048, 512},    {"sm_90", 4096, 8192, 2048},
    {"sm_100", 8192, 16384, 4096}, {"sm_103", 8192, 16384, 4096},
    {"gfx90a", 1024, 1024, 0},     {"gfx942", 2048, 4096, 1024},
    {"gfx950", 4096, 8192, 0},     {"gfx1100", 512, 512, 0},
    {"gfx1101", 512, 512, 0},      {"gfx1200", 1024, 2048, 0},
    {"gfx1201", 1024, 2048, 0},
};

} // namespace

std::optional<double>
kernelscope::peakGigabytesPerSecond(const DeviceClocks &clocks) {
  double rate = clocks.transfersPerMemoryClock * clocks.memoryGigahertz *
                clocks.memoryBits / 8;
  return rate > 0 ? std::optional<double>(rate) : std::nullopt;
}

std::optional<double> kernelscope::peakTeraflops(const Target &target,
                                                 const DeviceClocks &clocks,
                                                 unsigned operandBits) {
  llvm::StringRef arch = target.arch;
  const auto *row = llvm::find_if(productRates, [&](const ProductRate &rate) {
    return arch == rate.arch || arch.drop_back() == rate.arch;
  });
  double perClock = clocks.gigahertz * clocks.multiprocessors;
  if (row == std::end(productRates) || perClock <= 0)
    return std::nullopt;
  unsigned rate = operandBits == 8    ? row->with8Bits
                  : operandBits == 16 ? row->with16Bits
                  : operandBits == 32 ? row->with32Bits
                                      : 0;
  return rate ? std::optional<double>(perClock * rate / 1000) : std::nullopt;
}
