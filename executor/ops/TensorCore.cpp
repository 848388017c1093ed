//===- TensorCore.cpp - What the tensor core of Blackwell does ------------===//
//
// An agent hands products and copies to the tensor core, which executes them in
// order and on its own (PTX ISA, "tcgen05"). They read their operands and write
// their results when a commit, or the op's own barriers, signals an agent that
// waits; what is only needed later is not done earlier.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Dot.h"
#include "executor/ops/DotScaled.h"
#include "executor/ops/TensorCoreMatrix.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The CTAs whose memory an op of the CTA of `frame` works on: of a pair both,
/// which the first of them does.
SmallVector<unsigned> ctasOf(Frame &frame, bool inPairs) {
  return ctasOfGroup(frame.cta, inPairs && frame.program.cluster ? 1 : 0,
                     frame.program.cluster ? frame.program.cluster->size() : 1);
}

/// Whether it does anything: the other one of a pair does not.
bool takesPart(Frame &frame, bool inPairs) {
  return !frame.program.cluster || !inPairs || frame.cta % 2 == 0;
}

/// An arrival once the tensor core has done what it was given before.
struct Arrival {
  BarrierOperand barrier;
  SmallVector<Slot, 2> predicates;
  /// Bits of the CTA id along which it goes to all CTAs, of each operand
  /// that CTAs share.
  SmallVector<CTAs, 2> shared;

  bool isLive(Frame &frame) const {
    return llvm::all_of(
        predicates, [&](Slot slot) { return *frame.at<uint8_t>(slot) != 0; });
  }
  SmallVector<BarrierAddress> targets(Frame &frame) const {
    if (shared.empty() || !frame.program.cluster)
      return {barrier.at(frame)};
    SmallVector<BarrierAddress> made;
    for (unsigned cta = 0; cta < frame.program.cluster->size(); ++cta)
      if (barrier.isLeader(cta) && llvm::any_of(shared, [&](CTAs bits) {
            return ((cta ^ frame.cta) & ~bits) == 0;
          }))
        made.push_back(barrier.ownAt(frame, cta));
    return made;
  }
};

/// Those that `op` makes, which go to all CTAs that share one of `operands`.
std::vector<Arrival> planArrivals(Planner &planner, ttg::MBarrierOpInterface op,
                                  bool inPairs, ValueRange operands) {
  SmallVector<CTAs, 2> shared;
  for (Value operand : operands)
    shared.push_back(copiesOf(cast<TypedValue<ttg::MemDescType>>(operand)) |
                     (inPairs ? 1 : 0));
  if (inPairs && operands.empty())
    shared.push_back(1);
  std::vector<Arrival> made;
  for (const ttg::BarrierAction &action : op.getBarrierActions())
    made.push_back(
        {planBarrier(planner, op,
                     cast<TypedValue<ttg::MemDescType>>(action.barrier)),
         planner.slots(action.predicates), shared});
  return made;
}

AsyncQueue &workOf(Frame &frame) {
  return frame.queue(ttg::Completion::TensorCommit);
}

/// The arrivals of an op that has just been issued. False after a fault.
bool issueArrivals(Frame &frame, const std::vector<Arrival> &arrivals) {
  AsyncQueue &work = workOf(frame);
  for (const Arrival &arrival : arrivals) {
    if (!arrival.isLive(frame))
      continue;
    sanitize::Release done;
    if (frame.watch)
      done = std::make_shared<const sanitize::Knowledge>(
          frame.watch->signalFromTensorCore());
    // One that nothing waits for would not be looked for later.
    for (const BarrierAddress &barrier : arrival.targets(frame))
      if (!barrier.find(frame) || !frame.program.barriers.issue(
                                      barrier.at, barrier.op, done,
                                      [=, &frame, &work, end = work.issued()] {
                                        return work.finishUntil(end) &&
                                               barrier.arrive(frame, 1, done);
                                      },
                                      &work))
        return false;
  }
  return true;
}

/// Gives `work` of `op`, with its accesses, to the tensor core. An op that is
/// not asynchronous is done at once, after what was issued before it.
bool issue(Frame &frame, Operation *op, const Uses &uses, bool isAsync,
           Effect work) {
  if (frame.watch)
    frame.watch->startOnTensorCore(op, uses.all());
  if (!workOf(frame).issue({{}, std::move(work)}))
    return false;
  if (isAsync)
    return true;
  if (frame.watch)
    frame.watch->acquire(frame.watch->tensorCore());
  return workOf(frame).finishUntil(workOf(frame).issued());
}

/// The CTAs of a cluster wait for each other at `op`: after an op of pairs that
/// is not asynchronous, and before a product of pairs in an older dump.
bool meet(Frame &frame, Operation *op) {
  Cluster &cluster = *frame.program.cluster;
  auto meeting = cluster.arrive(frame.cta, op);
  if (auto known = watchRelease(frame))
    meeting->knowledge.learn(*known);
  if (!frame.wait({op, [&] { return cluster.isComplete(*meeting); },
                   [&] { return cluster.missing(*meeting) + " to be there"; }}))
    return false;
  if (frame.watch)
    frame.watch->acquire(&meeting->knowledge);
  return true;
}

/// Takes the place of an operand now, to decode what is there later. Null after
/// a fault.
using TakeOperand = std::function<std::function<std::vector<double>()>(
    Frame &, ArrayRef<unsigned> ctas, Uses &)>;

/// Whether a product is asynchronous though it may not say so: Gluon omits
/// is_async on products whose end a later commit signals. Without a commit a
/// pass of Triton's puts a wait after it, but Gluon has no such pass; its
/// products have a token that depends on none, and no schedule of a loop.
template <typename OpT> bool isAsynchronous(OpT product) {
  return product.getIsAsync() ||
         (product.getToken() && !product.getAccDep() &&
          product->getDiscardableAttrDictionary().empty()) ||
         product->template getParentOfType<FunctionOpInterface>()
             ->walk(
                 [](ttng::TCGen5CommitOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

/// d = a * b, plus d where `useD` is true. Arrivals go to all CTAs that share
/// one of `operands`.
template <typename OpT>
Step planProduct(Planner &planner, OpT op, TakeOperand takeA, TakeOperand takeB,
                 size_t depth, ValueRange operands) {
  auto d = TensorCoreMatrix::of(planner, op, op.getD());
  if (!d)
    return {};
  const bool inPairs = op.getTwoCtas() && planner.plan.ctas > 1;
  return [=, d = *d, operation = op.getOperation(),
          arrivals = planArrivals(planner, op, inPairs,
                                  op.getMulticast() ? operands : ValueRange()),
          shape = ProductShape::of(d->shape, depth),
          live = planner.slot(op.getPred()), useD = planner.slot(op.getUseD()),
          isAsync = isAsynchronous(op),
          meetsFirst = inPairs && ttg::isOlderDump(op)](Frame &frame) {
    if (meetsFirst && !meet(frame, operation))
      return false;
    if (!takesPart(frame, inPairs))
      return isAsync || meet(frame, operation);
    Uses uses;
    const auto ctas = ctasOf(frame, inPairs);
    auto to = d.at(frame, ctas);
    if (!to)
      return false;
    if (!*frame.at<uint8_t>(live)) {
      if (frame.watch) {
        to->watch(uses, /*isWrite=*/true);
        for (const sanitize::Use &use : uses.all())
          frame.watch->skip(use);
      }
      return isAsync || !inPairs || meet(frame, operation);
    }
    // It comes after the initialisation of the barriers that it signals.
    for (const Arrival &arrival : arrivals)
      if (arrival.isLive(frame))
        (void)arrival.targets(frame);
    const bool accumulates = *frame.at<uint8_t>(useD) != 0;
    auto a = takeA(frame, ctas, uses), b = takeB(frame, ctas, uses);
    if (!a || !b)
      return false;
    if (frame.watch) {
      if (accumulates)
        to->watch(uses, /*isWrite=*/false);
      to->watch(uses, /*isWrite=*/true);
    }
    auto product = [=, to = std::move(*to), &d] {
      std::vector<double> sum(d.count);
      if (accumulates)
        sum = decodeElements({d.element}, to.read().data(), d.count);
      addProduct(shape, a().data(), b().data(), sum.data());
      std::vector<char> result(d.bytes);
      encodeElements(d.element, sum, result.data());
      to.write(result.data());
      return true;
    };
    return issue(frame, operation, uses, isAsync, std::move(product)) &&
           issueArrivals(frame, arrivals) &&
           (isAsync || !inPairs || meet(frame, operation));
  };
}

Step planMma(Planner &planner, ttng::TCGen5MMAOp op) {
  auto take = [&](Value operand) -> TakeOperand {
    auto memory = TensorCoreMatrix::of(planner, op, operand);
    if (!memory)
      return {};
    // f32 operands are read as tf32.
    const OperandElement element{memory->element, /*tf32=*/true,
                                 op.getIsUnsigned()};
    auto shared = std::make_shared<TensorCoreMatrix>(std::move(*memory));
    return [=](Frame &frame, ArrayRef<unsigned> ctas,
               Uses &uses) -> std::function<std::vector<double>()> {
      auto issued = shared->at(frame, ctas);
      if (!issued)
        return {};
      if (frame.watch)
        issued->watch(uses, /*isWrite=*/false);
      return [=, issued = std::move(*issued)] {
        return decodeElements(element, issued.read().data(), shared->count);
      };
    };
  };
  TakeOperand a = take(op.getA()), b = take(op.getB());
  if (!a || !b)
    return {};
  return planProduct(planner, op, a, b, op.getA().getType().getShape().back(),
                     {op.getA(), op.getB()});
}

Step planScaledMma(Planner &planner, ttng::TCGen5MMAScaledOp op) {
  auto take = [&](const ScaledOperand &operand, Value elements,
                  Value scales) -> TakeOperand {
    auto memory = TensorCoreMatrix::of(planner, op, elements),
         factors = TensorCoreMatrix::of(planner, op, scales);
    if (!memory || !factors || !operand.isReadable(op))
      return {};
    auto both = std::make_shared<std::pair<TensorCoreMatrix, TensorCoreMatrix>>(
        std::move(*memory), std::move(*factors));
    return [=](Frame &frame, ArrayRef<unsigned> ctas,
               Uses &uses) -> std::function<std::vector<double>()> {
      auto issued = both->first.at(frame, ctas),
           scaled = both->second.at(frame, ctas);
      if (!issued || !scaled)
        return {};
      if (frame.watch) {
        issued->watch(uses, /*isWrite=*/false);
        scaled->watch(uses, /*isWrite=*/false);
      }
      return [=, both = both, issued = std::move(*issued),
              scaled = std::move(*scaled)] {
        return operand.decode(issued.read().data(), scaled.read().data());
      };
    };
  };
  const ScaledOperand left{op.getAType(), op.getPacking(0), true,
                           op.getA().getType(), op.getAScale().getType()};
  const ScaledOperand right{op.getBType(), op.getPacking(1), false,
                            op.getB().getType(), op.getBScale().getType()};
  TakeOperand a = take(left, op.getA(), op.getAScale()),
              b = take(right, op.getB(), op.getBScale());
  if (!a || !b)
    return {};
  return planProduct(planner, op, a, b, left.depth(),
                     {op.getA(), op.getB(), op.getAScale(), op.getBScale()});
}

/// Whether an op that does not say so works for a pair of CTAs: by its module,
/// or in an older dump by the products.
bool isForPairs(Planner &planner, Operation *op) {
  if (planner.plan.ctas == 1)
    return false;
  if (std::optional<bool> isSaid = ttng::lookupTwoCTAs(op))
    return *isSaid;
  auto interruptIf = [](bool isPair) {
    return isPair ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op->getParentOfType<ModuleOp>()
      ->walk([&](Operation *other) {
        if (auto product = dyn_cast<ttng::TCGen5MMAOp>(other))
          return interruptIf(product.getTwoCtas());
        auto scaled = dyn_cast<ttng::TCGen5MMAScaledOp>(other);
        return interruptIf(scaled && scaled.getTwoCtas());
      })
      .wasInterrupted();
}

Step planCommit(Planner &planner, ttng::TCGen5CommitOp op) {
  const bool inPairs = isForPairs(planner, op);
  return [=, arrivals = planArrivals(planner, op, inPairs, op.getDescs())](
             Frame &frame) {
    return !takesPart(frame, inPairs) || issueArrivals(frame, arrivals);
  };
}

/// Scales in the order in which tcgen05.cp reads them, as a matrix: blocks of
/// 128 x 4 follow each other, each of 32 rows of 16 bytes, which are 4 scales
/// for each of 4 rows of the matrix, 32 apart.
std::vector<char> fromBlocksOfScales(ArrayRef<char> blocks,
                                     ArrayRef<int64_t> shape) {
  std::vector<char> matrix(blocks.size());
  const int64_t columns = shape.back(), blocksPerRow = (columns + 3) / 4;
  for (auto [i, scale] : llvm::enumerate(blocks)) {
    const int64_t at = i, block = at / 512, row = at / 16 % 32;
    const int64_t m = block / blocksPerRow * 128 + at / 4 % 4 * 32 + row,
                  k = block % blocksPerRow * 4 + at % 4;
    const int64_t to = m * columns + k;
    if (k < columns && to < int64_t(matrix.size()))
      matrix[to] = scale;
  }
  return matrix;
}

Step planCopy(Planner &planner, ttng::TMEMCopyOp op) {
  auto from = TensorCoreMatrix::of(planner, op, op.getSrc()),
       to = TensorCoreMatrix::of(planner, op, op.getDst());
  if (!from || !to)
    return {};
  const bool inBlocks = from->shape != to->shape;
  const bool inPairs = isForPairs(planner, op);
  return
      [=, from = *from, to = *to, operation = op.getOperation()](Frame &frame) {
        if (!takesPart(frame, inPairs))
          return true;
        const auto ctas = ctasOf(frame, inPairs);
        auto source = from.at(frame, ctas), target = to.at(frame, ctas);
        if (!source || !target)
          return false;
        Uses uses;
        if (frame.watch) {
          source->watch(uses, /*isWrite=*/false);
          target->watch(uses, /*isWrite=*/true);
        }
        return issue(
            frame, operation, uses, /*isAsync=*/true,
            [=, &to, source = std::move(*source), target = std::move(*target)] {
              std::vector<char> elements = source.read();
              if (inBlocks)
                elements = fromBlocksOfScales(elements, to.shape);
              target.write(elements.data());
              return true;
            });
      };
}

} // namespace

void registerTensorCore(Registry &r) {
  r.add<ttng::TCGen5MMAOp>(planMma);
  r.add<ttng::TCGen5MMAScaledOp>(planScaledMma);
  r.add<ttng::TCGen5CommitOp>(planCommit);
  r.add<ttng::TMEMCopyOp>(planCopy);
}

} // namespace kernelscope::executor
