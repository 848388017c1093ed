//===- PipelineLoops.cpp - Loads some iterations ahead of their use -------===//
//
// `pipeline-loops`: a loop of products copies what later iterations need to a
// ring of buffers in shared memory. Its ops stay as they are; what computes the
// addresses is there once more, at the end of the body, for a later iteration.
//
//===----------------------------------------------------------------------===//

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
  /// `ahead` iterations lie between the start of a copy and its use.
  Pipeliner(scf::ForOp loop, LoadsAhead plan, unsigned ahead, bool overlaps)
      : loop(loop), plan(std::move(plan)), ahead(ahead), b(loop.getContext()),
        ring(this->plan.loads, ahead + overlaps) {}

  scf::ForOp apply();

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
  SmallVector<Value> fill();

  scf::ForOp loop;
  const LoadsAhead plan;
  const unsigned ahead;
  IRRewriter b;
  RingOfBuffers ring;
};

} // namespace

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
  }
  return carried;
}

scf::ForOp Pipeliner::apply() {
  b.setInsertionPoint(loop);
  ring.allocate(b);
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

  auto rewriteBody = [&](OpBuilder &, Location,
                         ArrayRef<BlockArgument> added) -> SmallVector<Value> {
    Value slot = added[numCarried],
          phase = ring.hasBarriers() ? Value(added.back()) : Value();
    Operation *yield = loop.getBody()->getTerminator();
    // Before the loads go, since addresses are not computed from them.
    b.setInsertionPoint(yield);
    Value runs = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::slt,
                                       loop.getInductionVar(), last);
    // The arguments are those of the copies before, so that addresses change
    // where they are used, and nobody needs two of each.
    SmallVector<Value> next = advance(later(loop.getInductionVar(), ahead - 1),
                                      added.take_front(numCarried));
    IRMapping values = mapped(later(loop.getInductionVar(), ahead), next);
    auto wraps = [&](Value value, int64_t limit, Value then, Value otherwise) {
      Value equal = arith::CmpIOp::create(b, loc(), arith::CmpIPredicate::eq,
                                          value, index(limit));
      return arith::SelectOp::create(b, loc(), equal, then, otherwise)
          .getResult();
    };
    // A slot is free again once it is read, or an iteration later.
    Value free = slot;
    if (ring.getSlots() > ahead)
      free = wraps(slot, 0, index(ring.getSlots() - 1),
                   arith::SubIOp::create(b, loc(), slot, index(1)));
    ring.copy(b, values, free, runs);
    const int64_t lastSlot = ring.getSlots() - 1;
    next.push_back(wraps(slot, lastSlot, index(0),
                         arith::AddIOp::create(b, loc(), slot, index(1))));
    if (phase)
      next.push_back(wraps(slot, lastSlot,
                           arith::XOrIOp::create(b, loc(), phase, index(1)),
                           phase));
    ring.read(b, slot, phase, ahead);
    return next;
  };
  auto replaced = cast<scf::ForOp>(
      loop.replaceWithAdditionalYields(
              b, inits, /*replaceInitOperandUsesInLoop=*/false, rewriteBody)
          ->getOperation());
  b.setInsertionPointAfter(replaced);
  ring.release(b);
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

/// Drops what only the loads needed: their addresses are computed ahead now.
static void dropUnused(scf::ForOp loop, IRRewriter &rewriter) {
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (servesOnlyItself(loop, argument))
      loop.getTiedLoopYieldedValue(argument)->set(argument);
  (void)runRegionDCE(rewriter, loop->getRegions());
  RewritePatternSet patterns(loop.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, loop.getContext());
  (void)applyOpPatternsGreedily(loop.getOperation(), std::move(patterns));
}

namespace {

class PipelineLoops
    : public kernelscope::impl::PipelineLoopsBase<PipelineLoops> {
public:
  using PipelineLoopsBase::PipelineLoopsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = parseTarget(module, arch);
    if (failed(target))
      return signalPassFailure();
    if (!target->hasCpAsync() || ttg::lookupNumCTAs(module).value_or(1) != 1)
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
    int64_t stages = own ? own.getInt() : int64_t(numStages);
    if (stages < 2 || loop.getUnsignedCmp())
      return;
    LoadsAhead plan =
        findLoadsAhead(loop, axes, target, /*all=*/own != nullptr);
    if (plan.loads.empty())
      return;
    const RingOfBuffers ring(plan.loads, /*slots=*/1);
    auto products = findOverlappingProducts(
        loop, [&](Value operand) { return ring.keeps(operand, loop); });
    const bool overlaps = !products.empty();
    auto bytesWith = [&](unsigned slots) {
      return RingOfBuffers(plan.loads, slots).bytesWith(loop) +
             products.bytes();
    };
    while (stages > 1 &&
           bytesWith(stages - 1 + overlaps) > target.maxSharedBytes)
      --stages;
    if (stages < 2)
      return;
    loop = Pipeliner(loop, std::move(plan), stages - 1, overlaps).apply();
    loop->removeAttr(stagesName);
    loop = overlapProducts(loop, products);
    IRRewriter rewriter(loop.getContext());
    dropUnused(loop, rewriter);
  }
};

} // namespace
