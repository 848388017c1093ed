//===- Amd.cpp - Buffer accesses and asynchronous copies of amdg ----------===//
//
// A base pointer with a tensor of offsets, in elements; otherwise loads, stores
// and atomics as any. Copies between global memory and LDS belong to groups, or
// are counted by their instructions.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "executor/ops/AsyncCopy.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planBufferLoad(Planner &planner, amdg::BufferLoadOp op) {
  return planLoad(planner, Addresses::of(planner, op), op.getMask(),
                  op.getOther(), op.getResult());
}

Step planBufferStore(Planner &planner, amdg::BufferStoreOp op) {
  return planStore(planner, Addresses::of(planner, op), op.getMask(),
                   op.getValue());
}

Step planBufferAtomicRMW(Planner &planner, amdg::BufferAtomicRMWOp op) {
  return planReadModifyWrite(planner, Addresses::of(planner, op),
                             op.getAtomicRmwOp(), op.getMask(), op.getValue(),
                             op.getResult());
}

Step planBufferAtomicCAS(Planner &planner, amdg::BufferAtomicCASOp op) {
  return planCompareAndSwap(planner, Addresses::of(planner, op), op.getCmp(),
                            op.getVal(), op.getResult());
}

Step planBufferLoadToLocal(Planner &planner, amdg::BufferLoadToLocalOp op) {
  return planCopyToShared(planner, op, op.getDest(),
                          instructionsOf(op.getOffsets(), op.getContiguity()));
}

Step planCopyToGlobal(Planner &planner, amdg::AsyncCopyLocalToGlobalOp op) {
  return [to = Addresses::of(planner, op), from = planner.slot(op.getSrc()),
          shape = shapeOf(op.getSrc()),
          mask = optionalSlot(planner, op.getMask()),
          pointers = planner.slot(op.getDst()),
          instructions =
              instructionsOf(op.getDst(), op.getContiguity())](Frame &frame) {
    // What was in registers at the time of the issue.
    const int64_t *first = frame.at<int64_t>(pointers);
    std::vector<int64_t> addresses(first, first + to.count);
    std::vector<uint8_t> live(to.count, 1);
    if (mask)
      std::memcpy(live.data(), frame.at<char>(*mask), to.count);
    auto cells = Cells::of(frame, to.op, *frame.at<View>(from), shape,
                           to.elementBytes, {to.owners});
    if (!cells)
      return false;
    for (size_t i = 0; to.owners && i < to.count; ++i)
      live[i] &= (*to.owners)[i] >> frame.cta & 1;
    const sanitize::Moment done =
        watchStart(frame, to.op, *cells, /*isWrite=*/false, ttg::Proxy::Generic)
            .done;
    return frame.queue(ttg::Completion::CommitGroup)
        .issue({.read = {},
                .write =
                    [&frame, &to, addresses = std::move(addresses),
                     live = std::move(live), cells = std::move(*cells)] {
                      return withBytes(to.elementBytes, [&]<typename T>() {
                        std::vector<T> values(to.count);
                        cells.read(reinterpret_cast<char *>(values.data()));
                        for (size_t i = 0; i < to.count; ++i)
                          if (live[i] &&
                              !storeElement(frame, to.op, to.shape, i,
                                            addresses[i], values[i]))
                            return false;
                        return true;
                      });
                    },
                .instructions = instructions,
                .done = done,
                .op = to.op});
  };
}

/// Loads to LDS count as loads; the counter of stores, and that of accesses to
/// LDS, have nothing here to wait for.
Step planCounterWait(Planner &planner, amdg::MemoryCounterWaitOp op) {
  if (!op.getLoad())
    return planNothing(planner, op);
  return [pending = *op.getLoad()](Frame &frame) {
    return frame.queue(ttg::Completion::CommitGroup)
        .waitForInstructions(pending);
  };
}

} // namespace

void registerAmd(Registry &r) {
  r.add<amdg::BufferLoadOp>(planBufferLoad);
  r.add<amdg::BufferStoreOp>(planBufferStore);
  r.add<amdg::BufferAtomicRMWOp>(planBufferAtomicRMW);
  r.add<amdg::BufferAtomicCASOp>(planBufferAtomicCAS);
  r.add<amdg::BufferLoadToLocalOp>(planBufferLoadToLocal);
  r.add<amdg::AsyncCopyLocalToGlobalOp>(planCopyToGlobal);
  r.add<amdg::MemoryCounterWaitOp>(planCounterWait);
  r.add("amdg.async_wait", planAsyncWait);
  r.add("amdg.cond_barrier", planNothing);
}

} // namespace kernelscope::executor
