//===- ArefPairing.cpp - references that only one side uses ---------------===//
//
// What is put into an asynchronous reference has to be got, and the other way
// round: a put waits until its buffer has been got, a get until it has been
// put. Each enter has one exit, in its partition and at its stage, after which
// its buffers are no longer its own.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/nvws/NVWS.h"

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
  if (puts.empty() == gets.empty() || !llvm::all_of(create.getBuffers(), isOwn))
    return;
  if (puts.empty())
    return emit({create, code,
                 "creates a reference with a get but no put; the get waits "
                 "forever",
                 gets.back(), "got here"});
  auto ring = cast<ttg::MemDescType>(create.getBuffers().front().getType());
  int64_t depth = ring.getDimSize(0);
  if (fillUp(puts, create, depth))
    emit({create, code,
          "creates a reference with a put but no get; once its " +
              (depth == 1 ? "buffer is"
                          : std::to_string(depth) + " buffers are") +
              " full, the next put waits forever",
          puts.back(), "put here"});
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

static ArrayRef<int32_t> partitionsOf(Operation *op) {
  auto partitions = op->getAttrOfType<DenseI32ArrayAttr>("ttg.partition");
  return partitions ? partitions.asArrayRef() : ArrayRef<int32_t>();
}

static Value stageOf(Operation *op) {
  if (auto enter = dyn_cast<nvws::ArefPutEnterOp>(op))
    return enter.getStage();
  if (auto enter = dyn_cast<nvws::ArefGetEnterOp>(op))
    return enter.getStage();
  if (auto exit = dyn_cast<nvws::ArefPutExitOp>(op))
    return exit.getStage();
  return cast<nvws::ArefGetExitOp>(op).getStage();
}

static void checkExit(Operation *enter, Operation *exit, EmitLint emit) {
  auto inside = partitionsOf(enter), outside = partitionsOf(exit);
  auto listed = [](ArrayRef<int32_t> partitions) {
    std::string text;
    for (int32_t partition : partitions)
      text += (text.empty() ? "" : ", ") + std::to_string(partition);
    return text;
  };
  if (!inside.empty() && !outside.empty() &&
      llvm::none_of(inside, [&](int32_t partition) {
        return llvm::is_contained(outside, partition);
      }))
    emit({exit, code,
          "is in partition " + listed(outside) + ", but ends a region of " +
              "partition " + listed(inside),
          enter, "entered here"});
  auto entered = tt::constantOf(stageOf(enter)),
       left = tt::constantOf(stageOf(exit));
  if (entered && left && *entered != *left)
    emit({exit, code,
          "is at stage " + std::to_string(*left) +
              ", but ends a region of stage " + std::to_string(*entered),
          enter, "entered here"});
}

/// A use of `buffer`, or of a view of it, after `exit`.
static Operation *useAfter(Value buffer, Operation *exit) {
  llvm::SetVector<Value> views;
  views.insert(buffer);
  for (size_t i = 0; i < views.size(); ++i)
    for (OpOperand &use : views[i].getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<ttg::MemDescView>())
        views.insert(user->getResult(0));
      else if (comesAfter(user, exit))
        return user;
    }
  return nullptr;
}

static void checkEnter(Operation *enter, Value token, ValueRange buffers,
                       EmitLint emit) {
  if (token.use_empty() || !reachesExit(token)) {
    emit({enter, code,
          "enters a region that no exit ends; its buffer is never released",
          nullptr, ""});
    return;
  }
  SmallVector<Value> given(buffers);
  SmallVector<Operation *> exits;
  for (Operation *user : token.getUsers()) {
    if (isExit(user))
      exits.push_back(user);
    else if (auto again = dyn_cast<nvws::ArefBufferOp>(user))
      llvm::append_range(given, again.getBuffers());
  }
  for (Operation *exit : exits) {
    checkExit(enter, exit, emit);
    for (Operation *other : exits)
      if (comesAfter(exit, other))
        return emit({exit, code,
                     "ends a region a second time; each enter has one exit",
                     other, "it ends here"});
    for (Value buffer : given)
      if (Operation *user = useAfter(buffer, exit))
        return emit({user, code,
                     "uses a buffer after the exit that hands it over", exit,
                     "the region ends here"});
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
