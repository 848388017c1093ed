//===- ThreadIds.cpp - Which warp or thread runs --------------------------===//
//
// All warps of an agent run as one, so that a scalar has one value. The id of a
// warp or thread has several, if there are several: what is computed from it is
// that of the first thread, except where a splat makes a tensor of it, whose
// elements are in threads. Nothing else may depend on an id but AMD's barriers
// of a part of the warps (amdg.cond_barrier), which make warps drift apart and
// say nothing of the values that are computed.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/ThreadIds.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Strided.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

constexpr StringLiteral warpIds[] = {"ttg.warp_id", "nvg.warp_id"},
                        threadIds[] = {"rocdl.workitem.id.x", "gpu.thread_id"};

bool isOneOf(Operation *op, ArrayRef<StringLiteral> names) {
  return llvm::is_contained(names, op->getName().getStringRef());
}

/// The number of ids of the kind that `op` returns; 1 for other ops.
int64_t idsOf(Operation *op) {
  const int64_t warps = ttg::lookupNumWarps(op).value_or(1);
  if (isOneOf(op, warpIds))
    return warps;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    if (id.getDimension() != gpu::Dimension::x)
      return 1;
  return isOneOf(op, threadIds)
             ? warps * ttg::lookupThreadsPerWarp(op).value_or(32)
             : 1;
}

/// An op that computes scalars from scalars.
bool isScalar(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           return type.isIntOrIndexOrFloat() || isa<tt::PointerType>(type);
         });
}

/// The ops that compute `value`, operands first.
llvm::SetVector<Operation *> computationOf(Value value) {
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    if (op && isScalar(op))
      ops.insert(op);
  };
  add(value);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      add(operand);
  return topologicalSort(ops);
}

/// The op that uses `id`, or what is computed from it, in a way that needs one
/// value for all threads; null for none.
Operation *findUniformUse(Value id) {
  llvm::SetVector<Operation *> users(id.user_begin(), id.user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    Operation *user = users[i];
    if (isa<amdg::CondBarrierOp, tt::SplatOp>(user))
      continue;
    if (!isScalar(user))
      return user;
    for (Value result : user->getResults())
      users.insert(result.user_begin(), result.user_end());
  }
  return nullptr;
}

Step planId(Planner &planner, Operation *op) {
  const Value result = op->getResult(0);
  const int64_t ids = idsOf(op);
  // The id of nvg counts from the first warp of the CTA.
  const bool isShifted = op->getName().getStringRef() == "nvg.warp_id" &&
                         op->getParentOfType<ttg::WarpSpecializePartitionsOp>();
  Operation *user = ids == 1 ? nullptr : findUniformUse(result);
  if (user || isShifted) {
    InFlightDiagnostic error = op->emitError("the CPU executor runs ")
                               << ttg::lookupNumWarps(op).value_or(1)
                               << " warps as one, so '" << op->getName()
                               << "' has no single value";
    if (user)
      error << ", which '" << user->getName()
            << "' needs; only 'tt.splat' and 'amdg.cond_barrier' may depend on "
               "it";
    else
      error << "; in a partition use 'ttg.warp_id'";
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

/// For each element of a tensor, the first thread of an agent that holds it;
/// empty when the layout is unknown.
std::vector<int64_t> firstThreads(RankedTensorType type) {
  std::string error;
  auto layout =
      type.getEncoding()
          ? ttg::toLinearLayout(type.getShape(), type.getEncoding(), error)
          : std::nullopt;
  if (!layout)
    return {};
  const ttg::LayoutDims dims(type.getContext());
  const auto names = ttg::tensorDims(type.getContext(), type.getRank());
  const auto strides = rowMajor(type.getShape());
  const int64_t lanes = layout->getInDimSize(dims.lane);
  std::vector<int64_t> threads(type.getNumElements(), -1);
  auto sizeOf = [&](StringAttr dim) {
    return layout->hasInDim(dim) ? layout->getInDimSize(dim) : 1;
  };
  for (int32_t thread = 0; thread < lanes * sizeOf(dims.warp); ++thread)
    for (int32_t block = 0; block < sizeOf(dims.block); ++block)
      for (int32_t held = 0; held < sizeOf(dims.reg); ++held) {
        int64_t at = 0;
        for (auto [name, value] :
             layout->apply({{dims.reg, held},
                            {dims.lane, int32_t(thread % lanes)},
                            {dims.warp, int32_t(thread / lanes)},
                            {dims.block, block}}))
          at += value * strides[llvm::find(names, name) - names.begin()];
        if (threads[at] < 0)
          threads[at] = thread;
      }
  return threads;
}

} // namespace

bool differsBetweenThreads(Value scalar) {
  return llvm::any_of(computationOf(scalar),
                      [](Operation *op) { return idsOf(op) > 1; });
}

Step planSplatOfIds(Planner &planner, tt::SplatOp op) {
  const std::vector<int64_t> threads = firstThreads(op.getResult().getType());
  if (threads.empty()) {
    op.emitError("the CPU executor needs the layout of a tensor that is "
                 "computed from the id of a warp or thread");
    return {};
  }
  struct Id {
    Slot slot;
    size_t bytes;
    int64_t threads; ///< that have the same id
  };
  std::vector<Id> ids;
  std::vector<Step> steps;
  const int64_t lanes = ttg::lookupThreadsPerWarp(op).value_or(32);
  for (Operation *part : computationOf(op.getSrc())) {
    if (idsOf(part) > 1) {
      const Value id = part->getResult(0);
      ids.push_back({planner.slot(id), planner.bytesOf(id),
                     isOneOf(part, warpIds) ? lanes : 1});
      continue;
    }
    const Registry::Entry *entry =
        Registry::get().find(part->getName().getStringRef());
    Step step = entry ? entry->plan(planner, part) : Step();
    if (!step)
      return {};
    steps.push_back(std::move(step));
  }
  return [=, from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult()),
          bytes = planner.bytesOf(op.getSrc())](Frame &frame) {
    // The last thread first, so that the scalars end as those of the first.
    for (int64_t thread = *llvm::max_element(threads); thread >= 0; --thread) {
      for (const Id &id : ids) {
        const int64_t value = thread / id.threads;
        std::memcpy(frame.at<char>(id.slot), &value, id.bytes);
      }
      for (const Step &step : steps)
        if (!step(frame))
          return false;
      for (auto [i, holder] : llvm::enumerate(threads))
        if (holder == thread)
          std::memcpy(frame.at<char>(to) + i * bytes, frame.at<char>(from),
                      bytes);
    }
    return true;
  };
}

void registerThreadIds(Registry &r) {
  for (StringRef name : warpIds)
    r.add(name, planId);
  for (StringRef name : threadIds)
    r.add(name, planId);
  registerOneThread(r);
}

} // namespace kernelscope::executor
