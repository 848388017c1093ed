//===- Finding.cpp - What the sanitizer reports ---------------------------===//
//
// The words of its messages.
//
//===----------------------------------------------------------------------===//

#include "executor/sanitize/Finding.h"
#include "dialects/ttg/TTG.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor::sanitize {
namespace {

std::string nameOf(ttg::MemorySpace space) {
  return space == ttg::MemorySpace::Tensor ? "tensor memory" : "shared memory";
}

/// How the end of an asynchronous op is signalled.
Completion completionOf(Operation *op) {
  for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
    if (access.mode.completion != Completion::AtOnce)
      return access.mode.completion;
    else if (access.mode.proxy == ttg::Proxy::TensorCore)
      return Completion::TensorCommit;
  return Completion::AtOnce;
}

/// What must come between asynchronous `op` and an access that it may disturb.
std::string waitFor(Operation *op) {
  const bool isAmd = op->getDialect()->getNamespace() == "amdg";
  switch (completionOf(op)) {
  case Completion::CommitGroup:
    return isAmd ? "an 'amdg.async_wait' that covers it"
                 : "a 'ttg.async_wait' that covers its group";
  case Completion::BulkGroup:
    return "a 'ttng.async_tma_store_wait' that covers it";
  case Completion::WgmmaGroup:
    return "a 'ttng.warp_group_dot_wait' that covers it";
  case Completion::TensorCommit:
    return "a wait for the barrier of a later 'ttng.tc_gen5_commit'";
  case Completion::TensorCounter:
    return "an 'amdg.async_tdm_wait' that covers it";
  case Completion::MBarrier:
    return "a wait for the phase of the barrier that it completes";
  case Completion::AtOnce:
    break;
  }
  return "a wait for it";
}

/// An op that takes the place of the buffer, rather than access it.
bool isAnotherBuffer(Operation *op) { return isa<ttg::AllocOpInterface>(op); }

/// The relation of another agent to the one whose access its own overlaps.
std::string kindOfOther(bool isOfOtherCTA) {
  return isOfOtherCTA ? "CTA" : "partition";
}

std::string verb(const NewAccess &made) {
  const std::string memory = nameOf(made.memory.space);
  if (isAnotherBuffer(made.access.op) && made.access.op != made.memory.op)
    return "reuses another buffer's place in " + memory;
  if (made.access.isAsync)
    return made.isWrite ? "starts to write " + memory
                        : "starts to read " + memory;
  return (made.isWrite ? "writes " : "reads ") + memory;
}

Finding make(Finding::Kind kind, const NewAccess &made, Operation *other,
             const std::string &rest) {
  return {kind, made.access.op, other, verb(made) + rest, {}};
}

void noteAllocation(Finding &finding, const Allocation &memory) {
  finding.notes.emplace_back(memory.op, "the buffer is allocated here");
}

} // namespace

Finding race(const NewAccess &made, const Access &earlier, bool wasWrite) {
  const char *what = wasWrite ? "write" : "read";
  if (!earlier.isAsync) {
    const std::string who = kindOfOther(earlier.cta != made.access.cta);
    Finding finding = make(
        Finding::Kind::Race, made, earlier.op,
        " that another " + who + (wasWrite ? " writes" : " reads") +
            ", and no barrier orders the two; after its access the other " +
            who + " must arrive at a barrier that this one waits for first");
    finding.notes.emplace_back(earlier.op, "the other " + who + "'s " + what);
    noteAllocation(finding, made.memory);
    return finding;
  }
  Finding finding =
      make(Finding::Kind::Race, made, earlier.op,
           std::string(" while an asynchronous ") + what +
               (wasWrite ? " to" : " of") + " it may be in flight; " +
               waitFor(earlier.op) + " must come in between");
  finding.notes.emplace_back(earlier.op, std::string("the asynchronous ") +
                                             what + " starts here");
  if (earlier.barrier)
    finding.notes.emplace_back(earlier.barrier,
                               "it completes on the barrier initialised here");
  else
    noteAllocation(finding, made.memory);
  return finding;
}

Finding globalRace(Operation *op, bool isStore,
                   const AgentRaces::Conflict &other) {
  auto does = [](bool store) {
    return std::string(store ? "writes" : "reads");
  };
  const std::string who = kindOfOther(other.isOfOtherCTA);
  const std::string message =
      does(isStore) + " an element of global memory that " +
      (other.wasAsync ? "an asynchronous copy" : "another " + who) + " " +
      does(other.wasStore) +
      (other.wasAsync
           ? ", and no wait or barrier orders the two; this one must wait for "
             "the copy, or for a barrier at which another arrives after "
             "waiting for the copy"
           : ", and no barrier orders the two; after its access the other " +
                 who +
                 " must arrive at a barrier that this one waits for first");
  return {
      Finding::Kind::Race,
      op,
      other.op,
      message,
      {{other.op, other.wasAsync ? "the copy"
                                 : "the other " + who + "'s " +
                                       (other.wasStore ? "store" : "load")}}};
}

Finding noFence(const NewAccess &made, const Access &earlier,
                bool isElsewhere) {
  Finding finding = make(
      Finding::Kind::NoFence, made, earlier.op,
      std::string(" through the async proxy after ordinary stores to it; a "
                  "'ttng.fence_async_shared' ") +
          (isElsewhere ? "with 'bCluster = true' must come in between, because "
                         "the one there does not cover another CTA's memory"
                       : "must come in between"));
  finding.notes.emplace_back(earlier.op, "the ordinary stores");
  return finding;
}

Finding uninitialized(const NewAccess &made, int64_t bytes) {
  Finding finding = make(Finding::Kind::Uninitialized, made, made.memory.op,
                         ", but nothing has written " + std::to_string(bytes) +
                             " of the bytes that it needs");
  noteAllocation(finding, made.memory);
  return finding;
}

Finding freed(const NewAccess &made) {
  const bool isGiven = isAnotherBuffer(made.memory.freedBy);
  Finding finding = make(Finding::Kind::Freed, made, made.memory.freedBy,
                         isGiven ? " that the compiler has given to another "
                                   "buffer"
                                 : " that has been deallocated");
  finding.notes.emplace_back(made.memory.freedBy,
                             isGiven ? "the other buffer is allocated here"
                                     : "it is deallocated here");
  noteAllocation(finding, made.memory);
  return finding;
}

Finding notAwaited(Operation *op) {
  return {Finding::Kind::NotAwaited,
          op,
          op,
          "may still read shared memory after its warps have exited, when the "
          "data is lost; " +
              waitFor(op) + " must follow",
          {}};
}

Finding usedEarly(Operation *op, Operation *product) {
  return {Finding::Kind::UsedEarly,
          op,
          product,
          "uses the result of an asynchronous product that may be in flight; "
          "a 'ttng.warp_group_dot_wait' that covers it must come in between",
          {{product, "the product starts here"}}};
}

Finding missedPhase(Operation *signal, Operation *wait, Operation *init) {
  return {
      Finding::Kind::MissedPhase,
      signal,
      wait,
      "completes a phase of a barrier, but a wait may not have seen the end of "
      "the previous phase yet; this arrival must be ordered after that wait",
      {{wait, "the wait, which may miss its phase"},
       {init, "the barrier is initialised here"}}};
}

Finding invalidated(Operation *op, Operation *signal, Operation *init,
                    bool isOther) {
  Finding finding{Finding::Kind::Invalidated,
                  op,
                  signal,
                  "invalidates a barrier that asynchronous work has yet to "
                  "signal; a wait for that phase must come first",
                  {{signal, "the work that signals it"},
                   {init, "the barrier is initialised here"}}};
  if (isOther)
    finding.notes.emplace_back(
        op, "another partition has started the work, and nothing has waited "
            "for its end; Triton 3.6 to 3.8 omit this wait when they "
            "specialise warps, Triton 3.9 does not");
  return finding;
}

Finding notInvalidated(Operation *op, Operation *init) {
  return {Finding::Kind::NotInvalidated,
          op,
          init,
          "reuses the shared memory of a barrier that is still initialised; a "
          "'ttng.inval_barrier' must come in between",
          {{init, "the barrier is initialised here"}}};
}

Finding outsideBins(Operation *op, int64_t value, int64_t bins,
                    uint64_t countedIn) {
  const std::string fate = countedIn < uint64_t(bins)
                               ? "counts it in bin " + std::to_string(countedIn)
                               : "does not count it";
  return {Finding::Kind::OutsideBins,
          op,
          op,
          "has a value of " + std::to_string(value) +
              ", but its bins are 0 to " + std::to_string(bins - 1) +
              "; Triton's compiler for this target " + fate +
              ", but other targets differ, so the value must be masked",
          {}};
}

} // namespace kernelscope::executor::sanitize
