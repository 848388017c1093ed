//===- Barriers.cpp - who uses which barrier ------------------------------===//

#include "passes/analysis/Barriers.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;
using ttg::MemDescType;

int64_t BarrierRing::depth() const {
  auto type = cast<MemDescType>(allocation.getType());
  int64_t depth = 1;
  for (int64_t size : type.getShape().drop_back())
    depth *= size;
  return depth;
}

SmallVector<BarrierUse> BarrierRing::usesOf(BarrierAction::Kind kind) const {
  return llvm::filter_to_vector(
      uses, [&](const BarrierUse &use) { return use.action.kind == kind; });
}

bool kernelscope::onlyComputes(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
      op->getDialect());
}

Block *kernelscope::onlyBlockOf(Region &body) {
  if (body.empty() || !body.front().mightHaveTerminator() ||
      body.front().getTerminator()->getNumSuccessors() != 0)
    return nullptr;
  return &body.front();
}

/// Where the operand `number` of a `scf.yield` or `scf.condition` goes.
static SmallVector<Value, 2> yieldsTo(Operation *terminator, unsigned number) {
  Operation *parent = terminator->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return {loop.getRegionIterArg(number), loop.getResult(number)};
  if (auto branch = dyn_cast<scf::IfOp>(parent))
    return {branch.getResult(number)};
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (!isa<scf::ConditionOp>(terminator))
      return {loop.getBeforeArguments()[number]};
    // Its first operand is the condition.
    return {loop.getAfterArguments()[number - 1], loop.getResult(number - 1)};
  }
  return {};
}

SmallVector<Value, 2> kernelscope::flowsTo(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (op->hasTrait<ttg::MemDescView>() || isa<arith::SelectOp>(op))
    return {op->getResult(0)};
  if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(op))
    return llvm::map_to_vector<2>(
        partitions.getPartitionRegions(),
        [&](Region &region) -> Value { return region.getArgument(number); });
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (number < loop.getNumControlOperands())
      return {};
    unsigned carried = number - loop.getNumControlOperands();
    return {loop.getRegionIterArg(carried), loop.getResult(carried)};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getBeforeArguments()[number]};
  if (isa<scf::YieldOp, scf::ConditionOp>(op))
    return yieldsTo(op, number);
  return {};
}

/// The values that are or may be `allocation` or a view of it, and the ops that
/// do something with them.
static void follow(Value allocation, llvm::SetVector<Value> &views,
                   llvm::SetVector<Operation *> &users) {
  views.insert(allocation);
  for (size_t i = 0; i < views.size(); ++i)
    for (OpOperand &use : views[i].getUses()) {
      SmallVector<Value, 2> targets = flowsTo(use);
      views.insert(targets.begin(), targets.end());
      if (targets.empty() && !isa<ttg::LocalDeallocOp>(use.getOwner()))
        users.insert(use.getOwner());
    }
}

ArrayRef<BarrierAction> Barriers::actionsOf(Operation *op) {
  auto [own, isNew] = actions.try_emplace(op);
  if (isNew)
    llvm::append_range(own->second, ttg::barrierActionsOf(op));
  return own->second;
}

/// Nothing where something is done with a barrier of it that is not known, or
/// where none is made.
void Barriers::addRing(Value allocation) {
  BarrierRing ring{allocation, {}, {}};
  llvm::SetVector<Operation *> users;
  follow(allocation, ring.views, users);
  bool isMade = false;
  for (Operation *op : users) {
    size_t before = ring.uses.size();
    for (const BarrierAction &action : actionsOf(op))
      if (ring.views.contains(action.barrier)) {
        ring.uses.push_back({op, action});
        isMade |= action.kind == BarrierAction::Init;
      }
    if (ring.uses.size() == before)
      return;
  }
  if (isMade)
    all.push_back(std::move(ring));
  else if (!ring.usesOf(BarrierAction::Wait).empty())
    bare.push_back(ring.uses.back().op); // Uses are listed last first.
}

/// Adds nothing if no barrier signals that it is full, or if it has a use that
/// is not understood.
void Barriers::addBuffer(Value allocation) {
  GuardedBuffer buffer{allocation, {}};
  buffer.isOnlyFilled = allocation.getDefiningOp()->getNumOperands() == 0;
  llvm::SetVector<Value> views;
  follow(allocation, views, buffer.users);
  bool isGuarded = false;
  for (Operation *op : buffer.users) {
    auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(op);
    if (!memory && !isa<MemoryEffectOpInterface>(op))
      return;
    ttg::Completion completion =
        memory ? memory.getAccessMode().completion : ttg::Completion::AtOnce;
    if (completion == ttg::Completion::MBarrier ||
        completion == ttg::Completion::TensorCommit)
      isGuarded = true;
    else
      buffer.isOnlyFilled &= !hasEffect<MemoryEffects::Write>(op);
  }
  if (!isGuarded)
    return;
  for (Value view : views)
    if (auto index = view.getDefiningOp<ttg::MemDescIndexOp>())
      buffer.count =
          std::max(buffer.count, index.getSrc().getType().getDimSize(0));
  guarded.push_back(std::move(buffer));
}

Barriers::Barriers(Operation *function) {
  DenseMap<Operation *, unsigned> order;
  SmallVector<Value> allocations, buffers;
  SmallPtrSet<Operation *, 32> users;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (onlyComputes(op))
      return;
    if (isa<ttg::MBarrierOpInterface>(op) && !actionsOf(op).empty()) {
      order.try_emplace(op, order.size());
      users.insert(op);
    }
    if (op->getNumResults() == 0)
      return;
    auto type = dyn_cast<MemDescType>(op->getResult(0).getType());
    if (type && isa<ttg::AllocOpInterface>(op))
      (type.getElementType().isInteger(64) ? allocations : buffers)
          .push_back(op->getResult(0));
  });
  llvm::for_each(allocations, [&](Value value) { addRing(value); });
  for (BarrierRing &ring : all) {
    SmallVector<std::pair<unsigned, unsigned>> places;
    for (auto [i, use] : llvm::enumerate(ring.uses))
      places.push_back({order.lookup(use.op), i});
    llvm::sort(places);
    SmallVector<BarrierUse> sorted;
    for (auto [place, i] : places) {
      users.erase(ring.uses[i].op);
      sorted.push_back(std::move(ring.uses[i]));
    }
    ring.uses = std::move(sorted);
  }
  complete = users.empty();
  if (complete && !all.empty())
    llvm::for_each(buffers, [&](Value value) { addBuffer(value); });
}

const BarrierRing *Barriers::ringOf(Value allocation) const {
  const auto *found = llvm::find_if(all, [&](const BarrierRing &ring) {
    return ring.allocation == allocation;
  });
  return found == all.end() ? nullptr : found;
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

std::string kernelscope::quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}
