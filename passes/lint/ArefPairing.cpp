//===- ArefPairing.cpp - references that only one side uses ---------------===//
//
// What is put into an asynchronous reference has to be got, and the other way
// round: a put waits until its buffer has been got, a get until it has been
// put. Each enter has one exit, in its partition and at its stage, after which
// its buffers are no longer its own.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/ArefFixes.h"

#include "dialects/nvws/NVWS.h"
#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;

static constexpr llvm::StringLiteral code = "aref-pairing";

static bool isExit(Operation *op) {
  return isa<nvws::ArefPutExitOp, nvws::ArefGetExitOp>(op);
}

/// Whether some of `enters` may run more often than a ring of `depth` buffers
/// has places.
static bool fillUp(ArrayRef<Operation *> enters, nvws::ArefCreateOp create,
                   int64_t depth) {
  return int64_t(enters.size()) > depth ||
         llvm::any_of(enters, [&](Operation *enter) {
           auto loop = enter->getParentOfType<LoopLikeOpInterface>();
           return loop && !loop->isAncestor(create);
         });
}

/// Enters of one block that nothing puts into partitions are in the order of
/// the text: the first that waits for one that comes later.
static void checkOrder(nvws::ArefCreateOp create, ArrayRef<Operation *> puts,
                       ArrayRef<Operation *> gets, int64_t depth,
                       EmitLint emit) {
  SmallVector<Operation *> enters(puts);
  llvm::append_range(enters, gets);
  if (llvm::any_of(enters, [&](Operation *enter) {
        return enter->getBlock() != create->getBlock() || stageOf(enter) ||
               !nvws::partitionsOf(enter).empty();
      }))
    return;
  llvm::sort(enters,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  int64_t full = 0;
  for (Operation *enter : enters) {
    bool isPut = isa<nvws::ArefPutEnterOp>(enter);
    if (isPut ? full == depth : full == 0)
      return emit(
          {enter, code,
           isPut ? "waits until one of the " + std::to_string(depth) +
                       " buffers is free, but all are full, and the next get "
                       "comes later"
                 : "waits until a buffer is full, but nothing is put before it",
           isPut ? gets.back() : puts.front(), "this comes later"});
    full += isPut ? 1 : -1;
  }
}

static void checkSides(nvws::ArefCreateOp create, EmitLint emit) {
  SmallVector<Operation *> puts, gets;
  for (Operation *user : create->getUsers()) {
    if (isa<nvws::ArefPutEnterOp>(user))
      puts.push_back(user);
    else if (isa<nvws::ArefGetEnterOp>(user))
      gets.push_back(user);
    else if (!isExit(user) && !isa<nvws::ArefBufferOp>(user))
      return; // Passed on: the other side may be there.
  }
  // Of buffers that come from elsewhere, so may the other side.
  auto isOwn = [](Value buffer) {
    Operation *op = ttg::lookThroughViews(buffer).getDefiningOp();
    return isa_and_nonnull<ttg::AllocOpInterface>(op);
  };
  if (!llvm::all_of(create.getBuffers(), isOwn) ||
      (puts.empty() && gets.empty()))
    return;
  auto ring = cast<ttg::MemDescType>(create.getBuffers().front().getType());
  int64_t depth = ring.getDimSize(0);
  if (!puts.empty() && !gets.empty())
    return checkOrder(create, puts, gets, depth, emit);
  if (puts.empty())
    return emit({create, code,
                 "creates a reference with a get but no put; the get waits "
                 "forever",
                 gets.back(), "the get is here"});
  if (fillUp(puts, create, depth))
    emit({create, code,
          "creates a reference with a put but no get; once its " +
              (depth == 1 ? "buffer is"
                          : std::to_string(depth) + " buffers are") +
              " full, the next put waits forever",
          puts.back(), "the put is here"});
}

/// Whether a token reaches an exit, as loops and branches carry it; also where
/// it goes somewhere that is not known.
static bool reachesExit(Value token) {
  llvm::SetVector<Value> tokens;
  tokens.insert(token);
  for (size_t i = 0; i < tokens.size(); ++i)
    for (OpOperand &use : tokens[i].getUses()) {
      if (isa<nvws::ArefBufferOp>(use.getOwner()))
        continue;
      SmallVector<Value, 2> targets = flowsTo(use);
      if (targets.empty())
        return true;
      tokens.insert(targets.begin(), targets.end());
    }
  return false;
}

/// Whether `later` runs whenever `earlier` has run, or in each iteration after
/// it.
static bool comesAfter(Operation *later, Operation *earlier) {
  Operation *place = earlier->getBlock()->findAncestorOpInBlock(*later);
  return place && place != earlier && earlier->isBeforeInBlock(place);
}

static std::string partitionText(Operation *op) {
  std::string text;
  for (int32_t partition : nvws::partitionsOf(op))
    text += (text.empty() ? "" : ", ") + std::to_string(partition);
  return text;
}

/// Whether no partition has both.
static bool areInOtherPartitions(Operation *a, Operation *b) {
  auto ofA = nvws::partitionsOf(a), ofB = nvws::partitionsOf(b);
  return !ofA.empty() && !ofB.empty() &&
         llvm::none_of(ofA, [&](int32_t partition) {
           return llvm::is_contained(ofB, partition);
         });
}

static void checkExit(Operation *enter, Operation *exit, EmitLint emit) {
  if (areInOtherPartitions(enter, exit))
    emit({exit, code,
          "is in partition " + partitionText(exit) +
              ", but ends a region of partition " + partitionText(enter),
          enter, "entered here", LintLevel::Warning,
          fixPartition(exit, enter)});
  Value stage = stageOf(enter), end = stageOf(exit);
  if (!stage || !end)
    return;
  auto entered = tt::constantOf(stage), left = tt::constantOf(end);
  if (entered && left && *entered != *left)
    emit({exit, code,
          "is at stage " + std::to_string(*left) +
              ", but ends a region of stage " + std::to_string(*entered),
          enter, "entered here", LintLevel::Warning, fixStage(enter, exit)});
  else if (differAlways(stage, end))
    emit({exit, code, "is at another stage than the region that it ends", enter,
          "entered here", LintLevel::Warning, fixStage(enter, exit)});
}

/// A use by `user` of a buffer of the region of `enter`, in a partition that
/// has not entered it.
static bool checkUser(Operation *user, Operation *enter, EmitLint emit) {
  if (isExit(user) || !areInOtherPartitions(enter, user))
    return false;
  emit({user, code,
        "is in partition " + partitionText(user) +
            ", but uses a buffer that partition " + partitionText(enter) +
            " has entered",
        enter, "entered here", LintLevel::Warning, fixPartition(user, enter)});
  return true;
}

/// Whether the region of `enter` ends only if a branch is taken: all uses of
/// its token are in one region of an 'scf.if'.
static Operation *onlyEndedIn(Operation *enter, Value token) {
  Region *only = nullptr;
  for (Operation *user : token.getUsers()) {
    if (isa<nvws::ArefBufferOp>(user))
      continue;
    Operation *place = enter->getBlock()->findAncestorOpInBlock(*user);
    auto branch = dyn_cast_or_null<scf::IfOp>(place);
    if (!isExit(user) || !branch || knownScalar(branch.getCondition()))
      return nullptr;
    Region *region = user->getParentRegion();
    while (region->getParentOp() != place)
      region = region->getParentOp()->getParentRegion();
    if (only && only != region)
      return nullptr;
    only = region;
  }
  return only ? only->getParentOp() : nullptr;
}

/// One of `users` that is after `exit`.
static Operation *useAfter(ArrayRef<Operation *> users, Operation *exit) {
  const auto *after = llvm::find_if(
      users, [&](Operation *user) { return comesAfter(user, exit); });
  return after == users.end() ? nullptr : *after;
}

/// What uses one of `buffers`, or a view of it.
static SmallVector<Operation *> usersOf(ArrayRef<Value> buffers) {
  llvm::SetVector<Value> views(buffers.begin(), buffers.end());
  SmallVector<Operation *> users;
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers()) {
      if (user->hasTrait<ttg::MemDescView>())
        views.insert(user->getResult(0));
      else
        users.push_back(user);
    }
  return users;
}

static void checkEnter(Operation *enter, Value token, ValueRange buffers,
                       EmitLint emit) {
  SmallVector<Value> given(buffers);
  SmallVector<Operation *> exits;
  for (Operation *user : token.getUsers()) {
    if (isExit(user))
      exits.push_back(user);
    else if (auto again = dyn_cast<nvws::ArefBufferOp>(user))
      llvm::append_range(given, again.getBuffers());
  }
  SmallVector<Operation *> users = usersOf(given);
  if (token.use_empty() || !reachesExit(token)) {
    emit({enter, code,
          "enters a region that no exit ends; its buffer is never released",
          nullptr, "", LintLevel::Warning,
          fixMissingExit(enter, token, users)});
    return;
  }
  if (Operation *branch = onlyEndedIn(enter, token))
    emit({enter, code,
          "enters a region that ends in only one branch; every path needs an "
          "exit",
          branch, "in this branch"});
  for (Operation *user : users)
    if (checkUser(user, enter, emit))
      break;
  for (Operation *exit : exits) {
    checkExit(enter, exit, emit);
    for (Operation *other : exits)
      if (comesAfter(exit, other))
        return emit(
            {exit, code,
             "ends a region a second time; each enter needs exactly one exit",
             other, "it ends here", LintLevel::Warning, RedundantOp{exit}});
    if (Operation *user = useAfter(users, exit))
      return emit({user, code,
                   "uses a buffer after the exit that hands it over", exit,
                   "the region ends here", LintLevel::Warning,
                   fixEarlyExit(users, exit)});
  }
}

void kernelscope::lintArefPairing(LintInput &input, EmitLint emit) {
  input.function->walk([&](Operation *op) {
    if (auto create = dyn_cast<nvws::ArefCreateOp>(op))
      checkSides(create, emit);
    else if (auto put = dyn_cast<nvws::ArefPutEnterOp>(op))
      checkEnter(put, put.getToken(), put.getBuffers(), emit);
    else if (auto get = dyn_cast<nvws::ArefGetEnterOp>(op))
      checkEnter(get, get.getToken(), get.getBuffers(), emit);
  });
}
