//===- Tma.cpp - Bulk copies of NVIDIA's tensor memory accelerator --------===//
//
// The engine works by itself. A load completes its bytes on an mbarrier and
// takes effect when an agent cannot go on without them; a store belongs to a
// group that a wait orders (PTX ISA, "cp.async.bulk.tensor").
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "executor/ops/AsyncCopy.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Block.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor {
namespace {

Step planLoad(Planner &planner, Operation *op, const BlockOperands &operands,
              TypedValue<ttg::MemDescType> memory,
              TypedValue<ttg::MemDescType> barrierMemory, Value predicate) {
  auto block = planBlock(planner, op, operands);
  auto barrier = planBarrier(planner, op, barrierMemory);
  if (!block || !barrier)
    return {};
  return [block = std::move(*block), barrier = *barrier,
          to = planner.slot(memory), shape = shapeOf(memory),
          live = planner.slot(predicate),
          bytes = bytesPerCTA(memory)](Frame &frame) {
    const View view = *frame.at<View>(to);
    if (!isTrue(frame, live)) {
      watchSkip(frame, view, shape, block.elementBytes);
      return true;
    }
    const BarrierAddress address = barrier.at(frame);
    const MBarrier *found = address.find(frame);
    if (!found)
      return false;
    auto done = watchStart(frame, address.op, view, shape, block.elementBytes,
                           /*isWrite=*/true, ttg::Proxy::Async, found)
                    .release;
    return frame.program.barriers.issue(
        address.at, address.op, done,
        [=, &frame, &shape, block = block.at(frame)] {
          std::vector<char> values(block.bytes());
          if (!block.read(frame, values.data()))
            return false;
          writeView(view, shape, block.elementBytes, values.data());
          return address.complete(frame, bytes, done);
        });
  };
}

/// A store that makes memory what `combiner` says, or just its values when that
/// is null.
Step planStore(Planner &planner, Operation *op, const BlockOperands &operands,
               TypedValue<ttg::MemDescType> memory, Combiner combiner = {}) {
  auto block = planBlock(planner, op, operands);
  if (!block)
    return {};
  return [op, block = std::move(*block), combiner = std::move(combiner),
          from = planner.slot(memory), shape = shapeOf(memory)](Frame &frame) {
    Block to = block.at(frame);
    auto values = std::make_shared<std::vector<char>>(to.bytes());
    const View view = *frame.at<View>(from);
    const size_t bytes = to.elementBytes;
    const sanitize::Moment done =
        watchStart(frame, op, view, shape, bytes, /*isWrite=*/false,
                   ttg::Proxy::Async)
            .done;
    AsyncQueue &stores = frame.queue(Completion::BulkGroup);
    const bool issued = stores.issue(
        {.read =
             [=, &shape] {
               readView(view, shape, bytes, values->data());
               return true;
             },
         .write =
             [=, &frame, &combiner, to = std::move(to)] {
               return combiner ? to.combine(frame, values->data(), combiner)
                               : to.write(frame, values->data());
             },
         .done = done,
         .op = op});
    stores.commit();
    return issued;
  };
}

Step planCopyToLocal(Planner &planner, ttng::AsyncTMACopyGlobalToLocalOp op) {
  BlockOperands block{op.getDesc(), op.getCoord()};
  if (isa<ttng::TensorDescIm2ColType>(op.getDesc().getType()))
    block.window = op.getOffsets();
  return planLoad(planner, op, block, op.getResult(), op.getBarrier(),
                  op.getPred());
}

Step planGather(Planner &planner, ttng::AsyncTMAGatherOp op) {
  return planLoad(planner, op,
                  {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                  op.getResult(), op.getBarrier(), op.getPred());
}

Step planCopyToGlobal(Planner &planner, ttng::AsyncTMACopyLocalToGlobalOp op) {
  return planStore(planner, op, {op.getDesc(), op.getCoord()}, op.getSrc());
}

Step planScatter(Planner &planner, ttng::AsyncTMAScatterOp op) {
  return planStore(planner, op,
                   {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                   op.getSrc());
}

Step planReduce(Planner &planner, ttng::AsyncTMAReduceOp op) {
  planner.runInOrder();
  Combiner combiner = planReduction(op, op.getKind(), op.getDesc());
  if (!combiner)
    return {};
  return planStore(planner, op, {op.getDesc(), op.getCoord()}, op.getSrc(),
                   std::move(combiner));
}

Step planStoreWait(Planner &planner, ttng::TMAStoreWaitOp op) {
  if (!op.getReadOnly())
    return planAsyncWait(planner, op);
  return [pending = op.getPendings()](Frame &frame) {
    return frame.queue(Completion::BulkGroup).waitForReads(pending);
  };
}

/// A store of threads to the cluster's memory that completes its bytes on a
/// barrier (PTX ISA, "st.async").
Step planSharedStore(Planner &planner, ttng::AsyncSharedStoreOp op) {
  auto barrier = planBarrier(planner, op, op.getMbarrier());
  if (!barrier)
    return {};
  return [barrier = *barrier, from = planner.slot(op.getSrc()),
          size = planner.bytesOf(op.getSrc()), to = planner.slot(op.getDst()),
          shape = shapeOf(op.getDst()), bytes = bytesPerCTA(op.getDst()),
          element = elementBytes(op.getDst())](Frame &frame) {
    const BarrierAddress address = barrier.at(frame);
    const MBarrier *found = address.find(frame);
    if (!found)
      return false;
    const char *values = frame.at<char>(from);
    const View view = *frame.at<View>(to);
    auto done = watchStart(frame, address.op, view, shape, element,
                           /*isWrite=*/true, ttg::Proxy::Generic, found)
                    .release;
    return frame.program.barriers.issue(
        address.at, address.op, done,
        [=, &frame, &shape, values = std::vector<char>(values, values + size)] {
          writeView(view, shape, element, values.data());
          return address.complete(frame, bytes, done);
        });
  };
}

} // namespace

void registerTma(Registry &r) {
  r.add<ttng::AsyncTMACopyGlobalToLocalOp>(planCopyToLocal);
  r.add<ttng::AsyncTMACopyLocalToGlobalOp>(planCopyToGlobal);
  r.add<ttng::AsyncTMAReduceOp>(planReduce);
  r.add<ttng::AsyncTMAGatherOp>(planGather);
  r.add<ttng::AsyncTMAScatterOp>(planScatter);
  r.add<ttng::TMAStoreWaitOp>(planStoreWait);
  r.add<ttng::AsyncSharedStoreOp>(planSharedStore);
}

} // namespace kernelscope::executor
