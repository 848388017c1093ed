//===- TensorCore.cpp - What the tensor core of Blackwell does ------------===//
//
// An agent hands products and copies to the tensor core, which does them in
// order and by itself (PTX ISA, "tcgen05"). They read their operands and write
// their results when a commit, or the op's own barriers, tells an agent that
// waits; what is only needed later is not done earlier.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Dot.h"
#include "executor/ops/DotScaled.h"
#include "executor/ops/Shared.h"
#include "executor/ops/TensorMemory.h"
#include "executor/ops/Watched.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// A memdesc that the tensor core reads or writes. Its view is taken when the
/// op is issued, its elements later.
struct Matrix {
  Slot slot;
  Element element;
  SmallVector<int64_t, 4> shape;
  size_t count, bytes; ///< elements, and bytes of all of them
  std::optional<TensorMemoryPlaces> places; ///< none in shared memory

  static std::optional<Matrix> of(Planner &planner, Operation *op,
                                  Value memdesc) {
    auto type = cast<ttg::MemDescType>(memdesc.getType());
    Matrix made;
    made.slot = planner.slot(memdesc);
    made.element = *elementOf(type.getElementType());
    made.shape = shapeOf(memdesc);
    made.count = type.getNumElements();
    made.bytes = made.count * sizeOf(made.element);
    if (isInTensorMemory(memdesc)) {
      made.places = TensorMemoryPlaces::of(op, memdesc);
      if (!made.places)
        return std::nullopt;
    }
    return made;
  }

  View view(Frame &frame) const { return *frame.at<View>(slot); }

  void watch(Uses &uses, const View &view, bool isWrite) const {
    if (places)
      uses.add(view.base, places->pieces(), isWrite);
    else
      uses.add(view, shape, sizeOf(element), isWrite);
  }

  std::vector<char> read(const View &view) const {
    std::vector<char> dense(bytes);
    withBytes(sizeOf(element), [&]<typename T>() {
      T *to = reinterpret_cast<T *>(dense.data());
      if (places)
        places->read(view.base, to);
      else
        gatherStrided(to, reinterpret_cast<const T *>(view.base),
                      stridesOf(view, shape));
    });
    return dense;
  }
  /// To tensor memory.
  void write(const View &view, const char *dense) const {
    withBytes(sizeOf(element), [&]<typename T>() {
      places->write(view.base, reinterpret_cast<const T *>(dense));
    });
  }
};

/// An arrival once the tensor core has done what it was given before.
struct Arrival {
  BarrierOperand barrier;
  uint32_t count;
  SmallVector<Slot, 2> predicates;
};

/// Those that `op` makes; none after an error.
std::optional<std::vector<Arrival>> planArrivals(Planner &planner,
                                                 ttg::MBarrierOpInterface op) {
  std::vector<Arrival> made;
  for (const ttg::BarrierAction &action : op.getBarrierActions()) {
    auto barrier = planBarrier(
        planner, op, cast<TypedValue<ttg::MemDescType>>(action.barrier));
    if (!barrier)
      return std::nullopt;
    made.push_back({*barrier, uint32_t(action.count.value_or(1)),
                    planner.slots(action.predicates)});
  }
  return made;
}

AsyncQueue &workOf(Frame &frame) {
  return frame.queue(ttg::Completion::TensorCommit);
}

/// The arrivals of an op that has just been issued. False after a fault.
bool issueArrivals(Frame &frame, const std::vector<Arrival> &arrivals) {
  AsyncQueue &work = workOf(frame);
  for (const Arrival &arrival : arrivals) {
    if (!llvm::all_of(arrival.predicates,
                      [&](Slot slot) { return *frame.at<uint8_t>(slot); }))
      continue;
    const BarrierAddress barrier = arrival.barrier.at(frame);
    sanitize::Release done;
    if (frame.watch)
      done = std::make_shared<const sanitize::Knowledge>(
          frame.watch->signalFromTensorCore());
    if (!frame.program.barriers.issue(
            barrier.at, barrier.op, done,
            [=, &frame, &work, end = work.issued(), count = arrival.count] {
              return work.finishUntil(end) &&
                     barrier.arrive(frame, count, done);
            }))
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

/// Takes the views of an operand now, to decode what they show later.
using TakeOperand =
    std::function<std::function<std::vector<double>()>(Frame &, Uses &)>;

/// d = a * b, plus d where `useD` is true.
template <typename OpT>
Step planProduct(Planner &planner, OpT op, TakeOperand takeA, TakeOperand takeB,
                 size_t depth) {
  auto d = Matrix::of(planner, op, op.getD());
  auto arrivals = planArrivals(planner, op);
  if (!d || !arrivals)
    return {};
  return [=, d = *d, arrivals = *arrivals, operation = op.getOperation(),
          shape = ProductShape::of(d->shape, depth),
          live = planner.slot(op.getPred()), useD = planner.slot(op.getUseD()),
          isAsync = op.getIsAsync()](Frame &frame) {
    Uses uses;
    if (!*frame.at<uint8_t>(live)) {
      if (frame.watch) {
        d.watch(uses, d.view(frame), /*isWrite=*/true);
        frame.watch->skip(uses.all().front());
      }
      return true;
    }
    const bool accumulates = *frame.at<uint8_t>(useD) != 0;
    const View to = d.view(frame);
    auto product = [=, a = takeA(frame, uses), b = takeB(frame, uses), &d] {
      std::vector<double> sum(d.count);
      if (accumulates)
        sum = decodeElements({d.element}, d.read(to).data(), d.count);
      addProduct(shape, a().data(), b().data(), sum.data());
      std::vector<char> result(d.bytes);
      encodeElements(d.element, sum, result.data());
      d.write(to, result.data());
      return true;
    };
    if (frame.watch) {
      if (accumulates)
        d.watch(uses, to, /*isWrite=*/false);
      d.watch(uses, to, /*isWrite=*/true);
    }
    return issue(frame, operation, uses, isAsync, std::move(product)) &&
           issueArrivals(frame, arrivals);
  };
}

Step planMma(Planner &planner, ttng::TCGen5MMAOp op) {
  auto take = [&](Value operand) -> TakeOperand {
    auto memory = Matrix::of(planner, op, operand);
    if (!memory)
      return {};
    // f32 operands are read as tf32.
    const OperandElement element{memory->element, /*tf32=*/true,
                                 op.getIsUnsigned()};
    auto shared = std::make_shared<Matrix>(std::move(*memory));
    return [=](Frame &frame, Uses &uses) {
      const View view = shared->view(frame);
      if (frame.watch)
        shared->watch(uses, view, /*isWrite=*/false);
      return [=] {
        return decodeElements(element, shared->read(view).data(),
                              shared->count);
      };
    };
  };
  TakeOperand a = take(op.getA()), b = take(op.getB());
  if (!a || !b)
    return {};
  return planProduct(planner, op, a, b, op.getA().getType().getShape().back());
}

Step planScaledMma(Planner &planner, ttng::TCGen5MMAScaledOp op) {
  auto take = [&](const ScaledOperand &operand, Value elements,
                  Value scales) -> TakeOperand {
    auto memory = Matrix::of(planner, op, elements),
         factors = Matrix::of(planner, op, scales);
    if (!memory || !factors || !operand.isReadable(op))
      return {};
    auto both = std::make_shared<std::pair<Matrix, Matrix>>(
        std::move(*memory), std::move(*factors));
    return [=](Frame &frame, Uses &uses) {
      const View view = both->first.view(frame),
                 scaleView = both->second.view(frame);
      if (frame.watch) {
        both->first.watch(uses, view, /*isWrite=*/false);
        both->second.watch(uses, scaleView, /*isWrite=*/false);
      }
      return [=] {
        return operand.decode(both->first.read(view).data(),
                              both->second.read(scaleView).data());
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
  return planProduct(planner, op, a, b, left.depth());
}

Step planCommit(Planner &planner, ttng::TCGen5CommitOp op) {
  auto arrivals = planArrivals(planner, op);
  if (!arrivals)
    return {};
  return [arrivals = std::move(*arrivals)](Frame &frame) {
    return issueArrivals(frame, arrivals);
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
  auto from = Matrix::of(planner, op, op.getSrc()),
       to = Matrix::of(planner, op, op.getDst());
  if (!from || !to)
    return {};
  const bool inBlocks = from->shape != to->shape;
  return
      [=, from = *from, to = *to, operation = op.getOperation()](Frame &frame) {
        const View source = from.view(frame), target = to.view(frame);
        Uses uses;
        if (frame.watch) {
          from.watch(uses, source, /*isWrite=*/false);
          to.watch(uses, target, /*isWrite=*/true);
        }
        return issue(frame, operation, uses, /*isAsync=*/true, [=, &from, &to] {
          std::vector<char> elements = from.read(source);
          if (inBlocks)
            elements = fromBlocksOfScales(elements, to.shape);
          to.write(target, elements.data());
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
