//===- WaitCount.cpp - waits that leave too much in flight ----------------===//
//
// `ttg.async_wait {num = N}` returns with up to N groups still in flight, the
// newest ones. The group that a token stands for is done only if N or more came
// after it; AMD's hardware counts memory instructions the same way.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// Whether an op after `wait`, in its block, reads shared memory that the
/// copies of the group write that `commit` closes.
static bool isReadAfter(Operation *wait, Operation *commit) {
  llvm::SmallPtrSet<Value, 2> written;
  for (Value token : commit->getOperands())
    if (Operation *copy = token.getDefiningOp())
      for (Value destination : destinationsOf(copy))
        written.insert(ttg::lookThroughViews(destination));
  if (written.empty())
    return false;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    if (isa<ttg::AsyncWaitOpInterface>(op))
      return false;
    for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
      if (!access.isWrite && access.memory &&
          access.space == ttg::MemorySpace::Shared &&
          written.contains(ttg::lookThroughViews(access.memory)))
        return true;
  }
  return false;
}

/// Whether `op` closes a group or, with `instructions`, may be one on memory.
static bool countsAsGroup(Operation *op, bool instructions) {
  return instructions
             ? !isMemoryEffectFree(op) && !isa<ttg::AsyncCommitGroupOp>(op)
             : isa<ttg::AsyncCommitGroupOp>(op);
}

/// How many groups are closed, or with `instructions` how many ops on memory
/// are run, between two ops of a block; nothing when that is not certain.
static std::optional<int64_t> countBetween(Operation *from, Operation *to,
                                           bool instructions) {
  int64_t count = 0;
  if (from == to)
    return count;
  for (Operation *op = from->getNextNode(); op && op != to;
       op = op->getNextNode()) {
    if (op->getNumRegions() != 0 && !isMemoryEffectFree(op))
      return std::nullopt;
    count += countsAsGroup(op, instructions);
  }
  return count;
}

namespace {
/// The fewest groups that are closed after the one that a token stands for, on
/// the paths that are known.
class NewerGroups {
public:
  /// Nothing where no path is known. With `instructions` it counts those.
  std::optional<int64_t> count(Value token, Operation *at, bool instructions);
  /// Where the group is closed on that path.
  Operation *start = nullptr;

private:
  void follow(Value token, Operation *at, int64_t later);
  bool instructions = false;
  std::optional<int64_t> fewest;
  SmallPtrSet<Value, 8> seen;
};
} // namespace

/// `later` groups are closed from `at` on; the token is there before `at`.
void NewerGroups::follow(Value token, Operation *at, int64_t later) {
  if (Operation *commit = token.getDefiningOp()) {
    // What a loop carried last.
    if (auto loop = dyn_cast<scf::ForOp>(commit)) {
      auto after = commit->getBlock() == at->getBlock()
                       ? countBetween(commit, at, instructions)
                       : std::nullopt;
      Operation *end = loop.getBody()->getTerminator();
      if (after && seen.insert(token).second)
        follow(end->getOperand(cast<OpResult>(token).getResultNumber()), end,
               later + *after);
      return;
    }
    if (!isa<ttg::AsyncCommitGroupOp>(commit) ||
        commit->getBlock() != at->getBlock())
      return;
    auto after = countBetween(commit, at, instructions);
    if (after && (!fewest || later + *after < *fewest)) {
      fewest = later + *after;
      start = commit;
    }
    return;
  }
  auto argument = cast<BlockArgument>(token);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument.getArgNumber() == 0 ||
      at->getBlock() != loop.getBody() || !seen.insert(token).second)
    return;
  Operation *first = &loop.getBody()->front();
  auto before = countBetween(first, at, instructions);
  if (!before)
    return;
  *before += first != at && countsAsGroup(first, instructions);
  Operation *end = loop.getBody()->getTerminator();
  unsigned number = argument.getArgNumber() - 1;
  follow(loop.getInitArgs()[number], loop, later + *before);
  follow(end->getOperand(number), end, later + *before);
}

std::optional<int64_t> NewerGroups::count(Value token, Operation *at,
                                          bool countsInstructions) {
  instructions = countsInstructions;
  follow(token, at, 0);
  return fewest;
}

/// `unit`: what it leaves, "groups", "copies" or "instructions".
static void emitCount(Operation *wait, int64_t left, int64_t newer,
                      StringRef unit, Operation *start, EmitLint emit) {
  bool countsCopies = unit == "copies";
  emit({wait, "wait-count",
        ("leaves up to " + Twine(left) + " " + unit + " in flight, but only " +
         Twine(newer) + (newer == 1 ? " is" : " are") + " newer than the " +
         (countsCopies ? "one" : "group") +
         " whose data is read next; it must leave at most " + Twine(newer))
            .str(),
        start,
        isa<ttg::AsyncCommitGroupOp>(start) ? "the group is committed here"
        : countsCopies                      ? "the data is copied here"
                                            : "this copy is in the group",
        LintLevel::Warning, NumberFix{wait, left, newer}});
}

/// Whether the tokens of `wait` say that it leaves too much.
static bool check(ttg::AsyncWaitOpInterface wait, bool instructions,
                  EmitLint emit) {
  int64_t left = wait.getPending();
  if (left == 0)
    return false;
  bool guards = guardsLoad(wait);
  for (Value token : wait->getOperands()) {
    NewerGroups groups;
    std::optional<int64_t> later = groups.count(token, wait, instructions);
    // One op may be many instructions, so only none at all is certain.
    if (!later || (instructions ? *later > 0 : *later >= left))
      continue;
    // On AMD, LLVM waits before loads without a mark.
    if (!guards && (instructions || !isReadAfter(wait, groups.start)))
      continue;
    emitCount(wait, left, *later, instructions ? "instructions" : "groups",
              groups.start, emit);
    return true;
  }
  return false;
}

void kernelscope::lintWaitCount(LintInput &input, EmitLint emit) {
  std::optional<Target> target = ttg::lookupTarget(input.function);
  bool isAMD = target && target->isAmd();
  SmallPtrSet<Operation *, 4> told;
  input.function->walk([&](ttg::AsyncWaitOpInterface wait) {
    // On AMD the number is of groups or, later in the pipeline, instructions.
    if (wait.getAwaited() == ttg::Completion::CommitGroup &&
        check(wait, isAMD || wait.countsInstructions(), emit))
      told.insert(wait);
  });
  // Without tokens, a load says what is read.
  for (const EarlyLoad &early : input.earlyLoads())
    if (early.newer && told.insert(early.wait).second)
      emitCount(early.wait,
                cast<ttg::AsyncWaitOpInterface>(early.wait).getPending(),
                *early.newer, unitOf(early.wait), early.copy, emit);
}
