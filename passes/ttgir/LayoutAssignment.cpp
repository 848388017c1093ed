//===- LayoutAssignment.cpp - A layout for every tensor -------------------===//

#include "passes/ttgir/LayoutAssignment.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "passes/ttgir/StoreLayouts.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static RankedTensorType withLayout(Value value, Attribute layout) {
  return cast<RankedTensorType>(value.getType()).cloneWithEncoding(layout);
}

LayoutAssignment::LayoutAssignment(
    FunctionOpInterface function, const ThreadCounts &threads,
    const llvm::MapVector<Operation *, Attribute> &accessLayouts,
    const llvm::MapVector<Operation *, ProductLayout> &productLayouts,
    const Target &target)
    : function(function), threads(threads), productLayouts(productLayouts),
      target(target) {
  collectOps(function.getFunctionBody());
  collectFlows();
  for (Operation *op : ops) {
    if (auto access = accessLayouts.find(op); access != accessLayouts.end())
      working[op] = access->second;
    else if (auto product = productLayouts.find(op);
             product != productLayouts.end())
      working[op] = product->second.c;
    else if (choosesLayout(op))
      working[op] = plainWorkingLayout(op, threads);
    else if (!hasWorkingLayout(op))
      // Nothing is known of the op; a value that control flow gives is not its.
      for (Value result : op->getResults())
        if (isTensor(result) &&
            groups.findLeader(result.getAsOpaquePointer()) ==
                groups.member_end())
          pin(result, pinnedOrPlain(result));
  }
  for (Value argument : function.getArguments())
    if (isTensor(argument))
      pin(argument, pinnedOrPlain(argument));
}

void LayoutAssignment::collectOps(Region &region) {
  if (region.empty())
    return;
  // In this order a definition comes before its uses, however blocks are laid.
  for (Block *block : llvm::ReversePostOrderTraversal<Block *>(&region.front()))
    for (Operation &op : *block) {
      auto onTensor = [](auto values) {
        return llvm::any_of(values, isTensor);
      };
      if (onTensor(op.getOperands()) || onTensor(op.getResults()))
        ops.push_back(&op);
      for (Region &nested : op.getRegions())
        collectOps(nested);
    }
}

void LayoutAssignment::collectFlows() {
  RegionBranchSuccessorMapping regionFlows;
  function.walk([&](RegionBranchOpInterface op) {
    op.getSuccessorOperandInputMapping(regionFlows);
  });
  // A terminator alone in its block is not in `ops` when it hands on nothing.
  for (Operation *op : ops) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      if (auto found = regionFlows.find(&operand); found != regionFlows.end())
        flows[&operand] = found->second;
      if (auto branch = dyn_cast<BranchOpInterface>(op))
        if (auto argument =
                branch.getSuccessorBlockArgument(operand.getOperandNumber()))
          flows[&operand].push_back(*argument);
    }
  }
  for (auto &[operand, inputs] : flows)
    for (Value input : inputs)
      groups.unionSets(inputs.front().getAsOpaquePointer(),
                       input.getAsOpaquePointer());
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

void LayoutAssignment::pin(Value value, Attribute layout) {
  auto group = groups.findLeader(value.getAsOpaquePointer());
  if (group == groups.member_end()) {
    layouts.try_emplace(value, layout);
    return;
  }
  for (; group != groups.member_end(); ++group)
    layouts.try_emplace(Value::getFromOpaquePointer(*group), layout);
}

Attribute LayoutAssignment::pinned(Value value) const {
  return layouts.lookup(value);
}

Attribute LayoutAssignment::pinnedOrPlain(Value value) const {
  if (Attribute layout = pinned(value))
    return layout;
  return plainLayout(cast<RankedTensorType>(value.getType()), threads);
}

/// The layout in which `operand`'s owner, working in `working`, takes it; null
/// while that is undecided.
Attribute LayoutAssignment::wantedBy(OpOperand &operand,
                                     Attribute working) const {
  Operation *op = operand.getOwner();
  if (auto flow = flows.find(&operand); flow != flows.end())
    return pinned(flow->second.front());
  // What crosses functions has the layout that both sides know.
  if (isa<tt::ReturnOp, tt::CallOp>(op))
    return plainLayout(cast<RankedTensorType>(operand.get().getType()),
                       threads);
  if (!hasWorkingLayout(op))
    return pinnedOrPlain(operand.get());
  if (!working)
    return {};
  if (auto product = productLayouts.find(op); product != productLayouts.end()) {
    Attribute layout = product->second.ofOperand(operand.getOperandNumber());
    return layout ? layout : pinnedOrPlain(operand.get());
  }
  Attribute layout = operandLayout(op, operand.getOperandNumber(), working);
  return layout ? layout : pinnedOrPlain(operand.get());
}

void LayoutAssignment::decide() {
  do {
    while (flowForward()) {
    }
  } while (takeWanted() || decideOne());
}

/// Layouts of operands decide what ops work in, and that their results.
bool LayoutAssignment::flowForward() {
  size_t before = working.size() + layouts.size();
  for (Operation *op : ops) {
    if (hasWorkingLayout(op)) {
      Attribute layout = working.lookup(op);
      for (OpOperand &operand : op->getOpOperands())
        if (!layout && isTensor(operand.get()))
          if (Attribute known = pinned(operand.get()))
            layout =
                workingLayoutForOperand(op, operand.getOperandNumber(), known);
      if (layout) {
        working[op] = layout;
        if (Attribute given = resultLayout(op, layout))
          for (Value result : op->getResults())
            if (isTensor(result))
              pin(result, given);
      }
    }
    for (OpOperand &operand : op->getOpOperands())
      if (auto flow = flows.find(&operand); flow != flows.end())
        if (Attribute known = pinned(operand.get()))
          if (!pinned(flow->second.front()))
            pin(flow->second.front(), known);
  }
  return working.size() + layouts.size() != before;
}

/// Whether nothing but its uses says which layout `value` has: control flow
/// carries it, or an op yields it in any.
bool LayoutAssignment::isFree(Value value) const {
  if (pinned(value))
    return false;
  if (groups.findLeader(value.getAsOpaquePointer()) != groups.member_end())
    return true;
  Operation *op = value.getDefiningOp();
  return op && working.lookup(op) && isTensor(value);
}

/// Free values take a layout that is wanted of them.
bool LayoutAssignment::takeWanted() {
  bool changed = false;
  for (auto &[value, wishes] : collectWanted())
    if (isFree(value)) {
      pin(value, wishes.front());
      changed = true;
    }
  return changed;
}

/// Pins down the first thing that is still open, when nothing says how.
bool LayoutAssignment::decideOne() {
  for (Operation *op : ops) {
    if (hasWorkingLayout(op) && !isRecomputable(op) && !working.lookup(op)) {
      working[op] = plainWorkingLayout(op, threads);
      return true;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (auto flow = flows.find(&operand); flow != flows.end())
        if (Value input = flow->second.front(); !pinned(input)) {
          pin(input, pinnedOrPlain(input));
          return true;
        }
    for (Value result : op->getResults())
      if (isFree(result)) {
        pin(result, pinnedOrPlain(result));
        return true;
      }
  }
  return false;
}

/// Gives stores of what products compute layouts that spare it a way between
/// warps.
void LayoutAssignment::storeWhereComputed() {
  llvm::SmallDenseSet<Attribute> ofProducts;
  for (const auto &[op, layout] : productLayouts)
    ofProducts.insert(layout.c);
  for (Operation *op : ops) {
    auto store = dyn_cast<tt::StoreOp>(op);
    if (!store || !isTensor(store.getPtr()))
      continue;
    Attribute computed = pinned(store.getValue()), now = working.lookup(op);
    // Addresses that are not recomputed would have to move instead.
    auto isMoved = [&](Value value) { return value && pinned(value); };
    if (!computed || !ofProducts.contains(computed) || !now ||
        computed == now || isMoved(store.getPtr()) || isMoved(store.getMask()))
      continue;
    auto type = cast<RankedTensorType>(store.getPtr().getType());
    // Each CTA of a cluster stores what it has computed.
    if (auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(now);
        blocked && threads.ctas != 1)
      now = blockedLayout(
          type, blocked.getOrder(),
          blocked.getSizePerThread()[blocked.getOrder()[0]], threads,
          cast<ttg::LayoutEncodingTrait>(computed).getCGALayout());
    working[op] = chooseStoreLayout(
        type, computed, now, store.getGlobalAccess().elementBits(), target);
  }
}

/// For each value the layouts that its users take it in, users first.
LayoutAssignment::Wanted LayoutAssignment::collectWanted() const {
  Wanted wanted;
  for (Operation *op : llvm::reverse(ops)) {
    SmallVector<Attribute> workings;
    if (Attribute layout = working.lookup(op))
      workings.push_back(layout);
    else if (hasWorkingLayout(op) && isRecomputable(op))
      for (Value result : op->getResults())
        for (Attribute wish : wanted.lookup(result))
          workings.push_back(workingLayoutForResult(op, wish));
    else
      workings.push_back({});
    for (OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()))
        for (Attribute layout : workings)
          if (Attribute wish = wantedBy(operand, layout))
            wanted[operand.get()].insert(wish);
  }
  return wanted;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

LogicalResult LayoutAssignment::apply() {
  decide();
  storeWhereComputed();
  while (hoistConversions()) {
  }
  wanted = collectWanted();

  // The arguments of all blocks come before any op.
  LogicalResult result = success();
  function.walk<WalkOrder::PreOrder>([&](Block *block) {
    OpBuilder builder = OpBuilder::atBlockBegin(block);
    for (Value argument : block->getArguments())
      if (isTensor(argument) && failed(place(argument, builder)))
        result = failure();
  });
  for (Operation *op : ops)
    if (succeeded(result))
      result = placeOp(op);
  if (failed(result))
    return failure();

  for (Operation *op : llvm::reverse(ops))
    if (hasWorkingLayout(op) && !working.lookup(op) && op->use_empty())
      op->erase();

  auto resultTypes = llvm::to_vector(function.getResultTypes());
  for (Type &type : resultTypes)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = tensor.cloneWithEncoding(plainLayout(tensor, threads));
  function.setType(function.cloneTypeWith(
      function.getFunctionBody().getArgumentTypes(), resultTypes));
  return success();
}

/// Gives a pinned value its layout, and converts it to the others wanted.
LogicalResult LayoutAssignment::place(Value value, OpBuilder &builder) {
  Attribute layout = pinned(value);
  if (!layout)
    return emitError(value.getLoc(), "no layout for ") << value.getType();
  value.setType(withLayout(value, layout));
  placed[{value, layout}] = value;
  for (Attribute other : wanted.lookup(value))
    if (other != layout)
      placed[{value, other}] = ttg::ConvertLayoutOp::create(
          builder, value.getLoc(), withLayout(value, other), value);
  return success();
}

LogicalResult LayoutAssignment::placeOp(Operation *op) {
  if (hasWorkingLayout(op) && !working.lookup(op))
    return recompute(op);
  if (failed(setOperands(op, op, working.lookup(op))))
    return failure();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (isTensor(result) && failed(place(result, builder)))
      return failure();
  return success();
}

/// A copy of `op` in each layout that is wanted of its results.
LogicalResult LayoutAssignment::recompute(Operation *op) {
  llvm::SmallSetVector<Attribute, 2> wishes;
  for (Value result : op->getResults())
    for (Attribute wish : wanted.lookup(result))
      wishes.insert(wish);
  OpBuilder builder(op);
  for (Attribute wish : wishes) {
    Operation *copy = builder.clone(*op);
    if (failed(setOperands(copy, op, workingLayoutForResult(op, wish))))
      return failure();
    for (auto [old, fresh] : llvm::zip(op->getResults(), copy->getResults()))
      if (isTensor(fresh)) {
        fresh.setType(withLayout(fresh, wish));
        placed[{old, wish}] = fresh;
      }
    if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!elements)
        return op->emitOpError("has elements that cannot be given a layout; ")
               << "they must be dense";
      constant.setValueAttr(
          elements.reshape(cast<RankedTensorType>(constant.getType())));
    }
  }
  return success();
}

/// Gives `op`, which is `from` or a copy of it, its operands in the layouts in
/// which it takes them.
LogicalResult LayoutAssignment::setOperands(Operation *op, Operation *from,
                                            Attribute working) {
  for (OpOperand &operand : from->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    Value value = placed.lookup({operand.get(), wantedBy(operand, working)});
    if (!value)
      return from->emitOpError("has no layout for operand ")
             << operand.getOperandNumber() << " of type "
             << operand.get().getType();
    op->setOperand(operand.getOperandNumber(), value);
  }
  return success();
}
