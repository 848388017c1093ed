//===- MissingBarrierOps.cpp - waits and announcements to insert ----------===//
//
// Each candidate is inserted, the barriers run with it, and it is taken out
// again. This is done only where something was found.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MissingBarrierOps.h"

#include "dialects/ttng/TTNG.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// Whether an op in the place of `op` may use `value`.
static bool isVisible(Value value, Operation *op) {
  while (op->getParentRegion() != value.getParentRegion()) {
    Operation *parent = op->getParentOp();
    if (!parent || parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return false;
    op = parent;
  }
  Operation *definition = value.getDefiningOp();
  return definition ? definition->getBlock() == op->getBlock() &&
                          definition->isBeforeInBlock(op)
                    : value.getParentBlock() == op->getBlock();
}

/// Whether `added` mends the function that it was inserted into.
static bool mends(Operation *added) {
  auto function = added->getParentOfType<FunctionOpInterface>();
  Barriers barriers(function);
  BarrierRun run = runBarriers(function, barriers);
  return run.isKnown && !run.endless && !run.unguarded;
}

/// Phases that the text has before `op`, the nearest first: those of other
/// waits for the ring, bits that were computed, what loops carry.
static SmallVector<Value> phasesAt(Operation *op, const BarrierRing &ring) {
  llvm::SetVector<Value> phases;
  auto add = [&](Value value) {
    if (value.getType().isInteger(32) && isVisible(value, op))
      phases.insert(value);
  };
  for (const BarrierUse &wait : ring.usesOf(BarrierAction::Wait))
    add(wait.action.phase);
  for (Operation *around = op;
       around && !isa<FunctionOpInterface>(around) && phases.size() < 8;
       around = around->getParentOp()) {
    Operation *before = around->getPrevNode();
    for (unsigned steps = 0; before && steps < 40; ++steps) {
      if (isa<arith::AndIOp, arith::XOrIOp, arith::SelectOp>(before))
        add(before->getResult(0));
      before = before->getPrevNode();
    }
    if (auto loop = around->getParentOp();
        isa_and_nonnull<LoopLikeOpInterface>(loop))
      llvm::for_each(around->getBlock()->getArguments(), add);
  }
  return phases.takeVector();
}

std::optional<MissingOps> kernelscope::findMissingWait(LintInput &input,
                                                       Operation *reader,
                                                       Operation *filler) {
  unsigned tries = 16;
  bool isInLoop = reader->getParentOfType<LoopLikeOpInterface>() != nullptr;
  for (const BarrierRing &ring : input.barriers().rings()) {
    const auto *told = llvm::find_if(ring.uses, [&](const BarrierUse &use) {
      return use.op == filler && (use.action.kind == BarrierAction::Complete ||
                                  use.action.arrives());
    });
    if (told == ring.uses.end())
      continue;
    SmallVector<Value> phases;
    if (isInLoop)
      phases = phasesAt(reader, ring);
    for (Value view : llvm::reverse(ring.views.getArrayRef())) {
      if (view.getType() != told->barrier().getType() ||
          !isVisible(view, reader))
        continue;
      OpBuilder builder(reader);
      auto tryPhase = [&](Value phase) {
        if (tries == 0)
          return false;
        --tries;
        auto wait = ttng::WaitBarrierOp::create(builder, reader->getLoc(), view,
                                                phase, Value(), ValueRange());
        bool isMended = mends(wait);
        wait->erase();
        return isMended;
      };
      for (Value phase : phases)
        if (tryPhase(phase))
          return MissingOps{
              reader, "ttng.wait_barrier $0, $1 : $type", {view, phase}};
      for (int64_t bit : {0, 1}) {
        auto constant = arith::ConstantIntOp::create(builder, reader->getLoc(),
                                                     bit, /*width=*/32);
        bool isMended = tryPhase(constant);
        constant->erase();
        if (isMended)
          return MissingOps{reader,
                            "ttng.wait_barrier $0, $1 : $type",
                            {view, Value()},
                            "arith.constant " + std::to_string(bit) + " : i32"};
      }
    }
  }
  return std::nullopt;
}

std::optional<MissingOps>
kernelscope::findMissingExpect(LintInput &input, const BarrierRing &ring) {
  SmallVector<BarrierUse> copies = ring.usesOf(BarrierAction::Complete);
  const BarrierUse &first = copies.front();
  int64_t bytes = 0;
  for (const BarrierUse &copy : copies) {
    if (!copy.action.bytes || copy.op->getBlock() != first.op->getBlock() ||
        !areSameView(copy.barrier(), first.barrier()) ||
        copy.action.predicates != first.action.predicates)
      return std::nullopt;
    bytes += *copy.action.bytes;
  }
  if (first.action.predicates.size() > 1 || bytes >> 31 != 0)
    return std::nullopt;
  OpBuilder builder(first.op);
  bool isAlways = first.action.predicates.empty();
  Value predicate = isAlways ? arith::ConstantIntOp::create(
                                   builder, first.op->getLoc(), 1, /*width=*/1)
                                   .getResult()
                             : first.action.predicates.front();
  auto expect = ttng::BarrierExpectOp::create(builder, first.op->getLoc(),
                                              first.barrier(), uint32_t(bytes),
                                              predicate, IntegerAttr());
  bool isMended = mends(expect);
  expect->erase();
  if (isAlways)
    predicate.getDefiningOp()->erase();
  if (!isMended)
    return std::nullopt;
  return MissingOps{first.op,
                    "ttng.barrier_expect $0, " + std::to_string(bytes) +
                        ", $1 : $type",
                    {first.barrier(), isAlways ? Value() : predicate},
                    isAlways ? "arith.constant true" : ""};
}

/// The views that may be initialised at `place` for `use` to find it done.
static SmallVector<Value> uninitialisedAt(Operation *place, Operation *use,
                                          const Barriers &barriers) {
  SmallVector<Value> views;
  for (const BarrierRing &ring : barriers.rings())
    if (llvm::any_of(ring.uses,
                     [&](const BarrierUse &other) { return other.op == use; }))
      for (Value view : ring.views)
        if (isVisible(view, place) &&
            llvm::none_of(ring.uses, [&](const BarrierUse &other) {
              return other.action.kind == BarrierAction::Init &&
                     areSameView(other.barrier(), view);
            }))
          views.push_back(view);
  return views;
}

std::optional<MissingOps> kernelscope::findMissingInit(LintInput &input,
                                                       Operation *use,
                                                       Operation *beside) {
  SmallVector<ttg::BarrierAction> actions = ttg::barrierActionsOf(use);
  if (actions.empty())
    return std::nullopt;
  Value barrier = actions.front().barrier;
  SmallVector<Value> views;
  Operation *place = nullptr;
  if (beside) {
    place = beside->getNextNode();
    views = uninitialisedAt(place, use, input.barriers());
  } else if (Value memory = ttg::lookThroughViews(barrier);
             memory.getType() == barrier.getType() && memory.getDefiningOp()) {
    place = memory.getDefiningOp()->getNextNode();
    views.push_back(memory);
  }
  unsigned tries = 16;
  for (Value view : views)
    for (int64_t count = 1;
         count <= 4 && view.getType() == barrier.getType() && tries > 0;
         ++count, --tries) {
      OpBuilder builder(place);
      auto init =
          ttng::InitBarrierOp::create(builder, use->getLoc(), view, count);
      bool isMended = mends(init);
      init->erase();
      if (isMended)
        return MissingOps{place,
                          "ttng.init_barrier $0, " + std::to_string(count) +
                              " : $type",
                          {view}};
    }
  return std::nullopt;
}
