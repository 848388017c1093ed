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
  const unsigned round = group.barrier.round();
  group.arrivals[wave.index] = round;
  group.barrier.arrive(group.numWaves());
  if (group.barrier.round() != round)
    group.races.passBarrier();
}

/// Waits for the round that the wave has arrived for.
static void await(Wave &wave) {
  std::optional<unsigned> &arrival = wave.group.arrivals[wave.index];
  if (!arrival) {
    wave.fail("waits at a barrier without having arrived at it");
  } else if (wave.group.barrier.round() == *arrival) {
    wave.pause(/*again=*/true);
  } else {
    arrival.reset();
  }
}

static void barrier(const Call &call) {
  call.decoder.emit(arrive);
  call.decoder.emit(await);
}

/// Only the workgroup's own barrier has a meaning so far.
static bool isOfWorkgroup(const Call &call) {
  const bool is = (call.immediate(0) & 0xffff) == 0xffff;
  if (!is)
    call.decoder.fail(
        "the wave simulator has only the workgroup's barrier, -1");
  return is;
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

static void nothing(const Call &) {}

void addSynchronisation(Meanings &meanings) {
  meanings.add("llvm.amdgcn.s.barrier", barrier);
  meanings.add("llvm.amdgcn.s.barrier.signal", [](const Call &call) {
    if (isOfWorkgroup(call))
      call.decoder.emit(arrive);
  });
  meanings.add("llvm.amdgcn.s.barrier.wait", [](const Call &call) {
    if (isOfWorkgroup(call))
      call.decoder.emit(await);
  });
  for (StringLiteral name : {StringLiteral("llvm.amdgcn.wave.barrier"),
                             StringLiteral("llvm.amdgcn.sched.barrier"),
                             StringLiteral("llvm.amdgcn.sched.group.barrier"),
                             StringLiteral("llvm.amdgcn.iglp.opt"),
                             StringLiteral("llvm.amdgcn.s.setprio"),
                             StringLiteral("llvm.amdgcn.s.sleep"),
                             StringLiteral("llvm.amdgcn.s.sendmsg"),
                             StringLiteral("llvm.amdgcn.s.wait.dscnt"),
                             StringLiteral("llvm.amdgcn.s.wait.loadcnt"),
                             StringLiteral("llvm.amdgcn.s.wait.storecnt"),
                             StringLiteral("llvm.amdgcn.global.prefetch"),
                             StringLiteral("llvm.amdgcn.fence")})
    meanings.add(name, nothing);
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
