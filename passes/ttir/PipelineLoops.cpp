//===- PipelineLoops.cpp - Loads some iterations ahead of their use -------===//
//
// `pipeline-loops`: a loop of products copies what later iterations need to a
// ring of buffers in shared memory. Its ops stay as they are; what computes the
// addresses is there once more for a later iteration, at the end of the body,
// or on AMD, whose warps issue in order, at its start. Loads that AMD's chips
// cannot copy go to registers, which the loop carries to the next iteration.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/Occupancy.h"
#include "dialects/tt/LayoutInterface.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/ttgir/AttentionProducts.h"
#include "passes/ttgir/LoadsAhead.h"
#include "passes/ttgir/OverlapProducts.h"
#include "passes/ttir/DescriptorLayouts.h"
#include "passes/ttir/RingOfBuffers.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

namespace kernelscope {
#define GEN_PASS_DEF_PIPELINELOOPS
#include "passes/Passes.h.inc"
} // namespace kernelscope

/// How many stages a loop asks for.
static constexpr llvm::StringLiteral stagesName = "tt.num_stages";

namespace {

class Pipeliner {
public:
  /// `ahead` iterations lie between the start of a copy and its use, or, of
  /// `attention`, its use for the weighted sum.
  Pipeliner(scf::ForOp loop, LoadsAhead plan, RingOfBuffers ring,
            unsigned ahead, std::optional<AttentionProducts> attention,
            bool startsFirst)
      : loop(loop), plan(std::move(plan)), ahead(ahead), b(loop.getContext()),
        ring(std::move(ring)), attention(std::move(attention)),
        startsFirst(startsFirst) {}

  /// With as many `slots` as iterations ahead, or one more.
  scf::ForOp apply(unsigned slots);

private:
  Location loc() { return loop.getLoc(); }
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(b, loc(), b.getIntegerAttr(type, value));
  }
  Value index(int64_t value) { return constant(b.getI32Type(), value); }
  /// The induction variable `iterations` after `from`.
  Value later(Value from, unsigned iterations) {
    Value step = b.createOrFold<arith::MulIOp>(
        loc(), loop.getStep(),
        constant(from.getType(), static_cast<int64_t>(iterations)));
    return b.createOrFold<arith::AddIOp>(loc(), from, step);
  }
  IRMapping mapped(Value iteration, ValueRange carried);
  SmallVector<Value> advance(Value iteration, ValueRange carried);
  /// `value` is one of the numbers up to `limit`, which take turns: `then` if
  /// it is the last one, else `otherwise`.
  Value atTheLast(Value value, int64_t limit, Value then, Value otherwise) {
    Value equal = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::eq,
                                        value, index(limit));
    return arith::SelectOp::create(b, loc(), equal, then, otherwise);
  }
  /// The slot and the phase after these; the phase is null without barriers.
  std::pair<Value, Value> following(Value slot, Value phase);
  Value loadAhead(tt::LoadOp load, IRMapping values, Value runs);
  Value loadAfterUse(tt::LoadOp load, const IRMapping &values, Value runs);
  SmallVector<Value> fill();
  void startNextScores(Value slot, Value phase);

  scf::ForOp loop;
  const LoadsAhead plan;
  const unsigned ahead;
  IRRewriter b;
  RingOfBuffers ring;
  std::optional<AttentionProducts> attention;
  /// Whether an iteration first starts what a later one needs.
  const bool startsFirst;
  /// What the loads to registers yield for the first iteration.
  SmallVector<Value> firstHeld;
};

} // namespace

/// Loads what `load` does in an iteration, with the operands that `values` has
/// for it, if `runs`.
Value Pipeliner::loadAhead(tt::LoadOp load, IRMapping values, Value runs) {
  auto copy = cast<tt::LoadOp>(b.clone(*load, values));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(copy);
  if (Value mask =
          maskIf(b, load.getLoc(), runs, copy.getPtr(), copy.getMask()))
    copy.getMaskMutable().assign(mask);
  return copy.getResult();
}

/// As `loadAhead`, once nothing reads what `load` yields in this iteration any
/// more, so that the registers of both need not exist at once.
Value Pipeliner::loadAfterUse(tt::LoadOp load, const IRMapping &values,
                              Value runs) {
  OpBuilder::InsertionGuard guard(b);
  Operation *last = nullptr;
  for (Operation *user : load->getUsers()) {
    Operation *here = loop.getBody()->findAncestorOpInBlock(*user);
    if (here && (!last || last->isBeforeInBlock(here)))
      last = here;
  }
  if (last && !last->hasTrait<OpTrait::IsTerminator>())
    b.setInsertionPointAfter(last);
  return loadAhead(load, values, runs);
}

/// The iteration arguments after an iteration in which they are `carried`.
SmallVector<Value> Pipeliner::advance(Value iteration, ValueRange carried) {
  IRMapping values = mapped(iteration, carried);
  return llvm::map_to_vector(plan.carried, [&](BlockArgument argument) {
    return values.lookupOrDefault(
        loop.getTiedLoopYieldedValue(argument)->get());
  });
}

/// What addresses are computed from, and they, in an iteration.
IRMapping Pipeliner::mapped(Value iteration, ValueRange carried) {
  IRMapping values;
  values.map(loop.getInductionVar(), iteration);
  values.map(plan.carried.getArrayRef(), carried);
  for (Operation *op : plan.addresses)
    b.clone(*op, values);
  return values;
}

/// Starts the copies of the first iterations. Gives the iteration arguments of
/// the last one of them.
SmallVector<Value> Pipeliner::fill() {
  auto carried =
      llvm::map_to_vector(plan.carried, [&](BlockArgument argument) -> Value {
        return loop.getTiedLoopInit(argument)->get();
      });
  for (unsigned i = 0; i < ahead; ++i) {
    if (i > 0)
      carried = advance(later(loop.getLowerBound(), i - 1), carried);
    Value iteration = later(loop.getLowerBound(), i);
    Value runs = b.createOrFold<arith::CmpIOp>(loc(), arith::CmpIPredicate::slt,
                                               iteration, loop.getUpperBound());
    IRMapping values = mapped(iteration, carried);
    ring.copy(b, values, index(i), runs);
    firstHeld = llvm::map_to_vector(plan.held, [&](tt::LoadOp load) {
      return loadAhead(load, values, runs);
    });
  }
  return carried;
}

std::pair<Value, Value> Pipeliner::following(Value slot, Value phase) {
  const int64_t last = ring.getSlots() - 1;
  Value next = atTheLast(slot, last, index(0),
                         arith::AddIOp::create(b, loc(), slot, index(1)));
  if (phase)
    phase = atTheLast(slot, last,
                      arith::XOrIOp::create(b, loc(), phase, index(1)), phase);
  return {next, phase};
}

/// Starts the scores of the iteration after the one that reads `slot`.
void Pipeliner::startNextScores(Value slot, Value phase) {
  auto [next, nextPhase] = following(slot, phase);
  Value runs = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::slt,
                                     later(loop.getInductionVar(), 1),
                                     loop.getUpperBound());
  ring.wait(b, next, nextPhase, ahead - 2, runs);
  attention->startScores(b, slot, next, runs);
}

scf::ForOp Pipeliner::apply(unsigned slots) {
  b.setInsertionPoint(loop);
  ring.allocate(b, slots);
  if (attention)
    attention->allocate(b);
  SmallVector<Value> inits = fill();
  const size_t numCarried = inits.size();
  // The last iterations have nothing left to start.
  Value last = b.createOrFold<arith::SubIOp>(
      loc(), loop.getUpperBound(),
      b.createOrFold<arith::MulIOp>(loc(), loop.getStep(),
                                    constant(loop.getStep().getType(), ahead)));
  inits.push_back(index(0));
  if (ring.hasBarriers())
    inits.push_back(index(0));
  // The number of the iteration.
  if (attention)
    inits.push_back(index(0));
  llvm::append_range(inits, firstHeld);

  Value ownSlot;
  auto rewriteBody = [&](OpBuilder &, Location,
                         ArrayRef<BlockArgument> added) -> SmallVector<Value> {
    Value slot = added[numCarried],
          phase = ring.hasBarriers() ? Value(added[numCarried + 1]) : Value();
    ownSlot = slot;
    Operation *yield = loop.getBody()->getTerminator();
    // Before the loads go, since addresses are not computed from them.
    b.setInsertionPoint(yield);
    if (startsFirst) {
      b.setInsertionPointToStart(loop.getBody());
      ring.wait(b, slot, phase, ahead - 1);
    }
    Value runs = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::slt,
                                       loop.getInductionVar(), last);
    // The arguments are those of the last copies: the loop then carries one
    // set of addresses, and each changes right before its use.
    SmallVector<Value> next = advance(later(loop.getInductionVar(), ahead - 1),
                                      added.take_front(numCarried));
    IRMapping values = mapped(later(loop.getInductionVar(), ahead), next);
    // A slot is free again once it is read, or an iteration later.
    Value free = slot;
    if (ring.getSlots() > ahead)
      free = atTheLast(slot, 0, index(ring.getSlots() - 1),
                       arith::SubIOp::create(b, loc(), slot, index(1)));
    ring.copy(b, values, free, runs);
    auto nextHeld = llvm::map_to_vector(plan.held, [&](tt::LoadOp load) {
      return loadAfterUse(load, values, runs);
    });
    auto [nextSlot, nextPhase] = following(slot, phase);
    next.push_back(nextSlot);
    if (nextPhase)
      next.push_back(nextPhase);
    if (startsFirst) {
      ring.read(b, slot);
      auto held = added.take_back(plan.held.size());
      for (auto [op, value] : llvm::zip_equal(plan.held, held)) {
        tt::LoadOp load = op;
        load.replaceAllUsesWith(value);
        load.erase();
      }
      llvm::append_range(next, nextHeld);
      return next;
    }
    b.setInsertionPoint(plan.loads.front());
    if (!attention) {
      ring.wait(b, slot, phase, ahead - 1);
      ring.read(b, slot);
      return next;
    }
    ring.read(b, slot);
    Value iteration = added.back();
    attention->rewriteBody(b, iteration, [&] { startNextScores(slot, phase); });
    b.setInsertionPoint(yield);
    next.push_back(arith::AddIOp::create(b, loc(), iteration, index(1)));
    return next;
  };
  auto replaced = cast<scf::ForOp>(
      loop.replaceWithAdditionalYields(
              b, inits, /*replaceInitOperandUsesInLoop=*/false, rewriteBody)
          ->getOperation());
  loop = replaced;
  b.setInsertionPointAfter(replaced);
  ring.release(b);
  if (attention) {
    b.setInsertionPoint(replaced);
    Value first = index(0),
          runs = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::slt,
                                       replaced.getLowerBound(),
                                       replaced.getUpperBound());
    ring.wait(b, first, first, ahead - 1, runs);
    attention->startScores(b, ownSlot, first, runs);
    attention->finish(b, replaced, replaced.getResults().back());
  }
  return replaced;
}

/// Whether all that reads `argument` of a loop is what computes the same one of
/// the next iteration.
static bool servesOnlyItself(scf::ForOp loop, BlockArgument argument) {
  OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
  llvm::SmallSetVector<Value, 8> behind;
  behind.insert(argument);
  for (size_t i = 0; i < behind.size(); ++i)
    for (OpOperand &use : behind[i].getUses()) {
      Operation *user = use.getOwner();
      if (&use == yielded)
        continue;
      if (user->getNumRegions() != 0 ||
          user->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(user))
        return false;
      behind.insert(user->result_begin(), user->result_end());
    }
  return loop.getTiedLoopResult(argument).use_empty();
}

/// Stores operands of products that are the same in all iterations once, if
/// there is room for them beside what the loop stores.
static void hoistOperands(scf::ForOp loop, const Target &target) {
  int64_t bytes = 0;
  SmallVector<ttg::LocalAllocOp> same;
  loop.walk([&](ttg::LocalAllocOp alloc) {
    bytes += ttg::allocationBytes(alloc.getType()).value_or(0);
    if (alloc->getBlock() == loop.getBody() && alloc.getSrc() &&
        !alloc.getType().getMutableMemory() &&
        loop.isDefinedOutsideOfLoop(alloc.getSrc()))
      same.push_back(alloc);
  });
  if (bytes <= int64_t{target.maxSharedBytes})
    for (ttg::LocalAllocOp alloc : same)
      alloc->moveBefore(loop);
}

/// The registers that a thread holds `value` in; 0 for pointers, whose offsets
/// from each other are constants as a rule.
static int64_t registersOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return 0;
  const tt::LayoutInterface *layouts =
      tt::getLayoutInterface(type.getEncoding());
  return layouts ? layouts->elementsPerThread(type).value_or(0) *
                       type.getElementTypeBitWidth() / 32
                 : 0;
}

/// Whether a thread has registers for `held` loads besides what `loop` carries
/// or has from outside, and the operands of one product, and its sum. An eighth
/// is left for all else: with less LLVM spills what is carried.
static bool haveRegisters(scf::ForOp loop, ArrayRef<tt::LoadOp> held,
                          const Target &target) {
  int64_t most = 0;
  llvm::SmallSetVector<Value, 8> throughout;
  throughout.insert_range(loop.getRegionIterArgs());
  for (tt::LoadOp load : held)
    throughout.insert(load.getResult());
  loop.walk([&](tt::DotOpInterface product) {
    int64_t registers = 0;
    bool addsToCarried = false;
    for (Value operand : product->getOperands()) {
      if (loop.isDefinedOutsideOfLoop(operand))
        throughout.insert(operand);
      else if (llvm::is_contained(loop.getRegionIterArgs(), operand))
        addsToCarried = true;
      else
        registers += registersOf(operand);
    }
    if (!addsToCarried)
      registers += registersOf(product->getResult(0));
    most = std::max(most, registers);
  });
  for (Value value : throughout)
    most += registersOf(value);
  const int64_t all = maxVectorRegisters(target);
  return most <= all - all / 8;
}

/// Drops what only the loads needed: their addresses are computed ahead now.
static void dropUnused(scf::ForOp loop, IRRewriter &rewriter) {
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (servesOnlyItself(loop, argument))
      loop.getTiedLoopYieldedValue(argument)->set(argument);
  (void)runRegionDCE(rewriter, loop->getRegions());
  RewritePatternSet patterns(loop.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, loop.getContext());
  // Other loops keep their turn, even if what this one yields lets them fold.
  (void)applyOpPatternsGreedily(
      loop.getOperation(), std::move(patterns),
      GreedyRewriteConfig().setStrictness(
          GreedyRewriteStrictness::ExistingAndNewOps));
}

namespace {

class PipelineLoops
    : public kernelscope::impl::PipelineLoopsBase<PipelineLoops> {
public:
  using PipelineLoopsBase::PipelineLoopsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = parseTarget(module, arch);
    if (failed(target) || failed(checkLayouts(module)))
      return signalPassFailure();
    if (!(target->hasCpAsync() || target->isAmd()) ||
        ttg::lookupNumCTAs(module).value_or(1) != 1)
      return markAllAnalysesPreserved();
    if (target->hasTma)
      layOutDescriptorsForTma(module);
    AxisInfoAnalysis axes(module);
    SmallVector<scf::ForOp> loops;
    module.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      pipeline(loop, axes, *target);
  }

private:
  void pipeline(scf::ForOp loop, const AxisInfoAnalysis &axes,
                const Target &target) const {
    auto own = loop->getAttrOfType<IntegerAttr>(stagesName);
    int64_t stages = own         ? own.getInt()
                     : numStages ? int64_t(numStages)
                                 : target.defaultStages();
    if (stages < 2 || loop.getUnsignedCmp())
      return;
    hoistOperands(loop, target);
    LoadsAhead plan =
        findLoadsAhead(loop, axes, target, /*all=*/own != nullptr);
    if (plan.loads.empty() && plan.held.empty())
      return;
    RingOfBuffers ring(loop, plan.loads, axes, target);
    if (target.isAmd())
      return pipelineForAmd(loop, std::move(plan), std::move(ring), target,
                            stages);
    auto isKept = [&](Value operand) { return ring.keeps(operand, loop); };
    // As many stages as memory has room for, with `more` slots than copies in
    // flight.
    auto fitting = [&](int64_t more, uint64_t barrierBytes) {
      const int64_t bytes =
          int64_t{target.maxSharedBytes} - static_cast<int64_t>(barrierBytes);
      return std::min(stages, ring.slotsWithin(bytes, loop) + 1 - more);
    };
    std::optional<AttentionProducts> attention =
        AttentionProducts::find(loop, isKept);
    // Scores are read an iteration before the rest.
    int64_t fit =
        attention
            ? fitting(2, AttentionProducts::barrierBytes(loop.getContext()))
            : 0;
    OverlappingProducts products;
    if (fit < 2) {
      attention.reset();
      products = findOverlappingProducts(loop, isKept);
      fit = fitting(!products.empty(), products.bytes());
    }
    if (fit < 2)
      return;
    const auto ahead = static_cast<unsigned>(fit - 1 + attention.has_value());
    const bool overlaps = attention || !products.empty();
    loop = Pipeliner(loop, std::move(plan), std::move(ring), ahead,
                     std::move(attention), /*startsFirst=*/false)
               .apply(ahead + overlaps);
    loop->removeAttr(stagesName);
    loop = overlapProducts(loop, products);
    IRRewriter rewriter(loop.getContext());
    dropUnused(loop, rewriter);
  }

  /// As Triton 3.9 pipelines at its defaults. A copy goes to the slot that the
  /// iteration before has read, so there is one slot more than iterations
  /// ahead; registers hold one iteration only.
  static void pipelineForAmd(scf::ForOp loop, LoadsAhead plan,
                             RingOfBuffers ring, const Target &target,
                             int64_t stages) {
    int64_t ahead = 1;
    if (!ring.isEmpty())
      ahead = std::min(stages,
                       ring.slotsWithin(int64_t{target.maxSharedBytes}, loop)) -
              1;
    if (ahead > 1 || !haveRegisters(loop, plan.held, target))
      plan.held.clear();
    if (ahead < 1 || (ring.isEmpty() && plan.held.empty()))
      return;
    const auto slots = static_cast<unsigned>(ahead + 1);
    loop = Pipeliner(loop, std::move(plan), std::move(ring),
                     static_cast<unsigned>(ahead), std::nullopt,
                     /*startsFirst=*/true)
               .apply(slots);
    loop->removeAttr(stagesName);
    IRRewriter rewriter(loop.getContext());
    dropUnused(loop, rewriter);
  }
};

} // namespace
