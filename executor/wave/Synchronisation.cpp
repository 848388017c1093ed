//===- Synchronisation.cpp - Barriers and waits ---------------------------===//
//
// Waves run one at a time and in order. What a wave waits for has happened,
// except for copies from and to LDS (Transfers.h).
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

static void arrive(Wave &wave) {
  Workgroup &group = wave.group;
  group.arrivals[wave.index] = group.barrier.round();
  group.races.arrive(wave.index, group.barrier.meeting);
  group.barrier.arrive(group.numWaves());
}

/// Waits for the round that the wave has arrived for.
static void await(Wave &wave) {
  Workgroup &group = wave.group;
  std::optional<unsigned> &arrival = group.arrivals[wave.index];
  if (!arrival) {
    wave.fail("waits at a barrier without having arrived at it");
  } else if (group.barrier.round() == *arrival) {
    wave.pause(/*again=*/true);
  } else {
    arrival.reset();
    group.races.pass(wave.index, group.barrier.meeting);
  }
}

static void barrier(const Call &call) {
  call.decoder.emit(arrive);
  call.decoder.emit(await);
}

static void joinNamed(const Call &call) {
  call.decoder.emit([barrier = call.scalar(0)](Wave &wave) {
    wave.group.memberships[wave.index] = {wave.uniform(barrier), std::nullopt};
  });
}

/// Arrives at a named barrier, and says how many waves it is for.
static void signalNamed(const Call &call) {
  const Column barrier = call.scalar(0), members = call.scalar(1);
  call.decoder.emit([=](Wave &wave) {
    Workgroup &group = wave.group;
    const uint64_t address = wave.uniform(barrier);
    const auto count = static_cast<unsigned>(wave.uniform(members));
    WaveBarrier &named = group.namedBarriers[address];
    Workgroup::Membership &membership = group.memberships[wave.index];
    if (membership.joined == address)
      membership.arrival = named.round();
    group.races.arrive(wave.index, named.meeting);
    named.arrive(count);
  });
}

static void awaitNamed(Wave &wave) {
  Workgroup &group = wave.group;
  Workgroup::Membership &membership = group.memberships[wave.index];
  if (!membership.joined || !membership.arrival) {
    wave.fail("waits at a named barrier without having joined it and arrived "
              "at it");
    return;
  }
  const WaveBarrier &named = group.namedBarriers[*membership.joined];
  if (named.round() == *membership.arrival) {
    wave.pause(/*again=*/true);
  } else {
    membership.arrival.reset();
    group.races.pass(wave.index, named.meeting);
  }
}

/// A workgroup arrives at the barrier of its cluster by one signal.
static void arriveAtCluster(Wave &wave) {
  Workgroup &group = wave.group;
  WaveBarrier &barrier = group.cluster().barrier;
  if (group.clusterSignals > barrier.round()) {
    wave.fail("signals its cluster's barrier twice in one phase");
    return;
  }
  ++group.clusterSignals;
  group.races.arrive(wave.index, group.clusterMeeting);
  group.clusterMeeting.endRound();
  barrier.arrive(group.cluster().size());
}

/// Every wave waits for the phase after the last that it has waited for.
static void awaitCluster(Wave &wave) {
  unsigned &seen = wave.group.clusterRounds[wave.index];
  if (seen == wave.group.cluster().barrier.round()) {
    wave.pause(/*again=*/true);
  } else {
    ++seen;
    wave.group.races.pass(wave.index, wave.group.clusterMeeting);
  }
}

/// A step for the barrier whose number is the first operand (LLVM's
/// AMDGPUUsage, "Barriers"); null for one that cannot be named so.
struct NumberedSteps {
  void (*ofGroup)(Wave &), (*ofCluster)(Wave &), (*ofJoined)(Wave &);
};

static void emitNumbered(const Call &call, const NumberedSteps &steps) {
  const auto number = static_cast<int16_t>(call.immediate(0));
  auto *step = number == -1   ? steps.ofGroup
               : number == -3 ? steps.ofCluster
               : number == 1  ? steps.ofJoined
                              : nullptr;
  if (step)
    call.decoder.emit(step);
  else
    call.decoder.fail("the wave simulator has the workgroup's barrier, -1, the "
                      "cluster's, -3, and to wait at the named one that a wave "
                      "has joined, 1, but not " +
                      std::to_string(number));
}

static void signalNumbered(const Call &call) {
  emitNumbered(call, {arrive, arriveAtCluster, nullptr});
}

static void awaitNumbered(const Call &call) {
  emitNumbered(call, {await, awaitCluster, awaitNamed});
}

/// Of the mode register only the bit that conversions look at has a meaning.
static void setRegister(const Call &call) {
  constexpr uint64_t mode = 1, overflowBit = 23;
  const uint64_t where = call.immediate(0); // register, first bit, bits less 1
  const Column value = call.scalar(1);
  if ((where & 63) == mode && ((where >> 6) & 31) == overflowBit)
    call.decoder.emit(
        [=](Wave &wave) { wave.saturates = wave.uniform(value) & 1; });
}

template <Transfers::Counter counter>
static void waitForCounter(const Call &call) {
  call.decoder.emit([left = call.immediate(0)](Wave &wave) {
    wave.transfers.wait(wave, counter, left);
  });
}

/// Of gfx9's counters that of vector memory: bits 3:0 and 15:14 (CDNA3 ISA,
/// "SOPP Instructions"). Later chips have no copies that count in it.
static void waitForCounters(const Call &call) {
  const uint64_t bits = call.immediate(0);
  const uint64_t left = (bits & 15) | (bits >> 14 & 3) << 4;
  if (!call.decoder.target().hasScatteredAsyncCopies)
    call.decoder.emit([left](Wave &wave) {
      wave.transfers.wait(wave, Transfers::Vector, left);
    });
}

static Transfers::Counter copyCounter(const Call &call) {
  return call.decoder.target().hasScatteredAsyncCopies ? Transfers::Async
                                                       : Transfers::Vector;
}

static void markCopies(const Call &call) {
  call.decoder.emit([counter = copyCounter(call)](Wave &wave) {
    wave.transfers.mark(counter);
  });
}

static void waitForMark(const Call &call) {
  call.decoder.emit(
      [counter = copyCounter(call), left = call.immediate(0)](Wave &wave) {
        wave.transfers.waitForMark(wave, counter, left);
      });
}

/// Of messages to the outside only the interrupt has a meaning, after which the
/// host looks at the request.
static void sendMessage(const Call &call) {
  constexpr uint64_t interrupt = 1;
  if ((call.immediate(0) & 15) != interrupt)
    return;
  call.decoder.emit([](Wave &wave) {
    if (Error error = wave.group.launch.hostcall->answer())
      wave.fail(toString(std::move(error)));
  });
}

static void nothing(const Call &) {}

void addSynchronisation(Meanings &meanings) {
  meanings.add("llvm.amdgcn.s.barrier", barrier);
  meanings.add("llvm.amdgcn.s.barrier.signal", signalNumbered);
  meanings.add("llvm.amdgcn.s.barrier.wait", awaitNumbered);
  meanings.add("llvm.amdgcn.s.barrier.join", joinNamed);
  meanings.add("llvm.amdgcn.s.barrier.signal.var", signalNamed);
  for (StringLiteral name : {StringLiteral("llvm.amdgcn.wave.barrier"),
                             StringLiteral("llvm.amdgcn.sched.barrier"),
                             StringLiteral("llvm.amdgcn.sched.group.barrier"),
                             StringLiteral("llvm.amdgcn.iglp.opt"),
                             StringLiteral("llvm.amdgcn.s.setprio"),
                             StringLiteral("llvm.amdgcn.s.wait.dscnt"),
                             StringLiteral("llvm.amdgcn.s.wait.loadcnt"),
                             StringLiteral("llvm.amdgcn.s.wait.storecnt"),
                             StringLiteral("llvm.amdgcn.global.prefetch"),
                             StringLiteral("llvm.amdgcn.fence")})
    meanings.add(name, nothing);
  meanings.add("llvm.amdgcn.s.sendmsg", sendMessage);
  meanings.add("llvm.amdgcn.s.setreg", setRegister);
  meanings.add("llvm.amdgcn.s.waitcnt", waitForCounters);
  meanings.add("llvm.amdgcn.s.wait.asynccnt", waitForCounter<Transfers::Async>);
  meanings.add("llvm.amdgcn.s.wait.tensorcnt",
               waitForCounter<Transfers::Tensor>);
  meanings.add("llvm.amdgcn.asyncmark", markCopies);
  meanings.add("llvm.amdgcn.wait.asyncmark", waitForMark);
  meanings.add("llvm.trap", [](const Call &call) {
    call.decoder.emit([](Wave &wave) { wave.fail("the kernel traps"); });
  });
}

} // namespace kernelscope::wave
