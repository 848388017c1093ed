//===- Barriers.cpp - who uses which barrier ------------------------------===//

#include "passes/analysis/Barriers.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace kernelscope;
using ttg::MemDescType;

int64_t BarrierRing::depth() const {
  auto type = cast<MemDescType>(allocation.getType());
  int64_t depth = 1;
  for (int64_t size : type.getShape().drop_back())
    depth *= size;
  return depth;
}

SmallVector<BarrierUse>
BarrierRing::usesOf(ttg::BarrierAction::Kind kind) const {
  return llvm::filter_to_vector(
      uses, [&](const BarrierUse &use) { return use.action.kind == kind; });
}

/// The allocation that `barrier` is a view of, in this region or in the one
/// that a partition got it from; null when it came another way.
static Value allocationOf(Value barrier) {
  while (true) {
    barrier = ttg::lookThroughViews(barrier);
    auto argument = dyn_cast<BlockArgument>(barrier);
    if (!argument)
      return isa<ttg::AllocOpInterface>(barrier.getDefiningOp()) ? barrier
                                                                 : Value();
    auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(
        argument.getOwner()->getParentOp());
    if (!partitions)
      return {};
    barrier = partitions.getExplicitCaptures()[argument.getArgNumber()];
  }
}

/// Adds all uses of `view`; false if there is one of which nothing is known.
static bool collect(Value view, BarrierRing &ring) {
  llvm::SetVector<Operation *> users;
  for (OpOperand &use : view.getUses()) {
    Operation *op = use.getOwner();
    bool isKnown = true;
    if (op->hasTrait<ttg::MemDescView>()) {
      isKnown = collect(op->getResult(0), ring);
    } else if (auto partitions =
                   dyn_cast<ttg::WarpSpecializePartitionsOp>(op)) {
      for (Region &region : partitions.getPartitionRegions())
        isKnown &= collect(region.getArgument(use.getOperandNumber()), ring);
    } else if (!isa<ttg::LocalDeallocOp>(op)) {
      users.insert(op);
    }
    if (!isKnown)
      return false;
  }
  for (Operation *op : users) {
    size_t before = ring.uses.size();
    for (ttg::BarrierAction &action : ttg::barrierActionsOf(op))
      if (action.barrier == view)
        ring.uses.push_back({op, std::move(action)});
    if (ring.uses.size() == before)
      return false;
  }
  return true;
}

Barriers::Barriers(Operation *function) {
  llvm::SetVector<Value> allocations;
  DenseMap<Operation *, unsigned> order;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.try_emplace(op, order.size());
    for (const ttg::BarrierAction &action : ttg::barrierActionsOf(op))
      if (action.kind == ttg::BarrierAction::Init)
        if (Value allocation = allocationOf(action.barrier))
          allocations.insert(allocation);
  });
  for (Value allocation : allocations) {
    BarrierRing ring{allocation, {}};
    if (!collect(allocation, ring))
      continue;
    std::multimap<unsigned, BarrierUse> inOrder;
    for (BarrierUse &use : ring.uses)
      inOrder.emplace(order.lookup(use.op), std::move(use));
    ring.uses.clear();
    for (auto &[place, use] : inOrder)
      ring.uses.push_back(std::move(use));
    all.push_back(std::move(ring));
  }
}

bool kernelscope::areSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto indexA = a.getDefiningOp<ttg::MemDescIndexOp>();
  auto indexB = b.getDefiningOp<ttg::MemDescIndexOp>();
  if (!indexA || !indexB || !areSameView(indexA.getSrc(), indexB.getSrc()))
    return false;
  auto constant = tt::constantOf(indexA.getIndex());
  return indexA.getIndex() == indexB.getIndex() ||
         (constant && constant == tt::constantOf(indexB.getIndex()));
}

std::string kernelscope::describeArrivals(const BarrierRing &ring) {
  std::map<StringRef, int64_t> byName;
  for (const BarrierUse &use : ring.uses) {
    std::optional<int64_t> count = use.action.arrivals();
    if (!count)
      return {};
    if (*count != 0) {
      int64_t &most = byName[use.op->getName().stripDialect()];
      most = std::max(most, *count);
    }
  }
  std::string text;
  for (auto [name, count] : byName)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " by " +
            name.str();
  return text;
}

Operation *kernelscope::loopAround(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && !isa<LoopLikeOpInterface>(parent))
    parent = parent->getParentOp();
  return parent;
}

std::string kernelscope::quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}
