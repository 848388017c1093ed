//===- SpecialRegisters.cpp - Which thread this is ------------------------===//
//
// PTX ISA, "Special Registers". Threads of a CTA, and CTAs of a cluster, are
// along the first axis.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

using W = const Wave &;

/// Of the clusters along an axis.
template <unsigned axis> static uint64_t clusters(W wave) {
  return wave.group.launch.grid[axis] /
         (axis == 0 ? wave.group.launch.clusterSize : 1);
}

/// Time passes with each block that a CTA's warps run.
static uint64_t clock(W wave, unsigned) { return wave.group.steps; }
static uint64_t zero(W, unsigned) { return 0; }
static uint64_t one(W, unsigned) { return 1; }

static const StringMap<ReadSpecial> &specialRegisters() {
  static const StringMap<ReadSpecial> table = {
      {"tid.x",
       [](W w, unsigned lane) -> uint64_t { return w.index * w.lanes + lane; }},
      {"ntid.x",
       [](W w, unsigned) -> uint64_t {
         return uint64_t{w.group.numWaves()} * w.lanes;
       }},
      {"tid.y", zero},
      {"tid.z", zero},
      {"ntid.y", one},
      {"ntid.z", one},
      {"laneid", [](W, unsigned lane) -> uint64_t { return lane; }},
      {"warpid", [](W w, unsigned) -> uint64_t { return w.index; }},
      {"nwarpid", [](W w, unsigned) -> uint64_t { return w.group.numWaves(); }},
      {"warpsize", [](W w, unsigned) -> uint64_t { return w.lanes; }},
      {"ctaid.x", [](W w, unsigned) -> uint64_t { return w.group.id[0]; }},
      {"ctaid.y", [](W w, unsigned) -> uint64_t { return w.group.id[1]; }},
      {"ctaid.z", [](W w, unsigned) -> uint64_t { return w.group.id[2]; }},
      {"nctaid.x",
       [](W w, unsigned) -> uint64_t { return w.group.launch.grid[0]; }},
      {"nctaid.y",
       [](W w, unsigned) -> uint64_t { return w.group.launch.grid[1]; }},
      {"nctaid.z",
       [](W w, unsigned) -> uint64_t { return w.group.launch.grid[2]; }},
      {"clusterid.x",
       [](W w, unsigned) -> uint64_t {
         return w.group.id[0] / w.group.launch.clusterSize;
       }},
      {"clusterid.y", [](W w, unsigned) -> uint64_t { return w.group.id[1]; }},
      {"clusterid.z", [](W w, unsigned) -> uint64_t { return w.group.id[2]; }},
      {"nclusterid.x", [](W w, unsigned) { return clusters<0>(w); }},
      {"nclusterid.y", [](W w, unsigned) { return clusters<1>(w); }},
      {"nclusterid.z", [](W w, unsigned) { return clusters<2>(w); }},
      {"cluster_ctaid.x",
       [](W w, unsigned) -> uint64_t { return w.group.rank; }},
      {"cluster_ctaid.y", zero},
      {"cluster_ctaid.z", zero},
      {"cluster_ctarank",
       [](W w, unsigned) -> uint64_t { return w.group.rank; }},
      {"cluster_nctaid.x",
       [](W w, unsigned) -> uint64_t { return w.group.launch.clusterSize; }},
      {"cluster_nctaid.y", one},
      {"cluster_nctaid.z", one},
      {"cluster_nctarank",
       [](W w, unsigned) -> uint64_t { return w.group.launch.clusterSize; }},
      {"lanemask_eq",
       [](W, unsigned lane) -> uint64_t { return uint64_t{1} << lane; }},
      {"lanemask_lt", [](W, unsigned lane) { return lowBits(lane); }},
      {"lanemask_le", [](W, unsigned lane) { return lowBits(lane + 1); }},
      {"lanemask_gt",
       [](W w, unsigned lane) { return w.all & ~lowBits(lane + 1); }},
      {"lanemask_ge",
       [](W w, unsigned lane) { return w.all & ~lowBits(lane); }},
      {"dynamic_smem_size",
       [](W w, unsigned) -> uint64_t { return w.group.lds.size(); }},
      // All CTAs run on one multiprocessor, one cluster after another.
      {"smid", zero},
      {"nsmid", one},
      {"clock", clock},
      {"clock64", clock},
      {"globaltimer", clock},
      {"globaltimer_lo", clock},
  };
  return table;
}

ReadSpecial findSpecialRegister(StringRef name) {
  return specialRegisters().lookup(name);
}

std::vector<StringRef> specialRegisterNames() {
  auto names = specialRegisters().keys();
  return {names.begin(), names.end()};
}

} // namespace kernelscope::wave::nvidia
