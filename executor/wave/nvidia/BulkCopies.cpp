//===- BulkCopies.cpp - Bulk copies of bytes ------------------------------===//
//
// PTX ISA, "cp.async.bulk", "st.async".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/BulkCopies.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/MBarrier.h"
#include "executor/wave/nvidia/SharedRaces.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

bool isBulkLoad(const assembly::Opcode &opcode) {
  for (StringRef word : opcode.modifiers)
    if (word == "global" || word.starts_with("shared"))
      return word != "global";
  return false;
}

/// `cp.async.bulk.to.from... [to], [from], bytes, [barrier]`, or without a
/// barrier for a group.
static void copyBytes(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  const bool hasGroup = opcode.take("bulk_group");
  const bool isToGlobal = !isBulkLoad(opcode);
  const bool isFromGlobal =
      !isToGlobal && llvm::is_contained(opcode.modifiers, "global");
  opcode.take("mbarrier::complete_tx::bytes");
  takeMemoryHints(opcode);
  takeSpace(opcode);
  takeSpace(opcode);
  if (!call.isUnderstood() || call.numOperands() < (hasGroup ? 3u : 4u))
    return call.fail();
  const Column to = call.scalar(0), from = call.scalar(1),
               size = call.scalar(2);
  const Column barrier = hasGroup ? size : call.scalar(3);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const uint64_t bytes = wave.value(size, lane) & lowBits(32),
                     target = wave.value(to, lane),
                     source = wave.value(from, lane),
                     told = wave.value(barrier, lane) & ~apertureMask;
      if ((bytes | target | source) % bulkPiece) {
        wave.fail("has a size or an address that is not a multiple of 16 bytes",
                  lane);
        return;
      }
      auto copy = [=](Wave &owner) {
        const char *read = owner.access(isFromGlobal ? Global : ClusterShared,
                                        source, bytes, lane, /*isStore=*/false);
        char *written = owner.access(isToGlobal ? Global : ClusterShared,
                                     target, bytes, lane, /*isStore=*/true);
        if (!read || !written)
          return;
        std::memmove(written, read, bytes);
        if (!hasGroup)
          changeBarrier(owner, told, [&](MBarrier &b) {
            return b.complete(static_cast<int64_t>(bytes));
          });
      };
      if (!hasGroup) {
        wave.group.cluster().issue(wave, asWorkOf(wave, told, copy));
        return;
      }
      Transfer transfer;
      transfer.finish = asWorkOf(wave, Unit::BulkStore, copy);
      wave.transfers.issue(wave, Transfers::Tensor, std::move(transfer));
    });
  });
}

/// `st.async... [to], values, [barrier]`: stores to the cluster that complete
/// their bytes on a barrier.
static void storeAsync(PtxCall &call) {
  assembly::Opcode &opcode = call.opcode;
  opcode.take("mbarrier::complete_tx::bytes");
  takeMemoryHints(opcode);
  for (StringRef vector : {"v2", "v4"})
    opcode.take(vector);
  const bool isKnown = takeSpace(opcode) == ClusterShared;
  if (!call.isUnderstood() || !isKnown || opcode.types.size() != 1 ||
      call.numOperands() != 3)
    return call.fail();
  const size_t size = opcode.types[0].width() / 8;
  const Column to = call.scalar(0), barrier = call.scalar(2);
  const Columns values = call.parts(1);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      std::vector<char> bytes(values.size() * size);
      for (auto [i, value] : enumerate(values))
        std::memcpy(&bytes[i * size], &wave.value(value, lane), size);
      const uint64_t told = wave.value(barrier, lane) & ~apertureMask;
      auto store = [=, target = wave.value(to, lane)](Wave &owner) {
        char *memory = owner.access(ClusterShared, target, bytes.size(), lane,
                                    /*isStore=*/true);
        if (!memory)
          return;
        llvm::copy(bytes, memory);
        changeBarrier(owner, told, [&](MBarrier &b) {
          return b.complete(static_cast<int64_t>(bytes.size()));
        });
      };
      wave.group.cluster().issue(wave, asWorkOf(wave, told, store));
    });
  });
}

void addBulkCopies(PtxMeanings &meanings) {
  meanings.add("cp.async.bulk", copyBytes);
  meanings.add("cp.async.bulk.prefetch", doNothing);
  meanings.add("st.async", storeAsync);
}

} // namespace kernelscope::wave::nvidia
