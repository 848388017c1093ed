//===- LaunchIds.cpp - Which lane this is ---------------------------------===//
//
// Ids of lanes, waves and workgroups, and the time since the launch.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

/// A number that all lanes of a wave have.
template <typename Fn> static void defineUniform(const Call &call, Fn fn) {
  const Column to = call.define()[0];
  call.decoder.emit([=](Wave &wave) {
    const uint64_t number = fn(wave);
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = number; });
  });
}

template <unsigned axis> static void workgroupId(const Call &call) {
  defineUniform(call, [](Wave &wave) { return wave.group.id[axis]; });
}

static void workitemId(const Call &call) {
  const Column to = call.define()[0];
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      wave.value(to, lane) = uint64_t{wave.index} * wave.lanes + lane;
    });
  });
}

static void zero(const Call &call) { call.define({call.decoder.constant(0)}); }

/// The number of lanes of a mask below this one, of its lower or upper half.
template <bool isUpper> static void countMaskBelow(const Call &call) {
  const Column to = call.define()[0], mask = call.scalar(0),
               sum = call.scalar(1);
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const unsigned below =
          isUpper ? (lane > 32 ? lane - 32 : 0) : std::min(lane, 32u);
      wave.value(to, lane) = (static_cast<unsigned>(std::popcount(
                                  wave.value(mask, lane) & lowBits(below))) +
                              wave.value(sum, lane)) &
                             lowBits(32);
    });
  });
}

/// Of a cluster along the first axis.
template <unsigned axis> static void clusterId(const Call &call) {
  defineUniform(call, [](Wave &wave) {
    return wave.group.id[axis] /
           (axis == 0 ? wave.group.launch.clusterSize : 1);
  });
}

static void idInCluster(const Call &call) {
  defineUniform(call, [](Wave &wave) {
    return wave.group.id[0] % wave.group.launch.clusterSize;
  });
}

static void lastIdInCluster(const Call &call) {
  defineUniform(call,
                [](Wave &wave) { return wave.group.launch.clusterSize - 1; });
}

static void hiddenParameters(const Call &call) {
  call.define({call.decoder.constant(
      std::bit_cast<uint64_t>(call.decoder.program.hidden.data()))});
}

/// Time passes with each instruction of the workgroup.
static void clock(const Call &call) {
  defineUniform(call, [](Wave &wave) { return wave.group.steps; });
}

void addLaunchIds(Meanings &meanings) {
  meanings.add("llvm.amdgcn.workgroup.id.x", workgroupId<0>);
  meanings.add("llvm.amdgcn.workgroup.id.y", workgroupId<1>);
  meanings.add("llvm.amdgcn.workgroup.id.z", workgroupId<2>);
  meanings.add("llvm.amdgcn.workitem.id.x", workitemId);
  meanings.add("llvm.amdgcn.workitem.id.y", zero);
  meanings.add("llvm.amdgcn.workitem.id.z", zero);
  meanings.add("llvm.amdgcn.cluster.id.x", clusterId<0>);
  meanings.add("llvm.amdgcn.cluster.id.y", clusterId<1>);
  meanings.add("llvm.amdgcn.cluster.id.z", clusterId<2>);
  meanings.add("llvm.amdgcn.cluster.workgroup.id.x", idInCluster);
  meanings.add("llvm.amdgcn.cluster.workgroup.id.y", zero);
  meanings.add("llvm.amdgcn.cluster.workgroup.id.z", zero);
  meanings.add("llvm.amdgcn.cluster.workgroup.flat.id", idInCluster);
  meanings.add("llvm.amdgcn.cluster.workgroup.max.id.x", lastIdInCluster);
  meanings.add("llvm.amdgcn.cluster.workgroup.max.flat.id", lastIdInCluster);
  meanings.add("llvm.amdgcn.wave.id", [](const Call &call) {
    defineUniform(call, [](Wave &wave) { return wave.index; });
  });
  meanings.add("llvm.amdgcn.wavefrontsize", [](const Call &call) {
    defineUniform(call, [](Wave &wave) { return wave.lanes; });
  });
  for (StringRef name : {"llvm.readsteadycounter", "llvm.readcyclecounter",
                         "llvm.amdgcn.s.memtime", "llvm.amdgcn.s.memrealtime"})
    meanings.add(name, clock);
  meanings.add("llvm.amdgcn.implicitarg.ptr", hiddenParameters);
  meanings.add("llvm.amdgcn.mbcnt.lo", countMaskBelow<false>);
  meanings.add("llvm.amdgcn.mbcnt.hi", countMaskBelow<true>);
}

} // namespace kernelscope::wave
