//===- LdsTransfers.cpp - Copies to LDS, and transposing reads of it ------===//
//
// AMD's ISA documents, "Buffer load to LDS", "Global load async to LDS" and
// "LDS transpose loads".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/BufferAccess.h"
#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

/// Where a copy writes whose lanes are one after another: from the wave's base.
static uint64_t placeInWave(Wave &wave, Column base, uint64_t offset,
                            uint64_t bytes, unsigned lane) {
  return (wave.uniform(base) + offset + lane * std::max<uint64_t>(bytes, 4)) &
         lowBits(32);
}

namespace {
/// What one instruction copies, lane by lane.
class LaneCopies {
public:
  /// From `source`, or zeros without, to LDS.
  void toLds(unsigned lane, uint64_t place, const char *source,
             uint64_t bytes) {
    Piece &piece = add(lane, place, bytes);
    if (source)
      std::memcpy(piece.data.data(), source, bytes);
  }
  void fromLds(unsigned lane, uint64_t place, char *target, uint64_t bytes) {
    add(lane, place, bytes).target = target;
  }

  void issue(Wave &wave, Transfers::Counter counter, bool writesLds,
             bool isTracked) && {
    Transfer transfer;
    for (const Piece &piece : pieces)
      transfer.ranges.push_back({piece.place, piece.bytes});
    transfer.writesLds = writesLds;
    transfer.isTracked = isTracked;
    transfer.finish = [pieces = std::move(pieces)](Wave &w) {
      for (const Piece &piece : pieces) {
        const ArrayRef<char> data(piece.data.data(), piece.bytes);
        if (!piece.target)
          w.storeCopied(piece.place, data, piece.lane);
        else if (const char *inside = w.access(Lds, piece.place, piece.bytes,
                                               piece.lane, /*isStore=*/false))
          std::memcpy(piece.target, inside, piece.bytes);
      }
    };
    wave.transfers.issue(wave, counter, std::move(transfer));
  }

private:
  struct Piece {
    unsigned lane;
    uint64_t place, bytes;
    std::array<char, 16> data{};
    /// Where bytes of LDS go; null if they are written.
    char *target = nullptr;
  };

  Piece &add(unsigned lane, uint64_t place, uint64_t bytes) {
    return pieces.emplace_back(Piece{lane, place, bytes});
  }

  std::vector<Piece> pieces;
};
} // namespace

/// What each lane copies.
static uint64_t bytesOfLane(const Call &call) {
  constexpr uint64_t most = 16;
  const uint64_t bytes = call.immediate(2);
  if (bytes > most)
    call.decoder.fail("a copy to LDS moves " + Twine(bytes) +
                      " bytes per lane; it can move at most 16");
  return bytes;
}

/// Whether LLVM waits for a copy by itself.
static bool isTracked(const Call &call) {
  return !call.name.contains(".async.");
}

/// `buffer_load ... lds`; what is outside of the buffer becomes zero.
static void bufferToLds(const Call &call) {
  const BufferPlace from{call.operand(0, 2), call.scalar(3), call.scalar(4)};
  const Column base = call.scalar(1);
  const uint64_t bytes = bytesOfLane(call), offset = call.immediate(5);
  call.decoder.emit([=, tracked = isTracked(call)](Wave &wave) {
    LaneCopies copies;
    wave.forLanes([&](unsigned lane) {
      const auto address = from.address(wave, lane, offset, bytes);
      const char *source = address ? wave.access(Global, *address, bytes, lane,
                                                 /*isStore=*/false)
                                   : nullptr;
      if (source || !address)
        copies.toLds(lane, placeInWave(wave, base, offset, bytes, lane), source,
                     bytes);
    });
    std::move(copies).issue(wave, Transfers::Vector, /*writesLds=*/true,
                            tracked);
  });
}

/// `global_load_lds`.
static void globalToLds(const Call &call) {
  const Column from = call.scalar(0), base = call.scalar(1);
  const uint64_t bytes = bytesOfLane(call), offset = call.immediate(3);
  call.decoder.emit([=, tracked = isTracked(call)](Wave &wave) {
    LaneCopies copies;
    wave.forLanes([&](unsigned lane) {
      if (const char *source =
              wave.access(Global, wave.value(from, lane) + offset, bytes, lane,
                          /*isStore=*/false))
        copies.toLds(lane, placeInWave(wave, base, offset, bytes, lane), source,
                     bytes);
    });
    std::move(copies).issue(wave, Transfers::Vector, /*writesLds=*/true,
                            tracked);
  });
}

/// `global_load_async_to_lds` and `global_store_async_from_lds`: each lane has
/// a place in LDS of its own.
template <unsigned bits, bool isStore> static void asyncCopy(const Call &call) {
  const Column global = call.scalar(0), lds = call.scalar(1);
  const uint64_t offset = call.immediate(2);
  call.decoder.emit([=](Wave &wave) {
    LaneCopies copies;
    wave.forLanes([&](unsigned lane) {
      // A place outside of all LDS masks the lane.
      const uint64_t place = (wave.value(lds, lane) + offset) & lowBits(32);
      if (place >= wave.program.target->maxSharedBytes)
        return;
      char *outside = wave.access(Global, wave.value(global, lane) + offset,
                                  bits / 8, lane, isStore);
      if (outside && isStore)
        copies.fromLds(lane, place, outside, bits / 8);
      else if (outside)
        copies.toLds(lane, place, outside, bits / 8);
    });
    std::move(copies).issue(wave, Transfers::Async, !isStore,
                            /*isTracked=*/false);
  });
}

/// The same load for several workgroups of a cluster: each requests its own,
/// and the hardware loads once if the requests coincide.
template <unsigned bits> static void clusterCopy(const Call &call) {
  const Column mask = call.scalar(4);
  call.decoder.emit(
      [=](Wave &wave) { checkMulticast(wave, wave.uniform(mask)); });
  asyncCopy<bits, /*isStore=*/false>(call);
}

/// In a group of lanes, the one that reads part `part` of row `row`: on gfx1250
/// `rows` lanes read the one half of as many rows, and the next the other.
template <unsigned rows>
static unsigned laneOfHalf(unsigned row, unsigned part) {
  return row % rows + part * rows + row / rows * 2 * rows;
}
/// Else parts of a row are neighbours.
template <unsigned parts>
static unsigned laneOfPart(unsigned row, unsigned part) {
  return row * parts + part;
}

/// Each lane reads a part of a row of `group` elements, of which as many lanes
/// have as many rows as a lane reads elements; it gets a column.
template <unsigned elementBits, unsigned group,
          unsigned (*laneOf)(unsigned row, unsigned part)>
static void transposedRead(const Call &call) {
  Decoder &decoder = call.decoder;
  const Column address = call.scalar(0);
  const uint64_t bits = call.resultBits();
  if (bits > 128) {
    decoder.fail("'" + call.name + "' must give at most 128 bits");
    return;
  }
  const unsigned perLane = static_cast<unsigned>(bits / elementBits);
  const Columns words = decoder.newColumns(bits / 32);
  decoder.emit([=](Wave &wave) {
    std::array<std::array<uint8_t, 16>, 64> loaded{}, found{};
    wave.forLanes([&](unsigned lane) {
      if (const char *from = wave.access(Lds, wave.value(address, lane),
                                         bits / 8, lane, /*isStore=*/false))
        std::memcpy(loaded[lane].data(), from, bits / 8);
    });
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      for (unsigned j = 0; j < perLane; ++j) {
        const unsigned column = lane % group;
        const unsigned source = lane - column + laneOf(j, column / perLane);
        for (unsigned bit = 0; bit < elementBits; ++bit) {
          const unsigned at = column % perLane * elementBits + bit;
          const unsigned to = j * elementBits + bit;
          if ((loaded[source][at / 8] >> (at % 8)) & 1)
            found[lane][to / 8] |= static_cast<uint8_t>(1u << (to % 8));
        }
      }
    wave.forLanes([&](unsigned lane) {
      for (auto [i, word] : enumerate(words)) {
        uint32_t value = 0;
        std::memcpy(&value, found[lane].data() + 4 * i, 4);
        wave.value(word, lane) = value;
      }
    });
  });
  call.defineWords(words);
}

void addLdsTransfers(Meanings &meanings) {
  meanings.add("llvm.amdgcn.raw.ptr.buffer.load.lds", bufferToLds);
  meanings.add("llvm.amdgcn.raw.ptr.buffer.load.async.lds", bufferToLds);
  meanings.add("llvm.amdgcn.global.load.lds", globalToLds);
  meanings.add("llvm.amdgcn.global.load.async.lds", globalToLds);
  meanings.add("llvm.amdgcn.global.load.async.to.lds.b8", asyncCopy<8, false>);
  meanings.add("llvm.amdgcn.global.load.async.to.lds.b32",
               asyncCopy<32, false>);
  meanings.add("llvm.amdgcn.global.load.async.to.lds.b64",
               asyncCopy<64, false>);
  meanings.add("llvm.amdgcn.global.load.async.to.lds.b128",
               asyncCopy<128, false>);
  meanings.add("llvm.amdgcn.cluster.load.async.to.lds.b32", clusterCopy<32>);
  meanings.add("llvm.amdgcn.cluster.load.async.to.lds.b64", clusterCopy<64>);
  meanings.add("llvm.amdgcn.cluster.load.async.to.lds.b128", clusterCopy<128>);
  meanings.add("llvm.amdgcn.global.store.async.from.lds.b8",
               asyncCopy<8, true>);
  meanings.add("llvm.amdgcn.global.store.async.from.lds.b32",
               asyncCopy<32, true>);
  meanings.add("llvm.amdgcn.global.store.async.from.lds.b64",
               asyncCopy<64, true>);
  meanings.add("llvm.amdgcn.global.store.async.from.lds.b128",
               asyncCopy<128, true>);
  meanings.add("llvm.amdgcn.ds.read.tr16.b64",
               transposedRead<16, 16, laneOfPart<4>>);
  meanings.add("llvm.amdgcn.ds.read.tr8.b64",
               transposedRead<8, 16, laneOfPart<2>>);
  meanings.add("llvm.amdgcn.ds.read.tr6.b96",
               transposedRead<6, 16, laneOfPart<1>>);
  meanings.add("llvm.amdgcn.ds.read.tr4.b64",
               transposedRead<4, 16, laneOfPart<1>>);
  meanings.add("llvm.amdgcn.ds.load.tr16.b128",
               transposedRead<16, 8, laneOfPart<1>>);
  meanings.add("llvm.amdgcn.ds.load.tr8.b64",
               transposedRead<8, 16, laneOfHalf<4>>);
  meanings.add("llvm.amdgcn.ds.load.tr4.b64",
               transposedRead<4, 32, laneOfHalf<8>>);
}

} // namespace kernelscope::wave
