//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//
//
// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

std::optional<MBarrier> MBarrier::read(const char *memory) {
  MBarrier barrier;
  std::memcpy(static_cast<void *>(&barrier), memory, bytes);
  return barrier.mark == valid ? std::optional(barrier) : std::nullopt;
}

void MBarrier::write(char *memory) const {
  std::memcpy(memory, static_cast<const void *>(this), bytes);
}

void MBarrier::endPhaseIfDone() {
  if (pending || bytesLeft)
    return;
  phase ^= 1;
  pending = count;
}

bool MBarrier::arrive(uint64_t arrivals) {
  if (arrivals > pending)
    return false;
  pending -= arrivals;
  endPhaseIfDone();
  return true;
}

bool MBarrier::add(uint64_t arrivals) {
  if (pending + arrivals > maxCount)
    return false;
  pending += arrivals;
  return true;
}

bool MBarrier::expect(int64_t size) {
  const int64_t sum = bytesLeft + size, limit = maxCount;
  if (sum > limit || sum < -limit)
    return false;
  bytesLeft = sum;
  endPhaseIfDone();
  return true;
}

std::string MBarrier::missing() const {
  return formatv("{0} of {1} arrivals and {2} bytes",
                 static_cast<uint64_t>(pending), static_cast<uint64_t>(count),
                 static_cast<int64_t>(bytesLeft));
}

/// "24 of CTA 0".
static std::string describePlace(uint64_t place) {
  return formatv("{0} of CTA {1}", place % sharedWindow, place / sharedWindow);
}

std::optional<MBarrier> readBarrier(Cluster &cluster, uint64_t address) {
  const char *memory =
      cluster.findShared(address & ~apertureMask, MBarrier::bytes);
  return memory ? MBarrier::read(memory) : std::nullopt;
}

std::string describeBarrier(Cluster &cluster, uint64_t address) {
  const uint64_t place = address & ~apertureMask;
  const auto barrier = readBarrier(cluster, place);
  return "the mbarrier in shared memory at " + describePlace(place) +
         (barrier ? ", which still needs " + barrier->missing() : "");
}

/// Reports a signal at `place`, which may end a phase, to the detection of
/// races.
static void signalRaces(Wave &wave, uint64_t place, bool endsPhase) {
  SharedRaces *races = SharedRaces::of(wave);
  if (!races)
    return;
  // The barrier must be there; what completes on it may find it gone.
  if (!races->isActing())
    checkOrder(wave, place, MBarrier::bytes, /*lane=*/0, /*isStore=*/false);
  races->arrive(wave, place);
  if (endsPhase)
    races->endRound(place);
}

void requireBarrier(Wave &wave, uint64_t address) {
  if (!readBarrier(wave.group.cluster(), address))
    wave.fail("there is no mbarrier in shared memory at " +
              describePlace(address & ~apertureMask));
}

void changeBarrier(Wave &wave, uint64_t address,
                   function_ref<bool(MBarrier &)> change) {
  const uint64_t place = address & ~apertureMask;
  auto barrier = readBarrier(wave.group.cluster(), place);
  if (!barrier)
    return requireBarrier(wave, place);
  if (const bool before = barrier->hasEnded(false); !change(*barrier))
    wave.fail("signals the mbarrier at " + describePlace(place) +
              " more than it still needs: " + barrier->missing());
  else {
    barrier->write(wave.group.cluster().findShared(place, MBarrier::bytes));
    signalRaces(wave, place, barrier->hasEnded(false) != before);
  }
}

/// The barrier's memory; null with a failure.
static char *findBarrier(Wave &wave, Column address, unsigned lane,
                         bool isChanged) {
  return wave.access(Lds, wave.value(address, lane) & ~apertureMask,
                     MBarrier::bytes, lane, isChanged);
}

/// `mbarrier.init [a], count`.
static void initialise(PtxCall &call) {
  takeSpace(call.opcode);
  if (!call.isUnderstood() || call.numOperands() != 2)
    return call.fail();
  const Column address = call.scalar(0), count = call.scalar(1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const uint64_t wanted = wave.value(count, lane) & lowBits(32);
      char *memory = findBarrier(wave, address, lane, /*isChanged=*/true);
      if (wanted == 0 || wanted > MBarrier::maxCount)
        wave.fail("initialises an mbarrier with a count of " + Twine(wanted) +
                      "; it must be 1 to " + Twine(MBarrier::maxCount),
                  lane);
      else if (memory) {
        MBarrier(wanted).write(memory);
        if (SharedRaces *races = SharedRaces::of(wave))
          races->forget(wave.value(address, lane) & ~apertureMask);
      }
    });
  });
}

static void invalidate(PtxCall &call) {
  takeSpace(call.opcode);
  if (!call.isUnderstood() || call.numOperands() != 1)
    return call.fail();
  const Column address = call.scalar(0);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      if (char *memory = findBarrier(wave, address, lane, /*isChanged=*/true))
        std::memset(memory, -1, MBarrier::bytes);
    });
  });
}

/// `mbarrier.arrive [a]{, count}` and `.expect_tx`, whose operand are bytes;
/// `mbarrier.expect_tx`, which only announces them, and `.complete_tx`. With a
/// result the state before, which only waits use.
template <bool arrives, bool completes> static void signal(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool hasBytes = opcode.take("expect_tx") || !arrives;
  opcode.take("noComplete");
  takeMemoryHints(opcode);
  takeSpace(opcode);
  if (!call.isUnderstood())
    return;
  const bool hasResult = !call.instruction.operands.empty() &&
                         !call.instruction.operands[0][0].isAddress;
  const size_t at = hasResult ? 1 : 0;
  if (call.numOperands() <= at)
    return call.fail();
  const Column address = call.scalar(at),
               number = call.numOperands() > at + 1 ? call.scalar(at + 1)
                                                    : call.decoder.constant(1);
  const Columns results =
      hasResult && !call.isSink(0) ? call.parts(0) : Columns();
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const uint64_t amount = wave.value(number, lane) & lowBits(32);
      changeBarrier(wave, wave.value(address, lane), [&](MBarrier &barrier) {
        if (!results.empty())
          barrier.write(
              reinterpret_cast<char *>(&wave.value(results[0], lane)));
        const auto size = static_cast<int64_t>(amount);
        // Bytes are announced before the arrival counts.
        if (hasBytes && arrives)
          return barrier.expect(size) && barrier.arrive(1);
        if (hasBytes)
          return completes ? barrier.complete(size) : barrier.expect(size);
        return barrier.arrive(amount);
      });
    });
  });
}

/// `mbarrier.try_wait.parity p, [a], parity`, which waits here until it is
/// true; `test_wait` only looks. Without `.parity` it is for the phase that an
/// arrival saw.
template <bool waits> static void waitForPhase(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool hasParity = opcode.take("parity");
  takeMemoryHints(opcode);
  takeSpace(opcode);
  if (!call.isUnderstood() || call.numOperands() < 3)
    return call.fail();
  const Column to = call.scalar(0), address = call.scalar(1),
               which = call.scalar(2);
  call.emit([=](Wave &wave) {
    bool all = true;
    std::optional<uint64_t> &waitsAt = wave.group.cta->atMBarrier[wave.index];
    waitsAt.reset();
    wave.forLanes([&](unsigned lane) {
      const char *memory =
          findBarrier(wave, address, lane, /*isChanged=*/false);
      const auto barrier = memory ? MBarrier::read(memory) : std::nullopt;
      if (!barrier) {
        wave.fail("waits at an address that holds no mbarrier", lane);
        return;
      }
      bool parity = wave.value(which, lane) & 1;
      if (!hasParity)
        if (auto seen = MBarrier::read(
                reinterpret_cast<const char *>(&wave.value(which, lane))))
          parity = !seen->hasEnded(true);
      wave.value(to, lane) = barrier->hasEnded(parity);
      if (SharedRaces *races = SharedRaces::of(wave);
          races && barrier->hasEnded(parity))
        races->pass(wave, wave.value(address, lane) & ~apertureMask);
      if (!barrier->hasEnded(parity)) {
        all = false;
        waitsAt = wave.value(address, lane);
      }
    });
    if (all || wave.isPaused())
      return;
    if (waits)
      wave.pause(/*again=*/true);
    else
      // What it looks for may be what it spins on.
      wave.group.cluster().finishOldest();
  });
}

void addMBarriers(PtxMeanings &meanings) {
  meanings.add("mbarrier.init", initialise);
  meanings.add("mbarrier.inval", invalidate);
  meanings.add("mbarrier.arrive", signal<true, false>);
  meanings.add("mbarrier.expect_tx", signal<false, false>);
  meanings.add("mbarrier.complete_tx", signal<false, true>);
  meanings.add("mbarrier.try_wait", waitForPhase<true>);
  meanings.add("mbarrier.test_wait", waitForPhase<false>);
}

} // namespace kernelscope::wave::nvidia
