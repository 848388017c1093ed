//===- BarrierBytes.cpp - bytes expected, bytes copied --------------------===//
//
// A phase ends when as many bytes have come as were announced: with fewer it
// never does, with more the next phase begins with a debt. Triton announces the
// bytes of all copies of a phase right before them, on one view of the barrier.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Barriers.h"
#include "passes/lint/Lint.h"

#include "dialects/ttng/TTNG.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

namespace {
/// An announcement and the copies behind it.
struct Transfer {
  ttng::BarrierExpectOp expect;
  Value barrier;
  SmallVector<Operation *> copies;
};
} // namespace

/// Whether the copy is made whenever its bytes are announced, and only then.
static bool areMadeTogether(Operation *copy, ttng::BarrierExpectOp expect) {
  Value predicate;
  if (auto block = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(copy))
    predicate = block.getPred();
  else if (auto rows = dyn_cast<ttng::AsyncTMAGatherOp>(copy))
    predicate = rows.getPred();
  std::optional<int64_t> constant = constantOf(expect.getPred());
  return predicate == expect.getPred() ||
         (constant && constant == constantOf(predicate));
}

/// The transfers of a ring; none where a copy has no announcement before it in
/// its block, or the other way round.
static SmallVector<Transfer> transfersOf(const BarrierRing &ring) {
  SmallVector<Transfer> transfers;
  SmallVector<BarrierUse> copies;
  for (const BarrierUse &use : ring.uses) {
    if (auto expect = dyn_cast<ttng::BarrierExpectOp>(use.op))
      transfers.push_back({expect, use.barrier, {}});
    else if (bytesOf(use.op))
      copies.push_back(use);
    else if (!isa<ttng::InitBarrierOp, ttng::InvalBarrierOp,
                  ttng::WaitBarrierOp, ttng::ArriveBarrierOp>(use.op))
      return {};
  }
  for (const BarrierUse &copy : copies) {
    Transfer *nearest = nullptr;
    for (Transfer &transfer : transfers) {
      Operation *expect = transfer.expect;
      if (transfer.barrier == copy.barrier &&
          expect->getBlock() == copy.op->getBlock() &&
          expect->isBeforeInBlock(copy.op) &&
          (!nearest || nearest->expect->isBeforeInBlock(expect)))
        nearest = &transfer;
    }
    if (!nearest || !areMadeTogether(copy.op, nearest->expect))
      return {};
    nearest->copies.push_back(copy.op);
  }
  // Bytes may be announced in parts.
  if (llvm::any_of(transfers, [](const Transfer &transfer) {
        return transfer.copies.empty();
      }))
    return {};
  return transfers;
}

void kernelscope::lintBarrierBytes(const Barriers &barriers, EmitLint emit) {
  for (const BarrierRing &ring : barriers.rings()) {
    for (Transfer &transfer : transfersOf(ring)) {
      int64_t copied = 0, expected = transfer.expect.getSize();
      for (Operation *copy : transfer.copies)
        copied += *bytesOf(copy);
      if (copied == expected)
        continue;
      size_t count = transfer.copies.size();
      std::string behind =
          count == 1 ? "the copy behind it that completes on this barrier "
                       "brings "
                     : "the " + std::to_string(count) +
                           " copies behind it that complete on this barrier "
                           "bring ";
      emit({transfer.expect, "barrier-bytes",
            "expects " + std::to_string(expected) + " bytes, but " + behind +
                std::to_string(copied) +
                (copied < expected ? ": the wait never ends"
                                   : ": the next phase ends too early"),
            transfer.copies.front(),
            std::to_string(*bytesOf(transfer.copies.front())) + " bytes here"});
    }
  }
}
