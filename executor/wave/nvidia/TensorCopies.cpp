//===- TensorCopies.cpp - Bulk copies of tensors --------------------------===//
//
// PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor", "cp.reduce.async.bulk".
// What is loaded arrives, and completes its bytes on a barrier, when no warp
// can continue without it; what is stored is read and written when the warp
// waits for its group.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/BulkCopies.h"
#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/SharedRaces.h"
#include "executor/wave/nvidia/Tma.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// What memory becomes of itself and what is stored; null to store it as it is.
using ElementReduction = std::function<uint64_t(uint64_t, uint64_t)>;

namespace {
/// One lane's copy.
struct Copier {
  Wave &wave;
  unsigned lane;

  char *at(unsigned space, uint64_t address, uint64_t bytes, bool isStore) {
    return wave.access(space, address, bytes, lane, isStore);
  }
  bool hasFailed() const { return wave.isPaused(); }

  /// A row in shared memory at `address`, whose pieces of 16 bytes are
  /// swizzled within `swizzle` bytes by the lines of 128 bytes that they are
  /// in.
  bool moveRow(uint64_t address, uint64_t swizzle, std::vector<char> &row,
               bool isStore) {
    for (uint64_t i = 0; i < row.size(); i += bulkPiece) {
      uint64_t to = address + i;
      if (swizzle)
        to ^= (to / 128 % 8 * bulkPiece) & (swizzle - 1);
      char *piece = at(ClusterShared, to, bulkPiece, isStore);
      if (!piece)
        return false;
      std::memcpy(isStore ? piece : &row[i], isStore ? &row[i] : piece,
                  bulkPiece);
    }
    return true;
  }

  /// Of `count` units, those in global memory and those in a row of shared.
  bool moveUnits(const TensorMap::Unit &unit, const TensorBlock::Row &place,
                 std::vector<char> &row, bool isStore,
                 const ElementReduction &combine) {
    if (!place.count)
      return true;
    char *memory = at(Global, place.global, place.count * unit.global, isStore);
    if (!memory)
      return false;
    for (uint64_t i = 0; i < place.count; ++i, memory += unit.global) {
      char *inRow = &row[(place.first + i) * unit.shared];
      uint64_t old = 0, stored = 0;
      if (combine) {
        std::memcpy(&old, memory, unit.global);
        std::memcpy(&stored, inRow, unit.global);
        stored = combine(old, stored);
        inRow = reinterpret_cast<char *>(&stored);
      }
      std::memcpy(isStore ? memory : inRow, isStore ? inRow : memory,
                  unit.global);
    }
    return true;
  }
};
} // namespace

/// What is outside of the tensor reads as zero, or as NaN of its type, all of
/// whose bits are set here.
static bool loadBlock(Copier to, const TensorBlock &block,
                      ArrayRef<uint64_t> places) {
  std::vector<char> row;
  bool isDone = true;
  block.forRows([&](const TensorBlock::Row &place) {
    row.assign(block.rowBytes(), block.map.fill ? char{-1} : char{0});
    isDone = to.moveUnits(*block.map.unit(), place, row, /*isStore=*/false,
                          nullptr) &&
             llvm::all_of(places, [&](uint64_t shared) {
               return to.moveRow(shared + place.shared,
                                 block.map.swizzleBytes(), row,
                                 /*isStore=*/true);
             });
    return isDone;
  });
  return isDone;
}

static void storeBlock(Copier from, const TensorBlock &block, uint64_t shared,
                       const ElementReduction &combine) {
  std::vector<char> row(block.rowBytes());
  block.forRows([&](const TensorBlock::Row &place) {
    return from.moveRow(shared + place.shared, block.map.swizzleBytes(), row,
                        /*isStore=*/false) &&
           from.moveUnits(*block.map.unit(), place, row, /*isStore=*/true,
                          combine);
  });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// `[map, {coordinates}]`, with the offsets of im2col mode.
struct BlockOperand {
  TensorBlock::Mode mode = TensorBlock::Mode::Tile;
  Columns place; ///< the map, then the coordinates
  Columns offsets;

  /// None after a failure.
  std::optional<TensorBlock> read(Copier by) const {
    Wave &wave = by.wave;
    const char *bytes = by.at(Generic, wave.value(place[0], by.lane),
                              TensorMap::bytes, /*isStore=*/false);
    if (!bytes)
      return std::nullopt;
    TensorBlock block;
    block.mode = mode;
    std::memcpy(static_cast<void *>(&block.map), bytes, sizeof(block.map));
    for (Column coordinate : ArrayRef(place).drop_front())
      block.start.push_back(signExtend(wave.value(coordinate, by.lane), 32));
    for (Column offset : offsets)
      block.offsets.push_back(signExtend(wave.value(offset, by.lane), 16));
    if (Error error = block.check()) {
      wave.fail(toString(std::move(error)), by.lane);
      return std::nullopt;
    }
    return block;
  }
};
} // namespace

/// Takes the mode, and the rank, which the coordinates say, too.
static TensorBlock::Mode takeMode(assembly::Opcode &opcode) {
  using Mode = TensorBlock::Mode;
  for (unsigned rank = 1; rank <= 5; ++rank)
    opcode.take((Twine(rank) + "d").str());
  if (opcode.take("tile::gather4") || opcode.take("tile::scatter4"))
    return Mode::Rows;
  if (opcode.take("im2col"))
    return Mode::Im2Col;
  opcode.take("tile");
  return Mode::Tile;
}

/// The barriers of the CTAs in `mask` that a copy signals, at the place of
/// `barrier`: with pairs, in the CTA of each pair that has the parity of its.
static SmallVector<uint64_t> inCtas(uint64_t mask, uint64_t address,
                                    bool inPairs) {
  SmallVector<uint64_t> places;
  const uint64_t owner = address / sharedWindow;
  for (uint64_t rank = 0; mask >> rank; ++rank)
    if (mask >> rank & 1) {
      const uint64_t told =
          inPairs ? (rank & ~uint64_t{1}) | (owner & 1) : rank;
      places.push_back(told * sharedWindow + address % sharedWindow);
    }
  return places;
}

/// Whether a copy to `place` can signal the barrier at `told`. PTX ISA,
/// "cp.async.bulk.tensor", `.cta_group`.
static bool areReachable(uint64_t place, uint64_t told, bool inPairs) {
  const uint64_t ctas = place / sharedWindow ^ told / sharedWindow;
  return !(inPairs ? ctas / 2 : ctas);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// `... [to], [map, {coordinates}], [barrier]{, {offsets}}{, mask}{, policy}`.
static void loadTensor(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  BlockOperand from;
  from.mode = takeMode(opcode);
  const bool isMulticast = opcode.take("multicast::cluster");
  const bool inPairs = opcode.take("cta_group::2");
  opcode.take("cta_group::1");
  opcode.take("mbarrier::complete_tx::bytes");
  takeMemoryHints(opcode);
  takeSpace(opcode);
  takeSpace(opcode);
  const bool hasOffsets = from.mode == TensorBlock::Mode::Im2Col;
  if (!call.isUnderstood() ||
      call.numOperands() < 3u + hasOffsets + isMulticast)
    return call.fail();
  const Column to = call.scalar(0), barrier = call.scalar(2);
  from.place = call.parts(1);
  if (hasOffsets)
    from.offsets = call.parts(3);
  const std::optional<Column> mask =
      isMulticast ? std::optional(call.scalar(3 + hasOffsets)) : std::nullopt;
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      auto block = from.read({wave, lane});
      if (!block)
        return;
      // A generic address may stand for that of shared memory.
      const uint64_t place = wave.value(to, lane) & ~apertureMask,
                     told = wave.value(barrier, lane) & ~apertureMask;
      SmallVector<uint64_t> places{place}, barriers{told};
      if (!areReachable(place, told, inPairs)) {
        wave.fail(
            Twine("copies to the memory of CTA ") +
                Twine(place / sharedWindow) + " and signals a barrier of CTA " +
                Twine(told / sharedWindow) +
                (inPairs ? ", which is not in its pair"
                         : "; without .cta_group::2 both must be in one CTA"),
            lane);
        return;
      }
      if (mask) {
        const uint64_t ctas = wave.value(*mask, lane) & lowBits(16);
        if (!ctas || ctas >> wave.group.cluster().size()) {
          wave.fail("copies to the CTAs of mask " + Twine::utohexstr(ctas) +
                        " in a cluster of " +
                        Twine(wave.group.cluster().size()),
                    lane);
          return;
        }
        places = inCtas(ctas, place, /*inPairs=*/false);
        barriers = inCtas(ctas, told, inPairs);
      }
      auto load = [=, block = std::move(*block)](Wave &owner) {
        if (!loadBlock({owner, lane}, block, places))
          return;
        const auto size = static_cast<int64_t>(block.bytes());
        for (uint64_t at : barriers)
          changeBarrier(owner, at,
                        [&](MBarrier &b) { return b.complete(size); });
      };
      wave.group.cluster().issue(wave, asWorkOf(wave, told, std::move(load)));
    });
  });
}

/// What a reduction does to elements; null for one that is not known.
static ElementReduction findElementReduction(StringRef name,
                                             unsigned elementType) {
  using assembly::Type;
  // By the codes of tensor maps.
  static constexpr Type types[] = {
      {Type::Unsigned, 8}, {Type::Unsigned, 16}, {Type::Unsigned, 32},
      {Type::Signed, 32},  {Type::Unsigned, 64}, {Type::Signed, 64},
      {Type::F16, 16},     {Type::F32, 32},      {Type::F32, 32},
      {Type::F64, 64},     {Type::BF16, 16}};
  if (elementType >= std::size(types))
    return nullptr;
  const auto meaning = assembly::findOperation(name, types[elementType]);
  if (!meaning)
    return nullptr;
  return [compute = meaning->compute](uint64_t old, uint64_t stored) {
    const uint64_t from[] = {old, stored};
    uint64_t to = 0;
    compute(from, &to);
    return to;
  };
}

/// `... [map, {coordinates}], [from]{, policy}`, and with `reduces` what is
/// there is combined with it.
template <bool reduces> static void storeTensor(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  BlockOperand to;
  to.mode = takeMode(opcode);
  std::string operation;
  if (reduces)
    for (StringRef name : {"add", "min", "max", "and", "or", "xor"})
      if (opcode.take(name))
        operation = name;
  opcode.take("bulk_group");
  takeMemoryHints(opcode);
  takeSpace(opcode);
  takeSpace(opcode);
  if (!call.isUnderstood() || call.numOperands() < 2 ||
      (reduces && operation.empty()))
    return call.fail();
  to.place = call.parts(0);
  const Column from = call.scalar(1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      auto block = to.read({wave, lane});
      if (!block)
        return;
      ElementReduction combine;
      if (reduces) {
        combine = findElementReduction(operation, block->map.elementType);
        if (!combine) {
          wave.fail("cannot reduce this element type with " + operation, lane);
          return;
        }
      }
      Transfer transfer;
      auto store = [=, block = std::move(*block),
                    place =
                        wave.value(from, lane) & ~apertureMask](Wave &owner) {
        storeBlock({owner, lane}, block, place, combine);
      };
      transfer.finish = asWorkOf(wave, Unit::BulkStore, std::move(store));
      wave.transfers.issue(wave, Transfers::Tensor, std::move(transfer));
    });
  });
}

static void copyTensor(PtxCall &call) {
  isBulkLoad(call.opcode) ? loadTensor(call) : storeTensor<false>(call);
}

void addTensorCopies(PtxMeanings &meanings) {
  meanings.add("cp.async.bulk.tensor", copyTensor);
  meanings.add("cp.reduce.async.bulk.tensor", storeTensor<true>);
}

} // namespace kernelscope::wave::nvidia
