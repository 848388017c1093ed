//===- SharedBanks.cpp - bank conflicts of accesses to shared memory ------===//

#include "dialects/layout/SharedBanks.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"

using namespace kernelscope;
using llvm::SmallVector;
using mlir::StringAttr;

SmallVector<unsigned> kernelscope::vectorBits(const LinearLayout &offsets,
                                              StringAttr reg,
                                              unsigned maxElements,
                                              SharedGaps gaps, int32_t taken) {
  for (auto [interval, padding] : gaps)
    maxElements =
        std::min({maxElements, interval, 1u << llvm::countr_zero(padding)});
  SmallVector<unsigned> bits;
  while (1u << bits.size() < maxElements) {
    unsigned step = bits.size();
    std::optional<unsigned> found;
    unsigned movers = taken >> step & 1;
    for (const LinearLayout::Dim &in : offsets.getInDims())
      for (unsigned bit = 0; bit < in.log2; ++bit) {
        int32_t basis = offsets.getBasis(in.name, bit).front();
        movers += basis >> step & 1;
        if (in.name == reg && basis == int32_t(1) << step)
          found = bit;
      }
    if (!found || movers != 1)
      break;
    bits.push_back(*found);
  }
  return bits;
}

/// Lanes that are served together: all sums of `basis` and of one more lane.
static SmallVector<SmallVector<unsigned>>
groupLanes(unsigned lanes, llvm::ArrayRef<unsigned> basis) {
  SmallVector<SmallVector<unsigned>> groups;
  SmallVector<bool> isGrouped(lanes, false);
  for (unsigned first = 0; first < lanes; ++first) {
    if (isGrouped[first])
      continue;
    SmallVector<unsigned> &group = groups.emplace_back();
    for (unsigned sum = 0; sum < 1u << basis.size(); ++sum) {
      unsigned lane = first;
      for (unsigned i = 0; i < basis.size(); ++i)
        if (sum >> i & 1)
          lane ^= basis[i];
      if (lane < lanes && !isGrouped[lane]) {
        isGrouped[lane] = true;
        group.push_back(lane);
      }
    }
  }
  return groups;
}

AccessCost kernelscope::accessCost(const LinearLayout &offsets, SharedGaps gaps,
                                   unsigned elementBits,
                                   const SharedBanks &memory, bool isLoad) {
  constexpr unsigned wordBits = 32;
  // Without gaps, another register or warp changes the same bits of the offsets
  // of all lanes, so that words in different banks stay in different ones.
  const unsigned maxInstructions = gaps.empty() ? 1 : 32;
  const int32_t maxWarps = gaps.empty() ? 1 : 8;
  mlir::MLIRContext *context = offsets.getInDims().front().name.getContext();
  auto reg = StringAttr::get(context, "register"),
       lane = StringAttr::get(context, "lane"),
       warp = StringAttr::get(context, "warp");
  SmallVector<unsigned> vector = vectorBits(
      offsets, reg, std::max(1u, memory.maxBits / elementBits), gaps);
  AccessCost cost;
  for (unsigned bit : vector)
    cost.vectorMask |= 1u << bit;
  cost.vectorElements = 1u << vector.size();
  auto copies = static_cast<unsigned>(offsets.getZeroMask(reg));
  cost.instructions = 1u << (offsets.getInDimSizeLog2(reg) - vector.size() -
                             llvm::popcount(copies));

  // A lane takes several words of a wide access, so fewer are served at once.
  unsigned lanes = offsets.getInDimSize(lane);
  unsigned bitsPerLane = cost.vectorElements * elementBits;
  unsigned together =
      std::min(lanes, std::max(1u, memory.banks * wordBits /
                                       std::max(wordBits, bitsPerLane)));
  SmallVector<unsigned> basis;
  if (isLoad && bitsPerLane == 128 && !memory.wideLoadLanes.empty())
    basis = memory.wideLoadLanes;
  else
    for (unsigned bit = 1; bit < together; bit *= 2)
      basis.push_back(bit);
  cost.groups = groupLanes(lanes, basis);
  cost.fewest = cost.groups.size();

  auto wordOf = [&](int64_t offset) {
    int64_t place = offset;
    for (auto [interval, padding] : gaps)
      place += offset / interval * padding;
    return place * elementBits / wordBits;
  };
  cost.wavefronts = 0;
  unsigned seen = 0;
  for (int32_t r = 0, e = offsets.getInDimSize(reg);
       r < e && seen < maxInstructions; ++r) {
    if (static_cast<unsigned>(r) & (cost.vectorMask | copies))
      continue;
    ++seen;
    for (int32_t w = 0; w < std::min(offsets.getInDimSize(warp), maxWarps);
         ++w) {
      unsigned wavefronts = 0;
      for (llvm::ArrayRef<unsigned> group : cost.groups) {
        llvm::SmallSet<int64_t, 32> words;
        SmallVector<unsigned> wanted(memory.banks, 0);
        for (unsigned l : group) {
          int64_t offset =
              offsets
                  .apply({{reg, r}, {lane, static_cast<int32_t>(l)}, {warp, w}})
                  .front()
                  .second;
          for (unsigned i = 0; i < cost.vectorElements; ++i)
            if (words.insert(wordOf(offset + i)).second)
              ++wanted[wordOf(offset + i) % memory.banks];
        }
        wavefronts += *std::max_element(wanted.begin(), wanted.end());
      }
      cost.wavefronts = std::max(cost.wavefronts, wavefronts);
    }
  }
  return cost;
}
