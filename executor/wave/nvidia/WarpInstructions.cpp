//===- WarpInstructions.cpp - Values from thread to thread ----------------===//
//
// PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave::nvidia {

using Values = std::array<uint64_t, 64>;

/// A column as it is before the step. Threads that do not take part give ones.
static Values valuesOf(Wave &wave, Column column) {
  Values values;
  values.fill(lowBits(32));
  wave.forLanes(
      [&](unsigned lane) { values[lane] = wave.value(column, lane); });
  return values;
}

/// Whether the threads that run are all that `mask` says take part.
static bool areMembers(Wave &wave, Column mask) {
  const uint64_t members = wave.uniform(mask) & wave.all;
  const bool are = (wave.active & ~members) == 0;
  if (!are)
    wave.fail("a thread runs an instruction whose mask " +
              Twine::utohexstr(members) + " does not include it");
  return are;
}

namespace {
enum class Shuffle { Up, Down, Butterfly, Index };
}

/// The PTX ISA's own description.
static std::pair<unsigned, bool> shuffleSource(Shuffle mode, unsigned lane,
                                               uint64_t b, uint64_t c) {
  const unsigned by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const unsigned last = (lane & segment) | (clamp & ~segment & 31);
  const unsigned first = lane & segment;
  switch (mode) {
  case Shuffle::Up:
    return {lane - by, static_cast<int>(lane - by) >= static_cast<int>(last)};
  case Shuffle::Down:
    return {lane + by, lane + by <= last};
  case Shuffle::Butterfly:
    return {lane ^ by, (lane ^ by) <= last};
  case Shuffle::Index:
    break;
  }
  const unsigned from = first | (by & ~segment & 31);
  return {from, from <= last};
}

/// `shfl.sync.mode.b32 d|p, a, b, c, mask`.
template <Shuffle mode> static void shuffle(PtxCall &call) {
  if (!call.isUnderstood() || call.numOperands() != 5)
    return call.fail();
  const Columns to = call.parts(0);
  const Column value = call.scalar(1), by = call.scalar(2),
               clamp = call.scalar(3), mask = call.scalar(4);
  call.emit([=](Wave &wave) {
    if (!areMembers(wave, mask))
      return;
    const Values values = valuesOf(wave, value);
    wave.forLanes([&](unsigned lane) {
      const auto [from, isInside] = shuffleSource(
          mode, lane, wave.value(by, lane), wave.value(clamp, lane));
      wave.value(to[0], lane) = values[isInside ? from : lane];
      if (to.size() > 1)
        wave.value(to[1], lane) = isInside;
    });
  });
}

namespace {
enum class Vote { Ballot, All, Any, Uniform };
}

/// `vote.sync.mode d, p, mask`.
template <Vote mode> static void vote(PtxCall &call) {
  if (!call.isUnderstood() || call.numOperands() != 3)
    return call.fail();
  const Column to = call.scalar(0), predicate = call.scalar(1),
               mask = call.scalar(2);
  call.emit([=](Wave &wave) {
    if (!areMembers(wave, mask))
      return;
    uint64_t ballot = 0;
    wave.forLanes([&](unsigned lane) {
      ballot |= (wave.value(predicate, lane) & 1) << lane;
    });
    const bool all = ballot == wave.active;
    const uint64_t result = mode == Vote::Ballot ? ballot
                            : mode == Vote::All  ? all
                            : mode == Vote::Any  ? ballot != 0
                                                 : all || ballot == 0;
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = result; });
  });
}

/// `match.any.sync d, a, mask`: who has the same value. `match.all.sync d|p`:
/// all, if they have.
template <bool isAll> static void match(PtxCall &call) {
  call.opcode.take("sync");
  if (!call.isUnderstood() || call.numOperands() != 3)
    return call.fail();
  const Columns to = call.parts(0);
  const Column value = call.scalar(1), mask = call.scalar(2);
  call.emit([=](Wave &wave) {
    if (!areMembers(wave, mask))
      return;
    const Values values = valuesOf(wave, value);
    wave.forLanes([&](unsigned lane) {
      uint64_t same = 0;
      wave.forLanes([&](unsigned other) {
        same |= uint64_t{values[other] == values[lane]} << other;
      });
      const bool holds = same == wave.active;
      wave.value(to[0], lane) = isAll && !holds ? 0 : same;
      if (to.size() > 1)
        wave.value(to[1], lane) = holds;
    });
  });
}

/// `redux.sync.op.type d, a, mask`.
static void reduce(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool isMagnitude = opcode.take("abs"), keepsNan = opcode.take("NaN");
  std::string name;
  for (StringRef known : {"add", "min", "max", "and", "or", "xor"})
    if (opcode.take(known))
      name = known;
  if (keepsNan)
    name += ".NaN";
  if (!call.isUnderstood() || opcode.types.size() != 1 || name.empty() ||
      call.numOperands() != 3)
    return call.fail();
  const auto meaning = assembly::findOperation(name, opcode.types[0]);
  if (!meaning)
    return call.fail();
  const Column to = call.scalar(0), value = call.scalar(1),
               mask = call.scalar(2);
  call.emit([=, compute = meaning->compute](Wave &wave) {
    if (!areMembers(wave, mask))
      return;
    std::optional<uint64_t> sum;
    wave.forLanes([&](unsigned lane) {
      uint64_t next = wave.value(value, lane);
      if (isMagnitude)
        next &= lowBits(31);
      const uint64_t from[] = {sum.value_or(next), next};
      uint64_t made = next;
      if (sum)
        compute(from, &made);
      sum = made;
    });
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = *sum; });
  });
}

/// `elect.sync d|p, mask`: the first thread of those.
static void elect(PtxCall &call) {
  if (!call.isUnderstood() || call.numOperands() != 2)
    return call.fail();
  const Columns to = call.parts(0);
  const Column mask = call.scalar(1);
  if (to.size() != 2)
    return call.fail();
  call.emit([=](Wave &wave) {
    if (!areMembers(wave, mask))
      return;
    const auto leader = static_cast<unsigned>(std::countr_zero(wave.active));
    wave.forLanes([&](unsigned lane) {
      wave.value(to[0], lane) = leader;
      wave.value(to[1], lane) = lane == leader;
    });
  });
}

static void activeMask(PtxCall &call) {
  const Column to = call.scalar(0);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = wave.active; });
  });
}

void addWarpInstructions(PtxMeanings &meanings) {
  meanings.add("shfl.sync.up", shuffle<Shuffle::Up>);
  meanings.add("shfl.sync.down", shuffle<Shuffle::Down>);
  meanings.add("shfl.sync.bfly", shuffle<Shuffle::Butterfly>);
  meanings.add("shfl.sync.idx", shuffle<Shuffle::Index>);
  meanings.add("vote.sync.ballot", vote<Vote::Ballot>);
  meanings.add("vote.sync.all", vote<Vote::All>);
  meanings.add("vote.sync.any", vote<Vote::Any>);
  meanings.add("vote.sync.uni", vote<Vote::Uniform>);
  meanings.add("match.any", match<false>);
  meanings.add("match.all", match<true>);
  meanings.add("redux.sync", reduce);
  meanings.add("elect.sync", elect);
  meanings.add("activemask", activeMask);
}

} // namespace kernelscope::wave::nvidia
