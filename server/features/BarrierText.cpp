//===- BarrierText.cpp - what happens to a barrier ------------------------===//

#include "server/features/BarrierText.h"

#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"
#include "passes/analysis/Barriers.h"
#include "server/analysis/CallerLints.h"
#include "server/analysis/Verifier.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;
using llvm::formatv;

/// Which CTAs have a barrier of this layout.
static std::string describeOwners(ttg::MemDescType type) {
  auto layout = llvm::dyn_cast<ttg::LayoutEncodingTrait>(type.getEncoding());
  if (!layout)
    return "";
  ttg::CGAEncodingAttr cluster = layout.getCGALayout();
  int64_t ctas = cluster.getNumCTAs();
  if (ctas == 1)
    return "in one CTA";
  int64_t own = ttg::numPieces(cluster);
  if (own == ctas)
    return formatv("one in each of {0} CTAs", ctas);
  return formatv("{1} in {0} CTAs, one for every {2}", ctas, own, ctas / own);
}

/// What an op does to a barrier; empty for what no one waits for.
static std::string describeAction(const ttg::BarrierAction &action) {
  using Action = ttg::BarrierAction;
  auto arrivals = [&]() -> std::string {
    if (!action.count)
      return "arrives";
    return formatv("{0} arrival{1}", *action.count,
                   *action.count == 1 ? "" : "s");
  };
  switch (action.kind) {
  case Action::Init:
    return arrivals() +
           (action.count == 1 ? " completes a phase" : " complete a phase");
  case Action::Expect:
    return formatv("{0}, and expects {1} bytes", arrivals(),
                   formatv("{0:N0}", *action.bytes).str());
  case Action::Arrive:
    return arrivals();
  case Action::ArriveWhenDone:
    if (!action.count)
      return "each thread arrives when its copies are done";
    return arrivals() + (action.isMulticast
                             ? " when the tensor cores of the CTAs that share "
                               "an operand are done"
                             : " when the tensor core is done");
  case Action::Complete:
    return "completes its bytes here";
  case Action::Wait:
    return "waits for a phase to complete";
  case Action::Invalidate:
    return "";
  }
  return "";
}

/// The constant place in a ring that `barrier` is at, if it has one.
static std::optional<int64_t> placeOf(mlir::Value barrier) {
  auto index = barrier.getDefiningOp<ttg::MemDescIndexOp>();
  return index ? tt::constantOf(index.getIndex()) : std::nullopt;
}

/// Adds what is done to `memory` in the function of `barriers`.
static void addUses(mlir::Value memory, const Barriers &barriers,
                    std::vector<BarrierUse> &uses) {
  std::optional<int64_t> place = placeOf(memory);
  for (const BarrierRing &ring : barriers.rings()) {
    if (!ring.views.contains(memory))
      continue;
    for (const BarrierUse &use : ring.uses) {
      std::optional<int64_t> other = placeOf(use.barrier());
      if (!place || !other || *place == *other)
        uses.push_back(use);
    }
  }
}

/// What `memory` is in a caller of its function, at each call.
static llvm::SetVector<mlir::Value> copiesOf(mlir::Value memory,
                                             const FlatFunction &flat) {
  llvm::SetVector<mlir::Value> copies;
  flat.function()->walk([&](mlir::Operation *op) {
    mlir::Operation *original = flat.originalOf(op);
    if (!original)
      return;
    for (auto [own, other] :
         llvm::zip(original->getOperands(), op->getOperands()))
      if (own == memory)
        copies.insert(other);
    for (auto [own, other] :
         llvm::zip(original->getResults(), op->getResults()))
      if (own == memory)
        copies.insert(other);
  });
  return copies;
}

/// Adds what is done to `memory` in what `flat` is a copy of, unless `seen`.
static void addUses(mlir::Value memory, const FlatFunction &flat,
                    llvm::SmallPtrSetImpl<mlir::Operation *> &seen,
                    std::vector<BarrierUse> &uses) {
  Barriers barriers(flat.function());
  std::vector<BarrierUse> found;
  for (mlir::Value copy : copiesOf(memory, flat))
    addUses(copy, barriers, found);
  for (BarrierUse &use : found) {
    use.op = flat.originalOf(use.op);
    if (use.op && seen.insert(use.op).second)
      uses.push_back(std::move(use));
  }
}

/// Adds what is done to `memory` in `function`, and in those who call it with
/// what they call.
static void addUses(mlir::Value memory, mlir::Operation *function,
                    const Document &document, const Unit &unit,
                    std::vector<BarrierUse> &uses) {
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  for (const CallerLints &caller : document.callers())
    if (llvm::is_contained(caller.functions, unit.facts))
      if (std::optional<FlatFunction> flat = flatten(caller.functions))
        addUses(memory, *flat, seen, uses);
  if (!uses.empty())
    return;
  if (FlatFunction::hasBranches(function))
    addUses(memory, FlatFunction(function), seen, uses);
  else
    addUses(memory, Barriers(function), uses);
}

/// What ops do to the barrier, in the order of the text.
static std::vector<BarrierUse>
usesOf(mlir::Value memory, const Document &document, const Unit &unit) {
  std::vector<BarrierUse> uses;
  auto function =
      memory.getParentRegion()->getParentOfType<mlir::FunctionOpInterface>();
  if (unit.facts->isValid && function)
    addUses(memory, function, document, unit, uses);
  if (!uses.empty())
    return uses;
  // Of a barrier that is passed on, what is seen from here.
  llvm::SetVector<mlir::Operation *> parties;
  mlir::Value buffer = ttg::lookThroughViews(memory);
  visitUsers(buffer, [&](mlir::Operation *op) { parties.insert(op); });
  for (mlir::Operation *op : llvm::reverse(parties)) {
    if (!llvm::isa<ttg::MBarrierOpInterface>(op) || !verifies(op))
      continue;
    for (ttg::BarrierAction &action : ttg::barrierActionsOf(op))
      if (ttg::lookThroughViews(action.barrier) == buffer) {
        uses.push_back({op, std::move(action)});
        break;
      }
  }
  return uses;
}

std::string kernelscope::describeBarrier(mlir::Value memory,
                                         const LineOf &lineOf,
                                         const Document &document,
                                         const Unit &unit) {
  constexpr size_t most = 12;
  auto type = llvm::dyn_cast<ttg::MemDescType>(memory.getType());
  if (!type || !type.getElementType().isInteger(64))
    return "";
  std::vector<std::string> lines;
  for (const BarrierUse &use : usesOf(memory, document, unit)) {
    std::string part = describeAction(use.action);
    if (!part.empty())
      lines.push_back(listed(use.op->getName().getStringRef(), lineOf(use.op)) +
                      part + "\n");
  }
  if (lines.empty())
    return "";
  std::string text = "\nbarrier:\n- " + describeOwners(type) + "\n";
  for (size_t i = 0; i < lines.size() && i < most; ++i)
    text += lines[i];
  return lines.size() > most
             ? text + formatv("- and {0} more\n", lines.size() - most).str()
             : text;
}
