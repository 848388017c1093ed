//===- Occupancy.cpp - How many CTAs a multiprocessor holds at once -------===//

#include "dialects/target/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;

namespace {

/// A multiprocessor from this compute capability on, up to the next row.
struct Multiprocessor {
  unsigned capability, maxWarps, maxCtas, sharedBytes;
};

constexpr unsigned kibibyte = 1024;

constexpr Multiprocessor multiprocessors[] = {
    {75, 32, 16, 64 * kibibyte},   {80, 64, 32, 164 * kibibyte},
    {86, 48, 16, 100 * kibibyte},  {89, 48, 24, 100 * kibibyte},
    {90, 64, 32, 228 * kibibyte},  {100, 64, 32, 228 * kibibyte},
    {120, 48, 24, 100 * kibibyte},
};

/// Registers of a multiprocessor; it gives them to a warp by so many, and warps
/// are spread over four parts of it.
constexpr unsigned numRegisters = 64 * kibibyte, registerUnit = 256, parts = 4;
constexpr unsigned sharedUnit = 128;

} // namespace

namespace {
/// CTAs that a resource has room for, and its name.
using Room = std::pair<unsigned, llvm::StringRef>;
} // namespace

/// What is used up first of a multiprocessor that holds `maxWarps` of any
/// kernel.
static std::optional<Occupancy> scarcest(llvm::ArrayRef<Room> rooms,
                                         unsigned warps, unsigned maxWarps) {
  Occupancy found;
  found.ctas = llvm::min_element(rooms)->first;
  if (found.ctas == 0)
    return std::nullopt;
  found.warps = found.ctas * warps;
  found.maxWarps = maxWarps;
  for (auto [ctas, name] : rooms)
    if (ctas == found.ctas)
      found.limits.push_back(name);
  return found;
}

unsigned kernelscope::maxWavesPerSimd(const Target &target) {
  if (target.isNvidia())
    return 0;
  return target.warpSize == 64 ? 8 : 16;
}

unsigned kernelscope::maxVectorRegisters(const Target &target) {
  if (target.isNvidia())
    return 0;
  if (target.family == Family::GFX1250)
    return 1024;
  return target.warpSize == 64 ? 512 : 256;
}

static std::optional<Occupancy> occupancyOfAmd(const Target &target,
                                               const CtaResources &cta) {
  constexpr unsigned simds = 4;
  const bool isCdna = target.warpSize == 64;
  const unsigned maxWaves = maxWavesPerSimd(target) * simds;
  // Two compute units of RDNA share their LDS.
  const unsigned shared =
      target.maxSharedBytes *
      (!isCdna && target.maxSharedBytes <= 64 * kibibyte ? 2 : 1);
  if (cta.wavesPerSimd == 0)
    return std::nullopt;
  const Room rooms[] = {
      {cta.wavesPerSimd * simds / cta.warps, "registers"},
      {cta.sharedBytes ? shared / cta.sharedBytes : ~0u, "shared memory"},
      {maxWaves / cta.warps, "warps"}};
  return scarcest(rooms, cta.warps, maxWaves);
}

std::optional<Occupancy> kernelscope::occupancyOf(const Target &target,
                                                  const CtaResources &cta) {
  if (cta.warps == 0)
    return std::nullopt;
  if (!target.isNvidia())
    return occupancyOfAmd(target, cta);
  const auto *chip = std::prev(
      llvm::upper_bound(multiprocessors, target.isaVersion,
                        [](unsigned capability, const Multiprocessor &row) {
                          return capability < row.capability;
                        }));
  // Since Ampere the system keeps a kibibyte for each CTA.
  unsigned shared = llvm::alignTo(
      cta.sharedBytes + (target.isaVersion >= 80 ? kibibyte : 0), sharedUnit);
  unsigned ofWarp = llvm::alignTo(std::max(cta.registers, 1u) * target.warpSize,
                                  registerUnit);
  const Room rooms[] = {
      {numRegisters / parts / ofWarp * parts / cta.warps, "registers"},
      {shared ? chip->sharedBytes / shared : ~0u, "shared memory"},
      {chip->maxWarps / cta.warps, "warps"},
      {chip->maxCtas, "CTAs"}};
  return scarcest(rooms, cta.warps, chip->maxWarps);
}
