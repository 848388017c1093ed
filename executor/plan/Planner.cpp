//===- Planner.cpp - Slots for values, steps for ops ----------------------===//

#include "executor/plan/Planner.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include "executor/sanitize/Watch.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

std::optional<Storage> Planner::storageOf(Type type, Operation *op) {
  auto found = storageOfType.find(type);
  if (found != storageOfType.end())
    return found->second;
  Storage storage;
  std::optional<Element> element;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = elementOf(tensor.getElementType());
    storage.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    if (tensor.hasStaticShape() && element != Element::I128)
      storage.count = tensor.getNumElements();
    else
      element.reset();
  } else if (auto memdesc = dyn_cast<ttg::MemDescType>(type)) {
    if (memdesc.getRank() <= View::maxRank &&
        bytesInMemory(memdesc.getElementType()) != 0)
      element = Element::View;
  } else {
    element = elementOf(type);
  }
  if (!element) {
    op->emitError("the CPU executor has no storage for a value of type ")
        << type;
    return std::nullopt;
  }
  storage.element = *element;
  return storageOfType.try_emplace(type, storage).first->second;
}

const Storage &Planner::storage(Value value) {
  slot(value);
  return storageOfType.find(value.getType())->second;
}

Slot Planner::scratch(size_t bytes) {
  Plan::SlotInfo info;
  info.offset = plan.frameBytes;
  info.bytes = bytes;
  plan.frameBytes += llvm::alignTo(bytes, slotAlignment);
  plan.slots.push_back(info);
  return plan.slots.size() - 1;
}

Slot Planner::slot(Value value) {
  auto found = slotOf.find(value);
  if (found != slotOf.end())
    return found->second;
  auto storage = storageOfType.find(value.getType());
  assert(storage != storageOfType.end() && "planBlock checks the types first");
  const Slot made = scratch(storage->second.count *
                            sizeOf(storage->second.element) * capacity);
  slotOf[value] = made;
  return made;
}

SmallVector<Slot> Planner::slots(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return slot(value); });
}

Step Planner::assign(ValueRange from, ArrayRef<Slot> to) {
  struct Copy {
    Slot to, from;
    size_t bytes;
  };
  SmallVector<Copy> staged, direct;
  for (auto [value, target] : llvm::zip_equal(from, to)) {
    const Slot source = slot(value);
    const size_t bytes = plan.slots[source].bytes;
    if (source == target || bytes == 0)
      continue;
    // A source that another copy overwrites is saved first.
    if (llvm::is_contained(to, source)) {
      const Slot saved = scratch(bytes);
      staged.push_back({saved, source, bytes});
      direct.push_back({target, saved, bytes});
    } else {
      direct.push_back({target, source, bytes});
    }
  }
  staged.append(direct);
  return [copies = std::move(staged)](Frame &frame) {
    for (const Copy &copy : copies)
      std::memcpy(frame.at<char>(copy.to), frame.at<char>(copy.from),
                  copy.bytes);
    return true;
  };
}

/// Whether `op` would compute with i128, which steps only move: ttng has a
/// response of that type, and control flow carries it.
static bool computesWithI128(Operation &op) {
  auto isI128 = [](Type type) { return type.isInteger(128); };
  return (llvm::any_of(op.getOperandTypes(), isI128) ||
          llvm::any_of(op.getResultTypes(), isI128)) &&
         !llvm::is_contained({"ttng", "scf"},
                             op.getName().getDialectNamespace());
}

/// The step of `op` with a look, for the sanitizer, whether its operands are
/// results of products that are in flight. Products, waits for them and control
/// flow may pass these on, and so may a choice of a whole tensor, which Triton
/// makes of a branch.
static Step watchProducts(Planner &planner, Operation &op, Step step) {
  auto select = dyn_cast<arith::SelectOp>(&op);
  const bool isBranch = select && select.getCondition().getType().isInteger(1);
  if (isa<ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>(&op) || isBranch ||
      op.getNumRegions() || op.getName().getDialectNamespace() == "scf")
    return step;
  SmallVector<Slot> slots;
  for (Value operand : op.getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    auto layout =
        type ? dyn_cast_or_null<ttg::NvidiaMmaEncodingAttr>(type.getEncoding())
             : nullptr;
    if (layout && layout.isHopper())
      slots.push_back(planner.slot(operand));
  }
  if (slots.empty())
    return step;
  return [slots, step = std::move(step), op = &op](Frame &frame) {
    if (frame.watch)
      for (Slot slot : slots)
        if (Operation *product = frame.deferredBy(slot))
          frame.watch->useEarly(op, product);
    return step(frame);
  };
}

/// Of an op that combines elements of one tensor, or that one CTA does for all:
/// its step, with all elements at hand first.
static Step gatherFromCTAs(Planner &planner, Operation &op, Step step) {
  const bool doneOnce = isa<tt::PrintOp, tt::AssertOp>(op);
  if (planner.plan.ctas == 1 ||
      !(doneOnce || isa<ttg::ConvertLayoutOp, tt::ReduceOp, tt::ScanOp,
                        tt::GatherOp, tt::HistogramOp, tt::CatOp, tt::ReshapeOp,
                        tt::DotOp, tt::DotScaledOp>(op)))
    return step;
  struct Operand {
    Slot slot;
    size_t elementBytes;
    Owners owners;
  };
  SmallVector<Operand> operands;
  for (Value operand : op.getOperands()) {
    Owners owners = planner.owners(operand.getType());
    // What stays in its CTA need not be brought.
    const bool stays = isa<ttg::ConvertLayoutOp, tt::ReshapeOp>(op) && owners &&
                       planner.owners(op.getResult(0).getType()) &&
                       *planner.owners(op.getResult(0).getType()) == *owners;
    if (owners && !stays)
      operands.push_back({planner.slot(operand),
                          sizeOf(planner.storage(operand).element), owners});
  }
  return [=, step = std::move(step), op = &op](Frame &frame) {
    for (const Operand &operand : operands)
      if (!frame.exchange(op, operand.slot, operand.elementBytes,
                          operand.owners))
        return false;
    return (doneOnce && frame.cta != 0) || step(frame);
  };
}

/// The step of `op`, seen in the timeline of a program that has one.
static Step traced(Operation *op, Step step) {
  return [op, step = std::move(step)](Frame &frame) {
    Trace *trace = frame.program.trace;
    if (!trace)
      return step(frame);
    const std::string agent = frame.program.scheduler.runningAgent();
    const Trace::Running running = trace->start(op);
    const bool goesOn = step(frame);
    trace->finish(running, op, agent);
    return goesOn;
  };
}

/// What one run of `op` takes, in ops on scalars.
static uint64_t workOf(Operation &op) {
  auto shapeOf = [](Type type) -> ArrayRef<int64_t> {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasStaticShape() ? shaped.getShape()
                                             : ArrayRef<int64_t>();
  };
  auto countOf = [&](Type type) {
    uint64_t count = 1;
    for (int64_t size : shapeOf(type))
      count *= size;
    return count;
  };
  if (auto dot = dyn_cast<tt::DotOpInterface>(op)) {
    const ArrayRef<int64_t> left = shapeOf(dot.getA().getType());
    return 1 + countOf(dot.getB().getType()) *
                   (left.size() < 2 ? 1 : left[left.size() - 2]) / 32;
  }
  uint64_t most = 1;
  for (Type type : op.getOperandTypes())
    most = std::max(most, countOf(type));
  for (Type type : op.getResultTypes())
    most = std::max(most, countOf(type));
  return 1 + most / 4;
}

const Body *Planner::planBlock(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (!storageOf(argument.getType(), block.getParentOp()))
      return nullptr;
  Body &body = plan.bodies.emplace_back();
  for (Operation &op : block.without_terminator()) {
    const Registry::Entry *entry =
        Registry::get().find(op.getName().getStringRef());
    if (!entry || computesWithI128(op)) {
      const StringRef why = whyUnsupported(op.getName().getStringRef());
      op.emitError("the CPU executor does not run '")
          << op.getName() << (why.empty() ? "'" : "': ") << why;
      return nullptr;
    }
    for (Type type : op.getResultTypes())
      if (!storageOf(type, &op))
        return nullptr;
    Step step = entry->plan(*this, &op);
    if (!step)
      return nullptr;
    step = gatherFromCTAs(*this, op, std::move(step));
    step = watchProducts(*this, op, std::move(step));
    // A combine region is a part of its op.
    body.steps.push_back(plan.isTraced && capacity == 1
                             ? traced(&op, std::move(step))
                             : std::move(step));
    body.work += workOf(op);
  }
  return &body;
}

} // namespace kernelscope::executor
