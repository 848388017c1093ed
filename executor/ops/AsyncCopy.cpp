//===- AsyncCopy.cpp - Asynchronous copies by threads ---------------------===//
//
// A copy reads global memory when it is issued and writes shared memory as late
// as the IR allows: when a wait orders it. A kernel that reads too early reads
// what was there before.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/AsyncCopy.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor {

Step planCopyToShared(Planner &planner, tt::GlobalAccessOpInterface op,
                      Value memory, size_t instructions) {
  Addresses from = Addresses::of(planner, op);
  const tt::GlobalAccess access = op.getGlobalAccess();
  const std::optional<Slot> live = optionalSlot(planner, access.mask);
  const std::optional<Slot> otherwise = optionalSlot(planner, access.other);
  const bool oneOther =
      access.other && planner.storage(access.other).count != from.count;
  const Slot to = planner.slot(memory);
  return withBytes(from.elementBytes, [&]<typename T>() -> Step {
    return [=, from = std::move(from), shape = shapeOf(memory)](Frame &frame) {
      std::vector<T> values(from.count);
      if (otherwise && oneOther)
        std::fill(values.begin(), values.end(), *frame.at<T>(*otherwise));
      else if (otherwise)
        std::memcpy(values.data(), frame.at<T>(*otherwise),
                    from.count * sizeof(T));
      if (!from.forEach(frame, live, [&](size_t i, int64_t address) {
            return loadElement(frame, from.op, from.shape, i, address,
                               values[i]);
          }))
        return false;
      auto cells = Cells::of(frame, from.op, *frame.at<View>(to), shape,
                             sizeof(T), {from.owners});
      if (!cells)
        return false;
      const sanitize::Moment done =
          watchStart(frame, from.op, *cells, /*isWrite=*/true,
                     ttg::Proxy::Generic)
              .done;
      noteAgentAccess(frame, from, live, /*isStore=*/false, done);
      return frame.queue(Completion::CommitGroup)
          .issue({.read = {},
                  .write =
                      [cells = std::move(*cells), values = std::move(values)] {
                        cells.write(
                            reinterpret_cast<const char *>(values.data()));
                        return true;
                      },
                  .instructions = instructions,
                  .done = done,
                  .op = from.op});
    };
  });
}

size_t instructionsOf(Value addresses, uint32_t contiguity) {
  std::string error;
  auto type = cast<RankedTensorType>(addresses.getType());
  auto layout =
      type.getEncoding()
          ? ttg::toLinearLayout(type.getShape(), type.getEncoding(), error)
          : std::nullopt;
  if (!layout)
    return 1;
  StringAttr registers = ttg::LayoutDims(type.getContext()).reg;
  // Registers that hold what another one holds take no instruction.
  const int32_t elements =
      layout->getInDimSize(registers) >>
      llvm::popcount(uint32_t(layout->getZeroMask(registers)));
  return std::max<size_t>(1, elements / std::max<uint32_t>(1, contiguity));
}

namespace {

Step planAsyncCopy(Planner &planner, ttg::AsyncCopyGlobalToLocalOp op) {
  return planCopyToShared(planner, op, op.getResult(),
                          instructionsOf(op.getSrc(), op.getContiguity()));
}

Step planCommit(Planner &, ttg::AsyncCommitGroupOp) {
  return [](Frame &frame) {
    frame.queue(Completion::CommitGroup).commit();
    return true;
  };
}

} // namespace

Step planAsyncWait(Planner &, Operation *op) {
  auto wait = cast<ttg::AsyncWaitOpInterface>(op);
  const Completion awaited = wait.getAwaited();
  const size_t pending = std::max<int64_t>(0, wait.getPending());
  if (wait.countsInstructions())
    return [=](Frame &frame) {
      return frame.queue(awaited).waitForInstructions(pending);
    };
  return [=](Frame &frame) { return frame.queue(awaited).wait(pending); };
}

void registerAsyncCopy(Registry &r) {
  r.add<ttg::AsyncCopyGlobalToLocalOp>(planAsyncCopy);
  r.add<ttg::AsyncCommitGroupOp>(planCommit);
  r.add(ttg::AsyncWaitOp::getOperationName(), planAsyncWait);
}

} // namespace kernelscope::executor
