//===- LaneMoves.cpp - Values from lane to lane ---------------------------===//
//
// AMD's ISA documents: "Data Parallel Primitives", "DS_BPERMUTE", "DS_SWIZZLE",
// "V_PERMLANE*". A lane that is not active gives no value: what reads it keeps
// its old one, or gets zero.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"

using namespace llvm;

namespace kernelscope::wave {

/// `columns` of all lanes, as they are before the step.
static std::array<uint64_t, 64> snapshot(Wave &wave, Column column) {
  std::array<uint64_t, 64> values{};
  std::copy_n(wave.column(column), wave.lanes, values.begin());
  return values;
}

static bool isActive(const Wave &wave, unsigned lane) {
  return (wave.active >> lane) & 1;
}

/// The lane that a DPP control reads for `lane`; none where it reaches beyond
/// the row or the wave.
static std::optional<unsigned> dppSource(unsigned control, unsigned lane,
                                         unsigned lanes) {
  const unsigned row = lane & ~15u, place = lane & 15u;
  const unsigned count = control & 15u;
  if (control < 0x100) // quad_perm
    return (lane & ~3u) | ((control >> (2 * (lane & 3))) & 3);
  switch (control & 0x1f0) {
  case 0x100: // row_shl
    return place + count < 16 ? std::optional(lane + count) : std::nullopt;
  case 0x110: // row_shr
    return place >= count ? std::optional(lane - count) : std::nullopt;
  case 0x120: // row_ror
    return row | ((place - count) & 15u);
  case 0x150: // row_share, row_newbcast
    return row | count;
  case 0x160: // row_xmask
    return row | (place ^ count);
  default:
    break;
  }
  switch (control) {
  case 0x130: // wave_shl
    return lane + 1 < lanes ? std::optional(lane + 1) : std::nullopt;
  case 0x134: // wave_rol
    return (lane + 1) % lanes;
  case 0x138: // wave_shr
    return lane ? std::optional(lane - 1) : std::nullopt;
  case 0x13c: // wave_ror
    return (lane + lanes - 1) % lanes;
  case 0x140: // row_mirror
    return row | (15u - place);
  case 0x141: // row_half_mirror
    return (lane & ~7u) | (7u - (lane & 7u));
  case 0x142: // row_bcast:15, to the next row
    return row ? std::optional(row - 1) : std::nullopt;
  case 0x143: // row_bcast:31, to the next two rows
    return lane >= 32 ? std::optional(31u) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static void updateDpp(const Call &call) {
  const Columns sources = call.operand(1),
                olds = call.operand(0, sources.size());
  const auto control = static_cast<unsigned>(call.immediate(2));
  const auto rowMask = call.immediate(3), bankMask = call.immediate(4);
  const bool zeroOutside = call.immediate(5);
  for (auto [to, old, source] :
       zip_equal(call.defineScalars(sources.size()), olds, sources))
    call.decoder.emit([=, to = to, old = old, source = source](Wave &wave) {
      const auto values = snapshot(wave, source);
      wave.forLanes([&](unsigned lane) {
        uint64_t result = wave.value(old, lane);
        const bool isWritten =
            (rowMask >> (lane / 16)) & (bankMask >> (lane / 4 % 4)) & 1;
        const auto from = dppSource(control, lane, wave.lanes);
        if (isWritten && from && isActive(wave, *from))
          result = values[*from];
        else if (isWritten && zeroOutside)
          result = 0;
        wave.value(to, lane) = result;
      });
    });
}

/// Each lane says where its value comes from.
static void bpermute(const Call &call) {
  const Column to = call.define()[0], address = call.scalar(0),
               source = call.scalar(1);
  call.decoder.emit([=](Wave &wave) {
    const auto values = snapshot(wave, source);
    wave.forLanes([&](unsigned lane) {
      const auto from =
          static_cast<unsigned>(wave.value(address, lane) / 4 % wave.lanes);
      wave.value(to, lane) = isActive(wave, from) ? values[from] : 0;
    });
  });
}

/// Each lane says where its value goes; of several the last one wins.
static void permute(const Call &call) {
  const Column to = call.define()[0], address = call.scalar(0),
               source = call.scalar(1);
  call.decoder.emit([=](Wave &wave) {
    std::array<uint64_t, 64> values{};
    wave.forLanes([&](unsigned lane) {
      values[wave.value(address, lane) / 4 % wave.lanes] =
          wave.value(source, lane);
    });
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = values[lane]; });
  });
}

static void swizzle(const Call &call) {
  const Column to = call.define()[0], source = call.scalar(0);
  const auto pattern = static_cast<unsigned>(call.immediate(1));
  if ((pattern & 0xf000) >= 0xc000) {
    call.decoder.fail(
        "the wave simulator does not support rotation by ds_swizzle");
    return;
  }
  call.decoder.emit([=](Wave &wave) {
    const auto values = snapshot(wave, source);
    wave.forLanes([&](unsigned lane) {
      unsigned from;
      if (pattern & 0x8000) // four lanes, as quad_perm
        from = (lane & ~3u) | ((pattern >> (2 * (lane & 3))) & 3);
      else // and, or, exclusive or of the place in 32 lanes
        from = (lane & ~31u) |
               ((((lane & 31u) & (pattern & 31)) | ((pattern >> 5) & 31)) ^
                ((pattern >> 10) & 31));
      wave.value(to, lane) = isActive(wave, from) ? values[from] : 0;
    });
  });
}

static void readFirstLane(const Call &call) {
  const Columns sources = call.operand(0);
  for (auto [to, source] :
       zip_equal(call.defineScalars(sources.size()), sources))
    call.decoder.emit([to = to, source = source](Wave &wave) {
      const uint64_t first = wave.uniform(source);
      wave.forLanes([&](unsigned lane) { wave.value(to, lane) = first; });
    });
}

static void readLane(const Call &call) {
  const Column which = call.scalar(1);
  const Columns sources = call.operand(0);
  for (auto [to, source] :
       zip_equal(call.defineScalars(sources.size()), sources))
    call.decoder.emit([=, to = to, source = source](Wave &wave) {
      const uint64_t found =
          wave.value(source, wave.uniform(which) % wave.lanes);
      wave.forLanes([&](unsigned lane) { wave.value(to, lane) = found; });
    });
}

static void writeLane(const Call &call) {
  const Column to = call.define()[0], from = call.scalar(0),
               which = call.scalar(1), old = call.scalar(2);
  call.decoder.emit([=](Wave &wave) {
    const uint64_t value = wave.uniform(from);
    const auto chosen = static_cast<unsigned>(wave.uniform(which) % wave.lanes);
    wave.forLanes([&](unsigned lane) {
      wave.value(to, lane) = lane == chosen ? value : wave.value(old, lane);
    });
  });
}

static void ballot(const Call &call) {
  const Column to = call.define()[0], predicate = call.scalar(0);
  call.decoder.emit([=](Wave &wave) {
    uint64_t votes = 0;
    wave.forLanes([&](unsigned lane) {
      votes |= (wave.value(predicate, lane) & 1) << lane;
    });
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = votes; });
  });
}

/// `v_permlane16` and `v_permlanex16`: a lane of its own or of the other row of
/// a pair, which 16 numbers of 4 bits name.
template <unsigned flipped> static void permlane16(const Call &call) {
  const Column old = call.scalar(0), source = call.scalar(1),
               low = call.scalar(2), high = call.scalar(3);
  const bool fetchInactive = call.immediate(4), zeroOutside = call.immediate(5);
  const Column to = call.define()[0];
  call.decoder.emit([=](Wave &wave) {
    const auto values = snapshot(wave, source);
    const uint64_t places = wave.uniform(low) | wave.uniform(high) << 32;
    wave.forLanes([&](unsigned lane) {
      const auto from = static_cast<unsigned>(
          ((lane & ~15u) ^ flipped) | ((places >> (4 * (lane & 15u))) & 15));
      wave.value(to, lane) = isActive(wave, from) || fetchInactive
                                 ? values[from]
                             : zeroOutside ? 0
                                           : wave.value(old, lane);
    });
  });
}

/// `v_permlane16_swap`, `v_permlane32_swap`: the odd rows of the first operand
/// change places with the even rows of the second.
template <unsigned rowLanes> static void permlaneSwap(const Call &call) {
  const Column first = call.scalar(0), second = call.scalar(1);
  const Columns to = call.defineScalars(2);
  call.decoder.emit([=](Wave &wave) {
    const auto a = snapshot(wave, first), b = snapshot(wave, second);
    wave.forLanes([&](unsigned lane) {
      const bool isOdd = lane & rowLanes;
      wave.value(to[0], lane) = isOdd ? b[lane - rowLanes] : a[lane];
      wave.value(to[1], lane) = isOdd ? b[lane] : a[lane + rowLanes];
    });
  });
}

/// Whatever the wave, its lanes are one after another.
static void sameValue(const Call &call) { call.define(call.operand(0)); }

void addLaneMoves(Meanings &meanings) {
  meanings.add("llvm.amdgcn.update.dpp", updateDpp);
  meanings.add("llvm.amdgcn.ds.bpermute", bpermute);
  meanings.add("llvm.amdgcn.ds.permute", permute);
  meanings.add("llvm.amdgcn.ds.swizzle", swizzle);
  meanings.add("llvm.amdgcn.readfirstlane", readFirstLane);
  meanings.add("llvm.amdgcn.readlane", readLane);
  meanings.add("llvm.amdgcn.writelane", writeLane);
  meanings.add("llvm.amdgcn.ballot", ballot);
  meanings.add("llvm.amdgcn.permlane16", permlane16<0>);
  meanings.add("llvm.amdgcn.permlanex16", permlane16<16>);
  meanings.add("llvm.amdgcn.permlane16.swap", permlaneSwap<16>);
  meanings.add("llvm.amdgcn.permlane32.swap", permlaneSwap<32>);
  meanings.add("llvm.amdgcn.strict.wwm", sameValue);
  meanings.add("llvm.amdgcn.wqm", sameValue);
}

} // namespace kernelscope::wave
