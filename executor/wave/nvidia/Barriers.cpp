//===- Barriers.cpp - Barriers of threads, and fences ---------------------===//
//
// PTX ISA, "bar, barrier", "barrier.cluster". Warps run one at a time, so that
// what a fence orders has happened.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Cta.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// A warp arrives at a barrier of threads, which is `place` to those that look
/// for races.
static void arriveAt(Wave &wave, WaveBarrier &barrier, unsigned expected,
                     uint64_t place) {
  const unsigned round = barrier.round();
  barrier.arrive(expected);
  if (SharedRaces *races = SharedRaces::of(wave)) {
    races->arrive(wave, place);
    if (barrier.round() != round)
      races->endRound(place);
  }
}

/// Waits for the end of the round of `barrier` that the warp has arrived for.
static void await(Wave &wave, const WaveBarrier &barrier, Arrival &arrival,
                  uint64_t place) {
  if (!arrival)
    wave.fail("waits at a barrier without having arrived at it");
  else if (barrier.round() == *arrival)
    wave.pause(/*again=*/true);
  else {
    arrival.reset();
    if (SharedRaces *races = SharedRaces::of(wave))
      races->pass(wave, place);
  }
}

/// The barrier that a warp names, for `threads` threads; null with a failure.
static WaveBarrier *findBarrier(Wave &wave, uint64_t number, uint64_t threads) {
  Cta &cta = *wave.group.cta;
  const uint64_t all = uint64_t{wave.group.numWaves()} * wave.lanes;
  if (number >= cta.barriers.size())
    wave.fail("uses barrier " + Twine(number) + "; a CTA has " +
              Twine(cta.barriers.size()));
  else if (threads == 0 || threads % wave.lanes || threads > all)
    wave.fail("uses a barrier of " + Twine(threads) +
              " threads; it needs a multiple of " + Twine(wave.lanes) +
              " up to the CTA's " + Twine(all));
  else
    return &cta.barriers[number];
  return nullptr;
}

/// `bar.sync number{, threads}`; with `arrive` the warp does not wait.
template <bool waits> static void barrier(PtxCall &call) {
  call.opcode.take("aligned");
  if (!call.isUnderstood() || call.numOperands() < (waits ? 1 : 2) ||
      call.numOperands() > 2)
    return call.fail();
  const Column number = call.scalar(0);
  const std::optional<Column> threads =
      call.numOperands() == 2 ? std::optional(call.scalar(1)) : std::nullopt;
  call.emit([=](Wave &wave) {
    const uint64_t all = uint64_t{wave.group.numWaves()} * wave.lanes;
    const uint64_t wanted =
        threads ? wave.uniform(*threads) & lowBits(32) : all;
    const uint64_t id = wave.uniform(number) & lowBits(32),
                   place = placeOfBarrier(wave.group.rank, id);
    WaveBarrier *found = findBarrier(wave, id, wanted);
    if (!found)
      return;
    Arrival &arrival = wave.group.cta->atBarrier[wave.index];
    if (!waits || !arrival) {
      if (waits)
        arrival = found->round();
      arriveAt(wave, *found, static_cast<unsigned>(wanted / wave.lanes), place);
    }
    if (waits)
      await(wave, *found, arrival, place);
  });
}

static void arriveAtCluster(PtxCall &call) {
  call.opcode.take("aligned");
  takeMemoryHints(call.opcode);
  if (!call.isUnderstood())
    return;
  call.emit([](Wave &wave) {
    Cluster &cluster = wave.group.cluster();
    Arrival &arrival = wave.group.cta->atCluster[wave.index];
    if (arrival) {
      wave.fail("arrives twice at the barrier of the cluster");
      return;
    }
    arrival = cluster.barrier.round();
    arriveAt(wave, cluster.barrier, cluster.size() * wave.group.numWaves(),
             placeOfCluster);
  });
}

static void waitForCluster(PtxCall &call) {
  call.opcode.take("aligned");
  takeMemoryHints(call.opcode);
  if (!call.isUnderstood())
    return;
  call.emit([](Wave &wave) {
    await(wave, wave.group.cluster().barrier,
          wave.group.cta->atCluster[wave.index], placeOfCluster);
  });
}

void addBarrierInstructions(PtxMeanings &meanings) {
  for (StringRef name : {"bar", "bar.cta", "barrier", "barrier.cta"}) {
    meanings.add(name + ".sync", barrier<true>);
    meanings.add(name + ".arrive", barrier<false>);
  }
  meanings.add("barrier.cluster.arrive", arriveAtCluster);
  meanings.add("barrier.cluster.wait", waitForCluster);
  // Lanes are in lock step. A chip shares out registers; here there are enough.
  for (StringRef name :
       {"bar.warp.sync", "fence", "membar", "setmaxnreg", "griddepcontrol"})
    meanings.add(name, doNothing);
}

} // namespace kernelscope::wave::nvidia
