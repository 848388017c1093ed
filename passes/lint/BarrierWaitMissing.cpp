//===- BarrierWaitMissing.cpp - buffers read before they are full ---------===//
//
// A copy by TMA and a product of the tensor core tell a barrier when they are
// done. Who reads what they write waits for that phase, or for somebody who
// has. A wait anywhere is not enough: it may be one for another buffer, or in a
// partition that tells nobody.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

using namespace mlir;
using namespace kernelscope;

void kernelscope::lintBarrierWaitMissing(LintInput &input, EmitLint emit) {
  const std::optional<UnguardedRead> &found = input.barrierRun().unguarded;
  // Without any wait between the two it is another rule's.
  if (!found || llvm::any_of(input.earlyLoads(), [&](const EarlyLoad &early) {
        return early.load == found->read;
      }))
    return;
  emit({found->read, "barrier-wait-missing",
        "reads a buffer that " + quote(found->filler) +
            " fills, but nobody has waited for its barrier before",
        found->filler, "filled by this op"});
}
