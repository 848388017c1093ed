//===- AsyncCopy.cpp - Asynchronous copies to shared memory ---------------===//
//
// A copy reads global memory when it is issued and writes shared memory as late
// as the IR allows: when a wait orders it. A kernel that reads too early reads
// what was there before.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "executor/ops/Access.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planAsyncCopy(Planner &planner, ttg::AsyncCopyGlobalToLocalOp op) {
  Addresses from = Addresses::of(planner, op);
  const std::optional<Slot> live = optionalSlot(planner, op.getMask());
  const std::optional<Slot> otherwise = optionalSlot(planner, op.getOther());
  const Slot to = planner.slot(op.getResult());
  return withBytes(from.elementBytes, [&]<typename T>() -> Step {
    return [=, from = std::move(from),
            shape = shapeOf(op.getResult())](Frame &frame) {
      std::vector<T> values(from.count);
      if (otherwise)
        std::memcpy(values.data(), frame.at<T>(*otherwise),
                    from.count * sizeof(T));
      if (!from.forEach(frame, live, [&](size_t i, int64_t address) {
            return loadElement(frame, from.op, from.shape, i, address,
                               values[i]);
          }))
        return false;
      frame.copies.issue(
          [values = std::move(values), &shape, view = *frame.at<View>(to)] {
            scatterStrided(reinterpret_cast<T *>(view.base), values.data(),
                           stridesOf(view, shape));
          });
      return true;
    };
  });
}

Step planCommit(Planner &, ttg::AsyncCommitGroupOp) {
  return [](Frame &frame) {
    frame.copies.commit();
    return true;
  };
}

Step planWait(Planner &, ttg::AsyncWaitOp op) {
  return [pending = op.getNum()](Frame &frame) {
    frame.copies.wait(pending);
    return true;
  };
}

} // namespace

void registerAsyncCopy(Registry &r) {
  r.add<ttg::AsyncCopyGlobalToLocalOp>(planAsyncCopy);
  r.add<ttg::AsyncCommitGroupOp>(planCommit);
  r.add<ttg::AsyncWaitOp>(planWait);
}

} // namespace kernelscope::executor
