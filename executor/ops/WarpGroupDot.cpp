//===- WarpGroupDot.cpp - Matrix products of warp groups ------------------===//
// An asynchronous product reads its operands in shared memory, and has a
// result, as late as the IR allows: when a wait orders it. Products of an agent
// take effect in order, so one may add to the result of another that is still
// in flight (PTX ISA, "wgmma.mma_async").
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "executor/ops/AsyncCopy.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Dot.h"
#include "executor/ops/Shared.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor {
namespace {

/// A factor of a product: a tensor in registers, or a view of shared memory.
struct Factor {
  Slot slot;
  Storage storage; ///< of its elements in row-major order
  bool inMemory;

  size_t bytes() const { return storage.count * sizeOf(storage.element); }
};

Factor factorOf(Planner &planner, Value value) {
  auto memory = dyn_cast<ttg::MemDescType>(value.getType());
  if (!memory)
    return {planner.slot(value), planner.storage(value), false};
  Storage storage;
  storage.element = elementOf(memory.getElementType()).value_or(Element::Token);
  storage.shape.assign(memory.getShape().begin(), memory.getShape().end());
  storage.count = memory.getNumElements();
  return {planner.slot(value), std::move(storage), true};
}

/// A factor as it was when the product was issued: a register keeps its value,
/// memory is read when the product takes effect.
struct IssuedFactor {
  std::optional<Cells> cells;
  std::vector<char> values;

  IssuedFactor(const Factor &factor, Operation *op, Frame &frame)
      : values(factor.bytes()) {
    // A CTA has in its own memory what its part of the product needs, so that
    // it waits for no other.
    if (factor.inMemory)
      cells = Cells::of(frame, op, *frame.at<View>(factor.slot),
                        factor.storage.shape, sizeOf(factor.storage.element),
                        Tile::own(frame));
    else
      std::memcpy(values.data(), frame.at<char>(factor.slot), values.size());
  }
  void watch(Uses &uses) const {
    if (cells)
      cells->use(uses, /*isWrite=*/false);
  }
  const char *read() {
    if (cells)
      cells->read(values.data());
    return values.data();
  }
};

struct WarpGroupDot {
  Operation *op;
  Multiply multiply;
  Factor a, b;
  Slot c, d;
  size_t bytes; ///< of the accumulator
  std::optional<Slot> useC;

  bool operator()(Frame &frame, bool isAsync) const {
    AsyncQueue &products = frame.queue(Completion::WgmmaGroup);
    if (!isAsync && !products.wait(0))
      return false;
    // The accumulator is a value, zeros, or the result of a product in flight.
    Frame::Deferred sum;
    const bool adds = !useC || *frame.at<uint8_t>(*useC);
    if (adds)
      sum = frame.deferredAt(c, bytes);
    if (!sum) {
      const char *start = frame.at<char>(c);
      sum = adds ? std::make_shared<std::vector<char>>(start, start + bytes)
                 : std::make_shared<std::vector<char>>(bytes);
    }
    auto left = std::make_shared<IssuedFactor>(a, op, frame),
         right = std::make_shared<IssuedFactor>(b, op, frame);
    Uses uses;
    if (frame.watch) {
      left->watch(uses);
      right->watch(uses);
    }
    if (!isAsync) {
      for (const sanitize::Use &use : uses.all())
        frame.watch->access(op, use, ttg::Proxy::TensorCore);
      multiply(left->read(), right->read(), sum->data(), frame.at<char>(d));
      return true;
    }
    sanitize::Moment done;
    if (frame.watch)
      done = frame.watch->start(op, uses.all(), ttg::Proxy::TensorCore).done;
    Frame::Deferred result = frame.defer(d, bytes, op);
    const bool issued =
        products.issue({.read = {},
                        .write =
                            [=, this, &frame] {
                              multiply(left->read(), right->read(), sum->data(),
                                       result->data());
                              frame.resolve(result);
                              return true;
                            },
                        .done = done,
                        .op = op});
    products.commit();
    return issued;
  }
};

Step planWarpGroupDot(Planner &planner, ttng::WarpGroupDotOp op) {
  Factor a = factorOf(planner, op.getA()), b = factorOf(planner, op.getB());
  // The instruction has no products of f32 but in tf32.
  Multiply multiply = planMultiply(op, a.storage, b.storage,
                                   planner.storage(op.getD()), /*tf32=*/true);
  if (!multiply)
    return {};
  return
      [dot = WarpGroupDot{op, std::move(multiply), std::move(a), std::move(b),
                          planner.slot(op.getC()), planner.slot(op.getD()),
                          planner.bytesOf(op.getD()),
                          optionalSlot(planner, op.getUseC())},
       isAsync = op.getIsAsync()](Frame &frame) { return dot(frame, isAsync); };
}

Step planWait(Planner &planner, ttng::WarpGroupDotWaitOp op) {
  return [wait = planAsyncWait(planner, op),
          forward =
              planner.assign(op.getInputs(), planner.slots(op.getOutputs()))](
             Frame &frame) { return wait(frame) && forward(frame); };
}

} // namespace

void registerWarpGroupDot(Registry &r) {
  r.add<ttng::WarpGroupDotOp>(planWarpGroupDot);
  r.add<ttng::WarpGroupDotWaitOp>(planWait);
}

} // namespace kernelscope::executor
