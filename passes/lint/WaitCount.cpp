//===- WaitCount.cpp - waits that leave too much in flight ----------------===//
//
// `ttg.async_wait {num = N}` returns with up to N groups still in flight, the
// newest ones. The group that a token stands for is done only if N or more came
// after it; AMD's hardware counts memory instructions the same way.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

/// Whether data is read on the word of `wait`: a load takes its token.
static bool guardsLoad(Operation *wait) {
  return llvm::any_of(wait->getUsers(), [](Operation *user) {
    return user->hasTrait<ttg::LocalLoadTrait>();
  });
}

/// How many groups are closed, or with `instructions` how many ops on memory
/// are run, between two ops of a block; nothing when that is not certain.
static std::optional<int64_t> countBetween(Operation *from, Operation *to,
                                           bool instructions) {
  int64_t count = 0;
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    bool counts = instructions ? !isMemoryEffectFree(op) &&
                                     !isa<ttg::AsyncCommitGroupOp>(op)
                               : isa<ttg::AsyncCommitGroupOp>(op);
    if (op->getNumRegions() != 0 && !isMemoryEffectFree(op))
      return std::nullopt;
    count += counts;
  }
  return count;
}

static void check(ttg::AsyncWaitOpInterface wait, bool instructions,
                  EmitLint emit) {
  int64_t left = wait.getPending();
  if (left == 0 || !guardsLoad(wait))
    return;
  for (Value token : wait->getOperands()) {
    Operation *start = token.getDefiningOp();
    if (!start || start->getBlock() != wait->getBlock() ||
        !isa<ttg::AsyncCommitGroupOp>(start))
      continue;
    std::optional<int64_t> later = countBetween(start, wait, instructions);
    // One op may be many instructions, so only none at all is certain.
    if (!later || (instructions ? *later > 0 : *later >= left))
      continue;
    std::string what = instructions ? "instructions" : "groups";
    emit({wait, "wait-count",
          "leaves up to " + std::to_string(left) + " " + what +
              " in flight, but only " + std::to_string(*later) +
              (*later == 1 ? " is" : " are") +
              " newer than the group whose "
              "data is read next; it must leave at most " +
              std::to_string(*later),
          start, "the group is closed here"});
  }
}

void kernelscope::lintWaitCount(LintInput &input, EmitLint emit) {
  std::optional<Target> target = ttg::lookupTarget(input.function);
  bool isAMD = target && target->isAmd();
  input.function->walk([&](ttg::AsyncWaitOpInterface wait) {
    // On AMD the number is of groups or, later in the pipeline, instructions.
    if (wait.getAwaited() == ttg::Completion::CommitGroup)
      check(wait, isAMD || wait.countsInstructions(), emit);
  });
}
