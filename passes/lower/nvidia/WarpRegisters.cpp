//===- WarpRegisters.cpp - Registers moved between warps ------------------===//

#include "passes/lower/nvidia/WarpRegisters.h"
#include "passes/lower/support/Partitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace kernelscope::lower {

/// Registers of 32 bits that a multiprocessor has, and so a block can have
/// (CUDA C++ Programming Guide, "Compute Capabilities": the same on all chips).
static constexpr unsigned fileSize = 64 * 1024;
static constexpr unsigned lanes = 32;
static constexpr unsigned step = 8;

/// What each of `warps` gets of `pool` registers per lane.
static unsigned share(unsigned pool, unsigned warps) {
  return std::min<unsigned>(llvm::alignDown(pool / warps, step), maxRegisters);
}

static unsigned minus(unsigned a, unsigned b) { return a > b ? a - b : 0; }

unsigned WarpRegisters::rounded(int64_t registers) {
  int64_t clamped = std::clamp<int64_t>(registers, minRegisters, maxRegisters);
  return static_cast<unsigned>(llvm::alignTo(clamped, step));
}

WarpRegisters::WarpRegisters(unsigned defaultWarps, unsigned totalWarps,
                             unsigned launch)
    : defaultWarps(defaultWarps), totalWarps(totalWarps),
      launch(launch ? launch : share(fileSize / lanes, totalWarps)) {
  unsigned pool = this->launch * totalWarps;
  unsigned extraWarps = totalWarps - defaultWarps;
  idleDefault =
      std::max(minRegisters,
               share(minus(pool, minRegisters * extraWarps), defaultWarps));
  idleExtra = std::max(
      minRegisters, share(minus(pool, idleDefault * defaultWarps), extraWarps));
}

llvm::SmallVector<RegisterGroup>
groupsFor(llvm::ArrayRef<ExecutionScope> scopes, unsigned begin, unsigned end) {
  llvm::SmallVector<RegisterGroup> groups;
  for (unsigned warp = begin; warp < end; warp += warpGroupSize) {
    bool goesOn = llvm::any_of(scopes, [&](const ExecutionScope &scope) {
      return scope.firstWarp < warp && warp < scope.firstWarp + scope.warps;
    });
    if (goesOn && !groups.empty())
      groups.back().warps += warpGroupSize;
    else
      groups.push_back({warp, warpGroupSize, 0, {}});
  }
  for (auto [i, scope] : llvm::enumerate(scopes))
    for (RegisterGroup &group : groups)
      if (group.firstWarp <= scope.firstWarp && scope.firstWarp < group.end())
        group.partitions.push_back(i);
  return groups;
}

void WarpRegisters::grant(llvm::MutableArrayRef<RegisterGroup> groups,
                          llvm::ArrayRef<int32_t> requests) const {
  for (RegisterGroup &group : groups) {
    group.registers = requests.empty() ? idleExtra : minRegisters;
    if (!requests.empty())
      for (unsigned partition : group.partitions)
        group.registers =
            std::max(group.registers, rounded(requests[partition]));
  }
}

std::optional<unsigned>
WarpRegisters::defaultBeside(llvm::ArrayRef<RegisterGroup> groups) const {
  unsigned taken = 0;
  for (const RegisterGroup &group : groups)
    taken += group.registers * group.warps;
  unsigned left = share(minus(launch * totalWarps, taken), defaultWarps);
  if (left < minRegisters)
    return std::nullopt;
  return left;
}

} // namespace kernelscope::lower
