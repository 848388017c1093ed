//===- BarrierWaitMissing.cpp - buffers read before they are full ---------===//
//
// A copy by TMA and a product of the tensor core signal a barrier when they are
// done. A reader of what they write waits for that phase, or for an agent that
// has. A wait anywhere is not enough: it may be one for another buffer, or in a
// partition that signals no other.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MissingBarrierOps.h"

using namespace mlir;
using namespace kernelscope;

void kernelscope::lintBarrierWaitMissing(LintInput &input, EmitLint emit) {
  const std::optional<UnguardedAccess> &found = input.barrierRun().unguarded;
  // Without any wait between the two it is another rule's.
  if (!found || llvm::any_of(input.earlyLoads(), [&](const EarlyLoad &early) {
        return early.load == found->op;
      }))
    return;
  std::string other = quote(found->other);
  auto emitWithWait = [&](const std::string &message, const char *note) {
    LintFinding finding = {found->op, "barrier-wait-missing", message,
                           found->other, note};
    if (auto wait = findMissingWait(input, found->op, found->other))
      finding.fix = *wait;
    emit(std::move(finding));
  };
  switch (found->kind) {
  case UnguardedAccess::Read:
    return emitWithWait("reads a buffer that " + other +
                            " fills, but nothing has waited for its barrier",
                        "filled by this op");
  case UnguardedAccess::Overwrite:
    return emit({found->op, "barrier-wait-missing",
                 "overwrites a buffer that " + other +
                     " may still read; nothing has waited for its completion",
                 found->other, "read by this op"});
  case UnguardedAccess::Invalidate:
    return emitWithWait(
        "invalidates a barrier at which " + other +
            " has yet to arrive; a wait for that phase must come first",
        "arrives when it is done");
  }
}
