//===- LdsBarriers.cpp - Barriers in LDS, gfx1250 -------------------------===//
//
// 64 bits that instructions count arrivals in, as Triton's code sets them up
// and reads them: bits 28:0 are the arrivals that the phase lacks less one,
// 31:29 its number, and 60:32 what it starts with. A phase is ended by one
// arrival more than it lacks, and numbers go down. Waiting is a loop of loads,
// which sleeps in between.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/LdsBarriers.h"
#include "executor/wave/Intrinsics.h"
#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

uint64_t arriveInLds(Wave &wave, uint64_t address, uint64_t count) {
  std::vector<char> &lds = wave.group.lds;
  uint64_t state = 0;
  if (address % sizeof(state) || address > lds.size() ||
      lds.size() - address < sizeof(state)) {
    wave.fail("arrives at a barrier at " + Twine(address) +
              " of LDS; a barrier needs 8 bytes of the workgroup's " +
              Twine(lds.size()) + ", aligned to 8");
    return 0;
  }
  std::memcpy(&state, lds.data() + address, sizeof(state));
  const uint64_t before = state, start = state >> 32 & lowBits(29);
  uint64_t lacking = state & lowBits(29), phase = state >> 29 & 7;
  Meeting &meeting = wave.group.ldsBarriers[address];
  wave.group.races.arrive(wave.index, meeting);
  if (count > lacking) {
    const uint64_t left = count - lacking - 1;
    phase = (phase - 1 - left / (start + 1)) & 7;
    count = left % (start + 1);
    lacking = start;
    meeting.endRound();
  }
  state = start << 32 | phase << 29 | (lacking - count);
  std::memcpy(lds.data() + address, &state, sizeof(state));
  return before;
}

/// Each lane arrives, and gets the state before.
static void arriveAndReturn(const Call &call) {
  const Column address = call.scalar(0), count = call.scalar(1),
               to = call.define()[0];
  call.decoder.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      wave.value(to, lane) =
          arriveInLds(wave, wave.value(address, lane), wave.value(count, lane));
    });
  });
}

/// Each lane arrives when the wave's copies before are done.
static void arriveWhenCopied(const Call &call) {
  const Column address = call.scalar(0);
  call.decoder.emit([=](Wave &wave) {
    std::vector<uint64_t> addresses;
    wave.forLanes(
        [&](unsigned lane) { addresses.push_back(wave.value(address, lane)); });
    Transfer transfer;
    transfer.finish = [addresses = std::move(addresses)](Wave &w) {
      for (uint64_t barrier : addresses)
        arriveInLds(w, barrier, 1);
    };
    wave.transfers.issue(wave, Transfers::Async, std::move(transfer));
  });
}

void addLdsBarriers(Meanings &meanings) {
  meanings.add("llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64", arriveAndReturn);
  meanings.add("llvm.amdgcn.ds.atomic.async.barrier.arrive.b64",
               arriveWhenCopied);
  meanings.add("llvm.amdgcn.s.sleep", [](const Call &call) {
    call.decoder.emit([](Wave &wave) { wave.poll(); });
  });
}

} // namespace kernelscope::wave
