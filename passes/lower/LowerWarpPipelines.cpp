//===- LowerWarpPipelines.cpp - Stages that two halves of the warps share -===//
//
// A stage is an scf.execute_region that Gluon's warp_pipeline_stage made. The
// stages of a loop, or those that follow each other in a block, become plain
// code with a border between each two:
//
//   s_setprio of the next stage | sched_barrier | waits | barrier |
//   sched_barrier
//
// The first four warps, one for each SIMD, enter at once; the others wait at
// one barrier more, and stay one border behind until the first wait for them.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/WarpPhases.h"
#include "passes/memory/AtomicBarriers.h"
#include "passes/memory/FunctionBuffers.h"
#include "passes/memory/ThreadAccess.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_LOWERWARPPIPELINES
#include "passes/Passes.h.inc"

namespace {

constexpr StringLiteral stageName = "triton.warp_pipeline.stage";
constexpr StringLiteral priorityName = "triton.warp_pipeline.priority";
constexpr StringLiteral loopName = "triton.warp_pipeline.pipelined_for";

/// Warps that run at once: one for each SIMD of a compute unit.
constexpr unsigned warpsOfHalf = 4;

/// Masks of `sched_barrier`: nothing may cross it, or what touches no memory.
constexpr int32_t nothingCrosses = 0, arithmeticCrosses = 1;

void createHint(OpBuilder &builder, Location loc, StringRef name,
                StringRef attribute, IntegerAttr value) {
  OperationState state(loc, name);
  state.addAttribute(attribute, value);
  builder.create(state);
}

void createSchedBarrier(OpBuilder &builder, Location loc, int32_t mask) {
  createHint(builder, loc, "rocdl.sched.barrier", "mask",
             builder.getI32IntegerAttr(mask));
}

bool isStage(Operation *op) {
  auto region = dyn_cast_or_null<scf::ExecuteRegionOp>(op);
  return region && region->hasAttr(stageName) &&
         region.getRegion().hasOneBlock();
}

bool isWait(Operation *op) { return isa<ttg::AsyncWaitOpInterface>(op); }
bool isBarrier(Operation *op) {
  return ttg::ordersThreads(op, ttg::MemorySpace::Shared) ||
         op->getName().getStringRef() == "rocdl.s.barrier";
}
/// What a border may hold besides.
bool isBetweenStages(Operation *op) {
  return isWait(op) || isBarrier(op) || isMemoryEffectFree(op);
}

/// Stages that follow each other, in a loop or not.
class WarpPipeline {
public:
  WarpPipeline(scf::ForOp loop, SmallVector<scf::ExecuteRegionOp> stages,
               const memory::Buffers &buffers, const Target &target)
      : loop(loop), stages(std::move(stages)), buffers(buffers),
        target(target) {}

  void lower();

private:
  bool canShift() const;
  bool isOrderedBefore(Operation *op) const;
  void setPriority(OpBuilder &builder, Location loc, unsigned stage) const;
  void makeBorder(Operation *from, Operation *to, unsigned stage,
                  bool setsPriority);
  static void dissolve(scf::ExecuteRegionOp stage);

  scf::ForOp loop;
  SmallVector<scf::ExecuteRegionOp> stages;
  const memory::Buffers &buffers;
  const Target &target;
  bool hasPriorities = false, isShifted = false;
};

/// Not where all warps must meet within a stage, or others run beside them.
bool WarpPipeline::canShift() const {
  scf::ExecuteRegionOp first = stages.front();
  if (ttg::lookupNumWarps(first) <= warpsOfHalf ||
      first->getParentOfType<ttg::WarpSpecializeOp>())
    return false;
  for (scf::ExecuteRegionOp stage : stages) {
    auto meets = [&](Operation *op) {
      return buffers.scratchOf(op) || memory::ordersForCTA(op) ||
             (isa<CallOpInterface>(op) && !lower::isCallForOneWarp(op)) ||
             isa<LoopLikeOpInterface, ttg::WarpSpecializeOp,
                 amdg::CondBarrierOp>(op) ||
             (op->getParentOp() != stage && (isBarrier(op) || isWait(op)));
    };
    if (stage
            .walk([&](Operation *op) {
              return op != stage && meets(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
            })
            .wasInterrupted())
      return false;
  }
  return true;
}

/// Whether no access to shared memory before `op` is left to order.
bool WarpPipeline::isOrderedBefore(Operation *op) const {
  while ((op = op->getPrevNode())) {
    if (ttg::ordersThreads(op, ttg::MemorySpace::Shared) ||
        memory::publishes(op))
      return true;
    if (!isMemoryEffectFree(op) &&
        (op->getNumRegions() || isWait(op) || isa<CallOpInterface>(op) ||
         buffers.scratchOf(op)))
      return false;
    for (const memory::LocatedAccess &located :
         memory::threadAccessesOf(op, buffers))
      if (located.access.isDone())
        return false;
  }
  auto function = stages.front()->getParentOfType<tt::FuncOp>();
  Operation *outer = loop ? loop->getParentOp() : stages[0]->getParentOp();
  return outer == function && function.isPublic();
}

void WarpPipeline::setPriority(OpBuilder &builder, Location loc,
                               unsigned stage) const {
  if (!hasPriorities)
    return;
  auto priority = stages[stage]->getAttrOfType<IntegerAttr>(priorityName);
  createHint(builder, loc, "rocdl.s.setprio", "priority",
             builder.getI16IntegerAttr(
                 static_cast<int16_t>(priority ? priority.getInt() : 0)));
}

/// Makes what is after `from` and before `to` the border before `stage`. Either
/// may be null: the block begins or ends there.
void WarpPipeline::makeBorder(Operation *from, Operation *to, unsigned stage,
                              bool setsPriority) {
  Operation *first = nullptr, *last = nullptr;
  bool hasBarrier = false, waits = false;
  for (Operation *op = from; op != to; op = op->getNextNode())
    if (isWait(op) || isBarrier(op)) {
      first = first ? first : op;
      last = op;
      hasBarrier = isBarrier(op) || (hasBarrier && !memory::publishes(op));
      waits |= memory::publishes(op);
    }
  OpBuilder builder(first ? first : to);
  const Location loc = stages[stage].getLoc();
  if (setsPriority)
    setPriority(builder, loc, stage);
  createSchedBarrier(builder, loc, nothingCrosses);
  if (last)
    builder.setInsertionPointAfter(last);
  if (isShifted && !hasBarrier) {
    if (waits)
      ttg::BarrierOp::create(builder, loc, ttg::AddrSpace::Local);
    else
      lower::createPlainBarrier(builder, loc);
  }
  createSchedBarrier(builder, loc, nothingCrosses);
}

/// Puts the ops of `stage` in its place. Its accesses to memory keep their
/// order.
void WarpPipeline::dissolve(scf::ExecuteRegionOp stage) {
  Block &body = stage.getRegion().front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (hasEffect<MemoryEffects::Read>(&op) ||
        hasEffect<MemoryEffects::Write>(&op)) {
      OpBuilder builder(op.getContext());
      builder.setInsertionPointAfter(&op);
      createSchedBarrier(builder, op.getLoc(), arithmeticCrosses);
    }
  Operation *end = body.getTerminator();
  stage->replaceAllUsesWith(end->getOperands());
  end->erase();
  stage->getBlock()->getOperations().splice(stage->getIterator(),
                                            body.getOperations());
  stage.erase();
}

void WarpPipeline::lower() {
  hasPriorities = llvm::any_of(stages, [](scf::ExecuteRegionOp stage) {
    return stage->hasAttr(priorityName);
  });
  isShifted = canShift();
  Operation *whole = loop ? loop.getOperation() : stages.front();
  const Location loc = whole->getLoc();

  OpBuilder builder(whole);
  lower::OutOfPhase region{nullptr, nullptr, loop};
  Value warp, half;
  // Those whose warp id compares to that of the second half wait.
  auto letWait = [&](arith::CmpIPredicate predicate, StringRef mark) {
    Value waits = arith::CmpIOp::create(builder, loc, predicate, warp, half);
    auto barrier = amdg::CondBarrierOp::create(builder, loc, waits);
    barrier->setAttr(mark, builder.getUnitAttr());
    return barrier;
  };
  if (isShifted) {
    if (!isOrderedBefore(whole))
      ttg::BarrierOp::create(builder, loc, ttg::AddrSpace::Local);
    warp = ttg::WarpIdOp::create(builder, loc);
    half = arith::ConstantIntOp::create(builder, loc, warpsOfHalf, 32);
    region.shift = letWait(arith::CmpIPredicate::sge, memory::shiftName);
  }
  setPriority(builder, loc, 0);

  builder.setInsertionPointAfter(loop ? loop.getOperation() : stages.back());
  if (hasPriorities)
    createHint(builder, loc, "rocdl.s.setprio", "priority",
               builder.getI16IntegerAttr(0));
  if (isShifted)
    region.join = letWait(arith::CmpIPredicate::slt, memory::joinName);

  for (unsigned stage = 1; stage < stages.size(); ++stage)
    makeBorder(stages[stage - 1]->getNextNode(), stages[stage], stage,
               /*setsPriority=*/true);
  if (loop) {
    // From the last stage to the first: where the loop has waits, or at its
    // end.
    Block *body = loop.getBody();
    auto isMeeting = [](Operation &op) {
      return isWait(&op) || isBarrier(&op);
    };
    const bool atTop = llvm::any_of(
        llvm::make_range(body->begin(), stages.front()->getIterator()),
        isMeeting);
    const bool atBottom = llvm::any_of(
        llvm::make_range(stages.back()->getIterator(), body->end()), isMeeting);
    if (atTop)
      makeBorder(&body->front(), stages.front(), 0, /*setsPriority=*/false);
    if (atBottom || !atTop) {
      makeBorder(stages.back()->getNextNode(), body->getTerminator(), 0,
                 /*setsPriority=*/true);
    } else {
      builder.setInsertionPoint(body->getTerminator());
      setPriority(builder, loc, 0);
    }
  }
  for (scf::ExecuteRegionOp stage : stages)
    dissolve(stage);
  if (isShifted)
    lower::orderOutOfPhase(region, buffers, target);
}

struct LowerWarpPipelines : impl::LowerWarpPipelinesBase<LowerWarpPipelines> {
  using LowerWarpPipelinesBase::LowerWarpPipelinesBase;

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target))
      return signalPassFailure();
    if (!target->isAmd())
      return;
    memory::FunctionBuffers functions(getOperation());
    // Inner blocks come first: those of a stage go when it becomes plain code.
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (llvm::any_of(*block, [](Operation &op) { return isStage(&op); }))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      const memory::Buffers &buffers = functions.around(&block->front());
      auto loop = dyn_cast<scf::ForOp>(block->getParentOp());
      const bool isPipelined = loop && loop->hasAttr(loopName);
      if (failed(checkPriorities(*block)) ||
          (isPipelined && failed(lowerLoop(loop, buffers, *target))))
        return signalPassFailure();
      if (!isPipelined)
        lowerBlock(*block, buffers, *target);
    }
  }

private:
  /// `s_setprio` has four priorities.
  static LogicalResult checkPriorities(Block &block) {
    for (Operation &op : block)
      if (auto priority = op.getAttrOfType<IntegerAttr>(priorityName);
          isStage(&op) && priority && !priority.getValue().ult(4))
        return op.emitOpError("has priority ")
               << llvm::toString(priority.getValue(), /*Radix=*/10,
                                 /*Signed=*/true)
               << " in its warp pipeline; it must be 0 to 3";
    return success();
  }

  static LogicalResult lowerLoop(scf::ForOp loop,
                                 const memory::Buffers &buffers,
                                 const Target &target) {
    SmallVector<scf::ExecuteRegionOp> stages;
    for (Operation &op : loop.getBody()->without_terminator())
      if (isStage(&op))
        stages.push_back(cast<scf::ExecuteRegionOp>(op));
      else if (!isBetweenStages(&op))
        return op.emitOpError("accesses memory between the stages of a warp "
                              "pipeline; it must be in a stage");
    if (stages.size() < 2)
      return loop.emitOpError("is a warp pipeline, which needs at least two "
                              "stages, but it has ")
             << stages.size();
    loop->removeAttr(loopName);
    WarpPipeline(loop, std::move(stages), buffers, target).lower();
    return success();
  }

  /// Stages in a row that are not in a loop of their own.
  static void lowerBlock(Block &block, const memory::Buffers &buffers,
                         const Target &target) {
    SmallVector<SmallVector<scf::ExecuteRegionOp>> rows(1);
    for (Operation &op : block)
      if (isStage(&op))
        rows.back().push_back(cast<scf::ExecuteRegionOp>(op));
      else if (!isBetweenStages(&op) && !rows.back().empty())
        rows.emplace_back();
    for (SmallVector<scf::ExecuteRegionOp> &row : rows)
      if (row.size() > 1)
        WarpPipeline({}, std::move(row), buffers, target).lower();
  }
};

} // namespace
} // namespace kernelscope
