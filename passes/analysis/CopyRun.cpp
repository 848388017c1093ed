//===- CopyRun.cpp - copies into rings, one iteration after another -------===//

#include "passes/analysis/CopyRun.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/BarrierProgram.h"
#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>

using namespace mlir;
using namespace kernelscope;
using ttg::Completion;

namespace {

/// A buffer: an allocation and, in a ring, the place.
struct Place {
  Value allocation;
  Scalar number;

  bool operator==(const Place &other) const {
    return allocation == other.allocation && number == other.number;
  }
};

/// A copy that is in flight, in a group of its own if nothing closes groups.
struct PendingCopy {
  Operation *op;
  std::optional<Place> place;
  Completion completion;
  /// Its group, or its number among the data mover's copies.
  int64_t number;
  Operation *wait = nullptr;
};

class CopyRun {
public:
  CopyRun(bool countsGroups, AsyncEvents &events)
      : countsGroups(countsGroups), events(events) {}

  std::optional<EarlyLoad> found;
  void run(Block &block);

private:
  Scalar scalar(Value value, unsigned depth = 0);
  std::optional<Place> place(Value memory);
  void runFor(scf::ForOp loop);
  void runBranch(scf::IfOp branch);
  void visit(const AsyncEvent &event);
  void wait(const AsyncEvent &event);
  bool isTracked(Completion completion) const {
    return completion == Completion::TensorCounter ||
           (countsGroups && completion == Completion::CommitGroup);
  }
  /// How many groups, or copies, there were.
  int64_t &counterOf(Completion completion) {
    return completion == Completion::TensorCounter ? tensorCopies : groups;
  }
  bool isOver() const { return found || failed || budget <= 0; }

  bool countsGroups, failed = false;
  AsyncEvents &events;
  int64_t groups = 0, tensorCopies = 0;
  int budget = 1500;
  std::deque<PendingCopy> copies;
  /// What loops carry, and their counters.
  DenseMap<Value, Scalar> numbers;
  DenseMap<Value, std::optional<Place>> places;
  DenseMap<Operation *, ScalarOp> scalarOps;
};

} // namespace

Scalar CopyRun::scalar(Value value, unsigned depth) {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  if (Scalar known = plausibleNumber(value))
    return numbers[value] = known;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 12)
    return std::nullopt;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Scalar condition = scalar(branch.getCondition(), depth + 1);
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (!condition || branch.getElseRegion().empty())
      return std::nullopt;
    scf::YieldOp yield = *condition ? branch.thenYield() : branch.elseYield();
    return scalar(yield.getOperand(number), depth + 1);
  }
  auto known = scalarOps.find(op);
  if (known == scalarOps.end()) {
    if (!isScalarOp(op))
      return std::nullopt;
    known = scalarOps.try_emplace(op, ScalarOp(op)).first;
  }
  ScalarOp compute = known->second;
  SmallVector<Scalar, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scalar(operand, depth + 1));
  return compute.compute(operands);
}

/// Nothing for a part of a buffer, or one that is not known.
std::optional<Place> CopyRun::place(Value memory) {
  Scalar number;
  for (unsigned steps = 0; steps < 100; ++steps) {
    if (auto known = places.find(memory); known != places.end())
      return number ? std::nullopt : known->second;
    Operation *op = memory.getDefiningOp();
    if (!op)
      return Place{memory, number};
    if (isa<ttg::AllocOpInterface>(op)) {
      // In a loop it is another one each time.
      if (op->getParentOfType<LoopLikeOpInterface>())
        return std::nullopt;
      return Place{memory, number};
    }
    if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
      if (number)
        return std::nullopt;
      number = scalar(index.getIndex());
      if (!number)
        return std::nullopt;
    } else if (!isa<ttg::MemDescTransOp, ttg::MemDescReshapeOp>(op)) {
      return std::nullopt;
    }
    memory = op->getOperand(0);
  }
  return std::nullopt;
}

void CopyRun::runFor(scf::ForOp loop) {
  // So many show what comes around in the longest pipelines.
  constexpr int64_t some = 6;
  Scalar from = scalar(loop.getLowerBound()), to = scalar(loop.getUpperBound()),
         by = scalar(loop.getStep());
  int64_t trips = some;
  bool isCutShort = false;
  if (from && to && by && *by > 0) {
    trips = *to <= *from ? 0 : (*to - *from - 1) / *by + 1;
    isCutShort = trips > some;
    trips = std::min(trips, some);
  }
  auto give = [&](ValueRange targets, ValueRange sources) {
    SmallVector<Scalar> newNumbers;
    SmallVector<std::optional<Place>> newPlaces;
    for (Value source : sources) {
      bool isMemory = isa<ttg::MemDescType>(source.getType());
      bool isNumber = source.getType().isIntOrIndex();
      newNumbers.push_back(isNumber ? scalar(source) : std::nullopt);
      newPlaces.push_back(isMemory ? place(source) : std::nullopt);
    }
    for (auto [i, target] : llvm::enumerate(targets)) {
      if (isa<ttg::MemDescType>(target.getType()))
        places[target] = newPlaces[i];
      else
        numbers[target] = newNumbers[i];
    }
  };
  if (trips == 0)
    return give(loop.getResults(), loop.getInitArgs());
  give(loop.getRegionIterArgs(), loop.getInitArgs());
  numbers[loop.getInductionVar()] = by ? from : std::nullopt;
  Operation *end = loop.getBody()->getTerminator();
  for (; trips > 0 && !isOver(); --trips, --budget) {
    run(*loop.getBody());
    if (isOver())
      return;
    if (trips == 1) {
      // What its last iterations do not copy is not known.
      if (isCutShort)
        copies.clear();
      return give(loop.getResults(), end->getOperands());
    }
    give(loop.getRegionIterArgs(), end->getOperands());
    if (Scalar &counter = numbers[loop.getInductionVar()])
      *counter += *by;
  }
}

void CopyRun::runBranch(scf::IfOp branch) {
  Scalar condition = scalar(branch.getCondition());
  if (condition) {
    if (*condition)
      run(branch.getThenRegion().front());
    else if (!branch.getElseRegion().empty())
      run(branch.getElseRegion().front());
    return;
  }
  for (Region &region : branch->getRegions())
    if (!region.empty())
      failed |=
          llvm::any_of(events.of(region.front()), [](const AsyncEvent &event) {
            return event.op->getNumRegions() != 0 || event.isCall ||
                   event.commits || event.awaited || event.countsAsTensorCopy ||
                   !event.destinations.empty();
          });
}

void CopyRun::wait(const AsyncEvent &event) {
  if (!isTracked(*event.awaited))
    return;
  int64_t left = event.pending.value_or(0);
  llvm::erase_if(copies, [&](PendingCopy &copy) {
    if (copy.completion != event.awaited)
      return false;
    copy.wait = event.op;
    return copy.number + left < counterOf(*event.awaited);
  });
}

void CopyRun::visit(const AsyncEvent &event) {
  if (event.isCall)
    return copies.clear();
  failed |= event.tellsBarrier;
  for (Value read : event.reads) {
    std::optional<Place> from = place(read);
    auto copy = llvm::find_if(copies, [&](const PendingCopy &pending) {
      return from && pending.place && *pending.place == *from;
    });
    if (copy == copies.end() || !copy->wait)
      continue;
    // Those of the open group have the number of the next one.
    int64_t newer = counterOf(copy->completion) - 1 - copy->number;
    if (newer < 0)
      continue;
    found = EarlyLoad{event.op, copy->op, copy->wait, newer, /*isClosed=*/true};
    return;
  }
  groups += event.commits;
  if (event.awaited) {
    auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(event.op);
    if (wait && wait.countsInstructions())
      failed = true;
    this->wait(event);
  }
  for (Value destination : event.destinations) {
    auto mode = cast<ttg::MemoryAccessOpInterface>(event.op).getAccessMode();
    if (isTracked(mode.completion))
      copies.push_back({event.op, place(destination), mode.completion,
                        counterOf(mode.completion)});
  }
  tensorCopies += event.countsAsTensorCopy;
}

void CopyRun::run(Block &block) {
  for (const AsyncEvent &event : events.of(block)) {
    if (isOver())
      return;
    --budget;
    if (event.op->getNumRegions() == 0)
      visit(event);
    else if (auto loop = dyn_cast<scf::ForOp>(event.op))
      runFor(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(event.op))
      runBranch(branch);
    else
      failed |= isa<scf::WhileOp, ttg::WarpSpecializeOp>(event.op);
  }
}

std::optional<EarlyLoad> kernelscope::runCopies(Operation *root,
                                                AsyncEvents &events) {
  auto function = dyn_cast<FunctionOpInterface>(root);
  std::optional<Target> target = ttg::lookupTarget(root);
  if (!function || !onlyBlockOf(function.getFunctionBody()) || !target ||
      (target->isAmd() && !target->hasScatteredAsyncCopies))
    return std::nullopt;
  // Only waits that leave something have a count.
  if (!events.leaveSome())
    return std::nullopt;
  CopyRun run(target->isNvidia(), events);
  run.run(function.getFunctionBody().front());
  return run.found;
}
