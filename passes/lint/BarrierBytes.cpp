//===- BarrierBytes.cpp - bytes expected, bytes copied --------------------===//
//
// A phase ends when as many bytes have come as were announced: with fewer it
// never does, with more the next phase begins with a debt. Triton announces the
// bytes of all copies of a phase right before them, on one view of the barrier.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MissingBarrierOps.h"

#include "dialects/nvws/NVWS.h"
#include "dialects/ttg/SharedCost.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

namespace {
/// An announcement and the copies after it.
struct Transfer {
  const BarrierUse *expect;
  SmallVector<const BarrierUse *> copies;
};
} // namespace

/// Whether the copy is made whenever its bytes are announced, and only then.
static bool areMadeTogether(const BarrierAction &copy,
                            const BarrierAction &expect) {
  // One without a predicate is always made.
  auto same = [](Value a, Value b) {
    std::optional<int64_t> constant = a ? tt::constantOf(a) : -1;
    return a == b || (constant && constant == (b ? tt::constantOf(b) : -1));
  };
  auto only = [](const BarrierAction &action) {
    return action.predicates.empty() ? Value() : action.predicates.front();
  };
  return copy.predicates.size() <= 1 && expect.predicates.size() <= 1 &&
         same(only(copy), only(expect));
}

/// The transfers of a ring; none where a copy has no announcement before it in
/// its block, or the other way round.
static SmallVector<Transfer> transfersOf(const BarrierRing &ring) {
  SmallVector<Transfer> transfers;
  SmallVector<const BarrierUse *> copies;
  for (const BarrierUse &use : ring.uses) {
    bool isCopy = use.action.kind == BarrierAction::Complete;
    if (use.action.kind == BarrierAction::Expect)
      transfers.push_back({&use, {}});
    else if (isCopy && use.action.bytes)
      copies.push_back(&use);
    else if (isCopy || use.action.kind == BarrierAction::ArriveWhenDone)
      return {};
  }
  for (const BarrierUse *copy : copies) {
    Transfer *nearest = nullptr;
    for (Transfer &transfer : transfers) {
      Operation *expect = transfer.expect->op;
      if (transfer.expect->barrier() == copy->barrier() &&
          expect->getBlock() == copy->op->getBlock() &&
          expect->isBeforeInBlock(copy->op) &&
          (!nearest || nearest->expect->op->isBeforeInBlock(expect)))
        nearest = &transfer;
    }
    if (!nearest || !areMadeTogether(copy->action, nearest->expect->action))
      return {};
    nearest->copies.push_back(copy);
  }
  // Bytes may be announced in parts.
  if (llvm::any_of(transfers, [](const Transfer &transfer) {
        return transfer.copies.empty();
      }))
    return {};
  return transfers;
}

/// Copies by a ring on which no bytes are ever announced: they go to the phase
/// after, if it completes at all.
static void checkAnnounced(const BarrierRing &ring, LintInput &input,
                           EmitLint emit) {
  SmallVector<BarrierUse> copies = ring.usesOf(BarrierAction::Complete);
  if (copies.empty() || !ring.usesOf(BarrierAction::Expect).empty() ||
      ring.usesOf(BarrierAction::Wait).empty())
    return;
  const BarrierUse &copy = copies.front();
  std::string bytes =
      copy.action.bytes ? std::to_string(*copy.action.bytes) + " " : "";
  emit({copy.op, "barrier-bytes",
        "completes " + bytes +
            "bytes on a barrier that expects none; a 'ttng.barrier_expect' "
            "must announce them",
        ring.usesOf(BarrierAction::Wait).front().op, "waited for here",
        LintLevel::Warning, findMissingExpect(input, ring)});
}

/// A load whose barrier is not chosen yet says itself how many bytes complete.
static void checkLoad(nvws::DescriptorLoadOp load, EmitLint emit) {
  ttg::MemDescType memory = load.getResult().getType();
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
  if (!layout || layout.getFp4Padded())
    return;
  std::optional<int64_t> bytes = ttg::bytesInCTA(memory);
  int64_t expected = static_cast<int32_t>(load.getTxCount());
  if (!bytes || *bytes == expected)
    return;
  emit({load, "barrier-bytes",
        "expects " + std::to_string(expected) + " bytes, but writes " +
            std::to_string(*bytes) +
            (*bytes < expected ? ": the wait never ends"
                               : ": the next phase completes too early"),
        nullptr, "", LintLevel::Warning, NumberFix{load, expected, *bytes}});
}

void kernelscope::lintBarrierBytes(LintInput &input, EmitLint emit) {
  input.function->walk(
      [&](nvws::DescriptorLoadOp load) { checkLoad(load, emit); });
  bool isFound = false;
  for (const BarrierRing &ring : input.barriers().rings()) {
    checkAnnounced(ring, input, emit);
    for (Transfer &transfer : transfersOf(ring)) {
      int64_t copied = 0, expected = *transfer.expect->action.bytes;
      for (const BarrierUse *copy : transfer.copies)
        copied += *copy->action.bytes;
      if (copied == expected)
        continue;
      isFound = true;
      size_t count = transfer.copies.size();
      std::string behind =
          count == 1
              ? "the copy after it that completes on this barrier writes "
              : "the " + std::to_string(count) +
                    " copies after it that complete on this barrier write ";
      emit({transfer.expect->op, "barrier-bytes",
            "expects " + std::to_string(expected) + " bytes, but " + behind +
                std::to_string(copied) +
                (copied < expected ? ": the wait never ends"
                                   : ": the next phase completes too early"),
            transfer.copies.front()->op,
            std::to_string(*transfer.copies.front()->action.bytes) +
                " bytes here",
            LintLevel::Warning,
            NumberFix{transfer.expect->op, expected, copied}});
    }
  }
  const std::optional<BarrierFault> &fault = input.endlessWait();
  // Bytes that nothing announced are said above.
  if (isFound || !fault || fault->reason != BarrierFault::MissingBytes ||
      !fault->last)
    return;
  emit({fault->last, "barrier-bytes",
        "expects " + std::to_string(fault->expected) +
            " bytes, but the copies that complete on this barrier write " +
            std::to_string(fault->copied) + ": the wait never ends",
        fault->wait, "waited for here"});
}
