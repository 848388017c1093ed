//===- LaneSwapPlan.cpp - Conversions by lanes that trade -----------------===//

#include "passes/lower/support/LaneSwapPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::lower;
using mlir::StringAttr;

namespace {
/// A bit of the register's or of the lane id.
struct PlaceBit {
  bool isLane;
  unsigned bit;
  bool operator==(const PlaceBit &) const = default;
};
} // namespace

/// The one bit of a place in the source that bit `bit` of `in` comes from;
/// nothing if it is several or another's.
static std::optional<PlaceBit> sourceBitOf(const Conversion &conversion,
                                           StringAttr in, unsigned bit) {
  std::optional<PlaceBit> found;
  const ttg::LayoutDims names(in.getContext());
  for (auto [out, value] : zip_equal(conversion.map.getOutDims(),
                                     conversion.map.getBasis(in, bit))) {
    if (value == 0)
      continue;
    if (found || !isPowerOf2_32(static_cast<uint32_t>(value)) ||
        (out.name != names.reg && out.name != names.lane))
      return std::nullopt;
    found = {out.name == names.lane, Log2_32(static_cast<uint32_t>(value))};
  }
  return found;
}

std::optional<LaneSwapPlan> lower::planLaneSwaps(const Conversion &conversion,
                                                 unsigned swappedLanes) {
  const LinearLayout &map = conversion.map;
  const ttg::LayoutDims names(map.getInDims().front().name.getContext());
  if (conversion.reach != Reach::Warp)
    return std::nullopt;
  // Warps and blocks choose no register.
  if (!map.sublayoutIsZero({names.warp, names.block}, {names.reg, names.lane}))
    return std::nullopt;

  // What the result needs at each place, and what is there.
  SmallVector<PlaceBit> wantedLanes, lanes;
  SmallVector<std::optional<PlaceBit>> wantedRegisters;
  for (unsigned bit = 0; bit < map.getInDimSizeLog2(names.lane); ++bit) {
    auto source = sourceBitOf(conversion, names.lane, bit);
    if (!source)
      return std::nullopt;
    wantedLanes.push_back(*source);
    lanes.push_back({true, bit});
  }
  for (unsigned bit = 0; bit < map.getInDimSizeLog2(names.reg); ++bit) {
    auto source = sourceBitOf(conversion, names.reg, bit);
    const bool isCopy = (map.getZeroMask(names.reg) >> bit & 1) != 0;
    if (!source && !isCopy)
      return std::nullopt;
    wantedRegisters.push_back(source);
  }
  SmallVector<PlaceBit> registers;
  for (unsigned bit = 0; bit < map.getOutDimSizeLog2(names.reg); ++bit)
    registers.push_back({false, bit});

  LaneSwapPlan plan;
  for (unsigned bit = lanes.size(); bit-- > 0;) {
    const PlaceBit wanted = wantedLanes[bit];
    if (lanes[bit] == wanted)
      continue;
    PlaceBit *held = find(registers, wanted);
    // One that is in another lane's bit would have to be brought here first.
    if (held == registers.end() || !(swappedLanes >> bit & 1))
      return std::nullopt;
    plan.swaps.push_back(
        {static_cast<unsigned>(held - registers.begin()), bit});
    std::swap(*held, lanes[bit]);
  }
  if (plan.swaps.empty())
    return std::nullopt;

  plan.registers.push_back(0);
  for (const std::optional<PlaceBit> &wanted : wantedRegisters) {
    unsigned step = 0;
    if (wanted) {
      const PlaceBit *held = find(registers, *wanted);
      if (held == registers.end())
        return std::nullopt;
      step = 1u << (held - registers.begin());
    }
    for (size_t i = 0, size = plan.registers.size(); i < size; ++i)
      plan.registers.push_back(plan.registers[i] | step);
  }
  return plan;
}
