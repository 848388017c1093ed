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

std::optional<Occupancy> kernelscope::occupancyOf(const Target &target,
                                                  const CtaResources &cta) {
  if (!target.isNvidia() || cta.warps == 0)
    return std::nullopt;
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
  std::pair<unsigned, llvm::StringRef> most[] = {
      {numRegisters / parts / ofWarp * parts / cta.warps, "registers"},
      {shared ? chip->sharedBytes / shared : ~0u, "shared memory"},
      {chip->maxWarps / cta.warps, "warps"},
      {chip->maxCtas, "CTAs"}};
  Occupancy found;
  found.ctas = llvm::min_element(most)->first;
  if (found.ctas == 0)
    return std::nullopt;
  found.warps = found.ctas * cta.warps;
  found.maxWarps = chip->maxWarps;
  for (auto [ctas, name] : most)
    if (ctas == found.ctas)
      found.limits.push_back(name);
  return found;
}
