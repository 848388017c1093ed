//===- TensorCoreWaits.cpp - When the tensor core is done -----------------===//
//
// Work of the tensor core ends in the order in which it is issued, so waits are
// matched to it by counting: what arrives on a ring of barriers as the third
// that nothing has waited for is done after three waits.
//
//===----------------------------------------------------------------------===//

#include "passes/memory/TensorCoreWaits.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::BarrierAction;

static bool isTensorCore(const ttg::AccessMode &mode) {
  return mode.proxy == ttg::Proxy::TensorCore &&
         mode.completion != ttg::Completion::WgmmaGroup;
}

bool TensorCoreWaits::isIssuedBy(Operation *op) {
  return llvm::any_of(ttg::accessesOf(op), [](const ttg::MemoryAccess &access) {
    return isTensorCore(access.mode) &&
           access.space == ttg::MemorySpace::Tensor;
  });
}

bool TensorCoreWaits::isSynchronous(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>([](auto product) {
        return !product.getIsAsync() && product.getBarriers().empty();
      })
      .Default(false);
}

TensorCoreWaits::TensorCoreWaits(FunctionOpInterface function,
                                 function_ref<Value(Value)> ringOf)
    : function(function) {
  auto isCertain = [](const BarrierAction &action) {
    return llvm::all_of(action.predicates, [](Value predicate) {
      return matchPattern(predicate, m_One());
    });
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasCommits |= isa<ttng::TCGen5CommitOp>(op);
    // It covers copies that threads do.
    if (isa<ttng::AsyncCopyMbarrierArriveOp>(op))
      return;
    for (const BarrierAction &action : ttg::barrierActionsOf(op)) {
      Event event{op, ringOf(action.barrier)};
      event.arrivals = action.kind == BarrierAction::ArriveWhenDone;
      event.waits = action.kind == BarrierAction::Wait && isCertain(action);
      if (event.arrivals || event.waits)
        add(op, event);
    }
  });
}

/// Adds an event of `op` to its block, and to the blocks around that.
void TensorCoreWaits::add(Operation *op, const Event &event) {
  events[op->getBlock()].push_back(event);
  for (Operation *around = op->getParentOp(); around != function;
       around = around->getParentOp()) {
    auto &all = events[around->getBlock()];
    auto known = llvm::find_if(all, [&](const Event &other) {
      return other.op == around && other.ring == event.ring;
    });
    if (known == all.end())
      known = all.insert(all.end(), {around, event.ring, /*isNested=*/true});
    known->arrivals += event.arrivals;
    known->waits += event.waits;
  }
}

ArrayRef<TensorCoreWaits::Event> TensorCoreWaits::eventsOf(Block *block) const {
  auto found = events.find(block);
  return found == events.end() ? ArrayRef<Event>() : found->second;
}

ArrayRef<TensorCoreWaits::Event>
TensorCoreWaits::eventsAfter(Operation *op) const {
  return eventsOf(op->getBlock()).drop_until([&](const Event &event) {
    return op->isBeforeInBlock(event.op);
  });
}

/// How many arrivals on `ring` nothing has waited for before `place`; nothing
/// if loops make that any number.
std::optional<unsigned> TensorCoreWaits::pendingBefore(Operation *place,
                                                       Value ring) const {
  Operation *around = place->getParentOp();
  unsigned pending = 0;
  if (around != function) {
    std::optional<unsigned> before = pendingBefore(around, ring);
    if (!before)
      return std::nullopt;
    pending = *before;
  }
  auto grows = [](const Event &event) {
    return isa<LoopLikeOpInterface>(event.op) && event.arrivals > event.waits;
  };
  if (around != function)
    for (const Event &event : eventsOf(around->getBlock()))
      if (event.op == around && event.ring == ring && grows(event))
        return std::nullopt;
  for (const Event &event : eventsOf(place->getBlock())) {
    if (!event.op->isBeforeInBlock(place))
      break;
    if (event.ring != ring)
      continue;
    if (event.isNested && grows(event))
      return std::nullopt;
    // Waits in a region may not be reached.
    if (event.isNested)
      pending += event.arrivals - std::min(event.arrivals, event.waits);
    else
      pending += event.arrivals - std::min(event.waits, pending);
  }
  return pending;
}

/// The op that arrives on barriers when the work of `op` is done: itself, or a
/// later one in its block or around that. Null if there is none.
Operation *TensorCoreWaits::findArrival(Operation *op) const {
  for (const Event &event : eventsOf(op->getBlock()))
    if (event.op == op && event.arrivals)
      return op;
  for (; op != function; op = op->getParentOp())
    for (const Event &event : eventsAfter(op))
      if (event.arrivals && !event.isNested)
        return event.op;
  return nullptr;
}

/// The wait on `ring` after `loop` for what the loop has issued last;
/// null if there is none. One in the loop may be for the iteration before.
Operation *TensorCoreWaits::findLastWait(Operation *loop, Value ring) const {
  for (; loop != function; loop = loop->getParentOp())
    for (const Event &event : eventsAfter(loop)) {
      if (event.ring != ring)
        continue;
      return event.isNested || event.arrivals ? nullptr : event.op;
    }
  return nullptr;
}

std::optional<SmallVector<Operation *, 2>>
TensorCoreWaits::findEnd(Operation *op, Operation *owner) const {
  if (!hasCommits && isSynchronous(op))
    return SmallVector<Operation *, 2>{op};
  Operation *arrival = findArrival(op);
  if (!arrival)
    return std::nullopt;
  // Of each ring that `arrival` signals, the waits that are still to come.
  DenseMap<Value, unsigned> missing;
  for (const Event &event : eventsOf(arrival->getBlock()))
    if (event.op == arrival && event.arrivals)
      if (std::optional<unsigned> before = pendingBefore(arrival, event.ring))
        missing[event.ring] = *before + 1;
  for (Operation *at = arrival; at != function; at = at->getParentOp())
    for (const Event &event : eventsAfter(at)) {
      auto waiting = missing.find(event.ring);
      if (waiting == missing.end() || event.isNested)
        continue;
      waiting->second -= std::min(waiting->second, event.waits);
      if (!waiting->second)
        return endAt(event, op, owner);
    }
  return std::nullopt;
}

/// What `findEnd` returns for work whose first wait is `wait`.
SmallVector<Operation *, 2> TensorCoreWaits::endAt(const Event &wait,
                                                   Operation *op,
                                                   Operation *owner) const {
  SmallVector<Operation *, 2> end = {wait.op};
  Operation *repeated = nullptr;
  for (Operation *around = op->getParentOp(); around != function;
       around = around->getParentOp()) {
    if (!isa<LoopLikeOpInterface>(around))
      continue;
    if (!around->isAncestor(owner))
      repeated = around;
    else if (!around->isAncestor(wait.op))
      end.push_back(around);
  }
  if (repeated && repeated->isAncestor(wait.op))
    if (Operation *last = findLastWait(repeated, wait.ring))
      end.push_back(last);
  return end;
}
