//===- ThreadIds.cpp - Which warp or thread runs --------------------------===//
//
// All warps of an agent run as one, so that there is an id only where there is
// one warp, or where nothing depends on it: AMD's compiler makes warps drift
// apart by barriers of a part of them (amdg.cond_barrier), which say nothing of
// the values that are computed.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/TTG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Whether `id` decides about nothing but barriers of a part of the warps.
bool servesBarriersAlone(Value id) {
  llvm::SetVector<Operation *> users;
  auto addUsers = [&](ValueRange values) {
    for (Value value : values)
      users.insert_range(value.getUsers());
  };
  addUsers(id);
  for (size_t i = 0; i < users.size(); ++i) {
    Operation *user = users[i];
    if (isa<amdg::CondBarrierOp>(user))
      continue;
    if (!isPure(user) || user->getNumRegions() ||
        llvm::any_of(user->getResultTypes(), llvm::IsaPred<ShapedType>))
      return false;
    addUsers(user->getResults());
  }
  return true;
}

/// `ids` is how many there are in an agent.
Step planId(Planner &planner, Operation *op, int64_t ids, StringRef needed) {
  const Value result = op->getResult(0);
  if (ids != 1 && !servesBarriersAlone(result)) {
    op->emitError("the CPU executor runs ")
        << ttg::lookupNumWarps(op).value_or(1) << " warps as one, so that '"
        << op->getName() << "' has no one value" << needed;
    return {};
  }
  if (!planner.storageOf(result.getType(), op))
    return {};
  return [to = planner.slot(result),
          bytes = planner.bytesOf(result)](Frame &frame) {
    std::memset(frame.at<char>(to), 0, bytes);
    return true;
  };
}

/// The id of nvg counts from the first warp of the CTA.
Step planWarpId(Planner &planner, Operation *op) {
  const bool isAbsolute = op->getName().getDialectNamespace() == "nvg";
  const bool inPartition =
      op->getParentOfType<ttg::WarpSpecializePartitionsOp>() != nullptr;
  const int64_t warps = ttg::lookupNumWarps(op).value_or(1);
  return planId(planner, op, isAbsolute && inPartition ? 0 : warps,
                isAbsolute ? "; it needs a kernel of one warp"
                           : "; it needs a kernel or a partition of one warp");
}

Step planThreadId(Planner &planner, Operation *op) {
  return planId(planner, op, 0,
                "; only an 'amdg.cond_barrier' may depend on it");
}

} // namespace

void registerThreadIds(Registry &r) {
  for (StringRef name : {"ttg.warp_id", "nvg.warp_id"})
    r.add(name, planWarpId);
  for (StringRef name : {"rocdl.workitem.id.x", "gpu.thread_id"})
    r.add(name, planThreadId);
}

} // namespace kernelscope::executor
