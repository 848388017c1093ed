//===- AsyncCopies.cpp - cp.async -----------------------------------------===//
//
// PTX ISA, "cp.async". What is copied lands in shared memory when the warp
// waits for its group, or when a barrier that it arrives at is waited for.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/SharedRaces.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

namespace {
/// What one lane copies.
struct Piece {
  unsigned lane;
  uint64_t to;
  std::array<char, 16> data{};
};
} // namespace

static Transfer transferOf(const Wave &wave, std::vector<Piece> pieces,
                           uint64_t bytes) {
  Transfer transfer;
  auto finish = [pieces = std::move(pieces), bytes](Wave &owner) {
    for (const Piece &piece : pieces)
      if (char *to = owner.access(Lds, piece.to, bytes, piece.lane,
                                  /*isStore=*/true))
        std::memcpy(to, piece.data.data(), bytes);
  };
  transfer.finish = asWorkOf(wave, Unit::AsyncCopy, std::move(finish));
  return transfer;
}

/// `cp.async.ca.shared.global [to], [from], bytes, size`: of the bytes the
/// first `size` are read, the others are zero.
static void copyAsync(PtxCall &call) {
  takeMemoryHints(call.opcode);
  // The first of the two is where it goes, and both are known.
  const bool isKnown =
      takeSpace(call.opcode) == Global && takeSpace(call.opcode) == Lds;
  const auto bytes = call.numOperands() >= 3 ? call.number(2) : std::nullopt;
  if (!isKnown || !bytes || *bytes > 16)
    return call.fail();
  if (!call.isUnderstood())
    return;
  const Column to = call.scalar(0), from = call.scalar(1),
               size = call.numOperands() > 3 ? call.scalar(3)
                                             : call.decoder.constant(*bytes);
  call.emit([=, bytes = *bytes](Wave &wave) {
    std::vector<Piece> pieces;
    wave.forLanes([&](unsigned lane) {
      const uint64_t read = wave.value(size, lane) & lowBits(32);
      if (read > bytes) {
        wave.fail("copies " + Twine(read) + " of " + Twine(bytes) + " bytes",
                  lane);
        return;
      }
      Piece piece{lane, wave.value(to, lane)};
      const char *source =
          read ? wave.access(Global, wave.value(from, lane), read, lane,
                             /*isStore=*/false)
               : nullptr;
      if (source)
        std::memcpy(piece.data.data(), source, read);
      pieces.push_back(piece);
    });
    wave.transfers.issue(wave, Transfers::Async,
                         transferOf(wave, std::move(pieces), bytes));
  });
}

template <Transfers::Counter counter> static void commit(PtxCall &call) {
  call.emit([](Wave &wave) { wave.transfers.mark(counter); });
}

/// `cp.async.wait_group n`, and `.read`, which here waits for all of it.
template <Transfers::Counter counter> static void waitForGroups(PtxCall &call) {
  call.opcode.take("read");
  if (!call.isUnderstood() || call.numOperands() != 1)
    return call.fail();
  call.emit([left = call.scalar(0)](Wave &wave) {
    wave.transfers.waitForMark(wave, counter, wave.uniform(left));
    passUnit(wave,
             counter == Transfers::Async ? Unit::AsyncCopy : Unit::BulkStore);
  });
}

static void waitForAll(PtxCall &call) {
  call.emit([](Wave &wave) {
    wave.transfers.wait(wave, Transfers::Async, 0);
    passUnit(wave, Unit::AsyncCopy);
  });
}

/// `cp.async.mbarrier.arrive [barrier]`: each thread arrives when its copies so
/// far are done.
static void arriveAfterCopies(PtxCall &call) {
  const bool isCounted = call.opcode.take("noinc");
  takeSpace(call.opcode);
  if (!call.isUnderstood())
    return;
  const Column address = call.scalar(0);
  call.emit([=](Wave &wave) {
    std::vector<uint64_t> places;
    wave.forLanes([&](unsigned lane) {
      places.push_back(wave.value(address, lane));
      if (!isCounted)
        changeBarrier(wave, places.back(),
                      [](MBarrier &barrier) { return barrier.add(1); });
    });
    Transfer transfer;
    auto finish = [places = std::move(places)](Wave &w) {
      for (uint64_t place : places)
        changeBarrier(w, place,
                      [](MBarrier &barrier) { return barrier.arrive(1); });
    };
    transfer.finish = asWorkOf(wave, Unit::AsyncCopy, std::move(finish));
    wave.transfers.issue(wave, Transfers::Async, std::move(transfer));
  });
}

void addAsyncCopies(PtxMeanings &meanings) {
  meanings.add("cp.async.ca", copyAsync);
  meanings.add("cp.async.cg", copyAsync);
  meanings.add("cp.async.commit_group", commit<Transfers::Async>);
  meanings.add("cp.async.wait_group", waitForGroups<Transfers::Async>);
  meanings.add("cp.async.wait_all", waitForAll);
  meanings.add("cp.async.mbarrier.arrive", arriveAfterCopies);
  meanings.add("cp.async.bulk.commit_group", commit<Transfers::Tensor>);
  meanings.add("cp.async.bulk.wait_group", waitForGroups<Transfers::Tensor>);
}

} // namespace kernelscope::wave::nvidia
