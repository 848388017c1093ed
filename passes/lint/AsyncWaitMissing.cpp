//===- AsyncWaitMissing.cpp - reads that nothing waits before -------------===//
//
// Data of an asynchronous copy is there only after a wait for copies of its
// kind. A load that AMD's lowering takes as guarded by one gets no wait of its
// own, so one must come before it on every path; on other chips no load gets
// one.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MissingBarrierOps.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncFlow.h"

using namespace mlir;
using namespace kernelscope;

/// What waits for the copies that `copy` is one of.
static StringRef waitFor(Operation *copy) {
  switch (cast<ttg::MemoryAccessOpInterface>(copy).getAccessMode().completion) {
  case ttg::Completion::TensorCounter:
    return "'amdg.async_tdm_wait'";
  case ttg::Completion::MBarrier:
    return "wait on its barrier";
  default:
    return "'ttg.async_wait'";
  }
}

/// Whether `wait` is for copies of the kind of `copy`.
static bool waitsFor(Operation *wait, Operation *copy) {
  auto awaits = dyn_cast<ttg::AsyncWaitOpInterface>(wait);
  return awaits &&
         awaits.getAwaited() == cast<ttg::MemoryAccessOpInterface>(copy)
                                    .getAccessMode()
                                    .completion;
}

/// The wait for all copies of the kind of `early.copy`, right before the load.
static std::optional<LintFix> fixOf(const EarlyLoad &early, LintInput &input) {
  auto completion = ttg::Completion::CommitGroup;
  if (early.copy)
    completion = cast<ttg::MemoryAccessOpInterface>(early.copy)
                     .getAccessMode()
                     .completion;
  switch (completion) {
  case ttg::Completion::MBarrier:
    return findMissingWait(input, early.load, early.copy);
  case ttg::Completion::TensorCounter:
    return MissingOps{early.load, "amdg.async_tdm_wait {num = 0 : i32}"};
  case ttg::Completion::CommitGroup:
    return MissingOps{early.load, early.copy && !early.isClosed
                                      ? "ttg.async_commit_group\n"
                                        "ttg.async_wait {num = 0 : i32}"
                                      : "ttg.async_wait {num = 0 : i32}"};
  default:
    return std::nullopt;
  }
}

void kernelscope::lintAsyncWaitMissing(LintInput &input, EmitLint emit) {
  for (const EarlyLoad &early : input.earlyLoads()) {
    if (early.newer)
      continue; // A wait, with the wrong count.
    if (!early.copy) {
      emit({early.load, "async-wait-missing",
            "is marked as guarded by an asynchronous wait, but no wait comes "
            "before it",
            nullptr, "", LintLevel::Warning, fixOf(early, input)});
      continue;
    }
    std::string message =
        "reads shared memory that an asynchronous copy writes; there must be a "
        "wait between the two";
    if (early.wait && waitsFor(early.wait, early.copy))
      message += ", and " + quote(early.wait) +
                 " waits only for groups that 'ttg.async_commit_group' closed";
    else if (early.wait)
      message += ", and " + quote(early.wait) + " does not wait for " +
                 quote(early.copy) + ": it needs a " +
                 waitFor(early.copy).str();
    emit({early.load, "async-wait-missing", message, early.copy,
          "written by this copy", LintLevel::Warning, fixOf(early, input)});
  }
}
