//===- BarrierArrivals.cpp - arrivals needed, arrivals that come ----------===//
//
// A phase ends after the number of arrivals that `ttng.init_barrier` says. One
// op that arrives more often than that breaks the barrier; with fewer between
// two waits the second never ends, with more it asks for a phase too early.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MissingBarrierOps.h"

#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// Whether two views of a ring are for certain of different barriers.
static bool areApart(Value a, Value b) {
  auto indexA = a.getDefiningOp<ttg::MemDescIndexOp>();
  auto indexB = b.getDefiningOp<ttg::MemDescIndexOp>();
  if (!indexA || !indexB)
    return false;
  auto placeA = tt::constantOf(indexA.getIndex()),
       placeB = tt::constantOf(indexB.getIndex());
  return placeA && placeB && placeA != placeB;
}

/// What initialises other barriers of the ring that `op` uses; or null.
static Operation *initBeside(Operation *op, const Barriers &barriers) {
  for (const BarrierRing &ring : barriers.rings())
    if (llvm::any_of(ring.uses,
                     [&](const BarrierUse &use) { return use.op == op; }))
      return ring.usesOf(BarrierAction::Init).front().op;
  return nullptr;
}

static std::string times(int64_t count) {
  return std::to_string(count) + (count == 1 ? " arrival" : " arrivals");
}

/// An op that alone arrives more often than the phase of a barrier of the ring
/// takes, for each barrier; whether there is one.
static bool checkEach(const BarrierRing &ring, EmitLint emit) {
  bool isFound = false;
  for (const BarrierUse &init : ring.usesOf(BarrierAction::Init)) {
    int64_t needed = init.action.count.value_or(INT64_MAX);
    for (const BarrierUse &use : ring.uses) {
      int64_t count = use.action.arrivals().value_or(0);
      if (count <= needed || areApart(use.barrier(), init.barrier()))
        continue;
      emit({init.op, "barrier-arrivals",
            "initialises a barrier for " + times(needed) + " per phase, but " +
                quote(use.op) + " alone makes " + std::to_string(count),
            use.op, times(count) + " here", LintLevel::Warning,
            NumberFix{init.op, needed, count}});
      isFound = true;
      break;
    }
  }
  return isFound;
}

/// The ops that initialise the barriers of a ring with the count of `fault`,
/// and that take turns with its barrier.
static SmallVector<Operation *> initsLike(const BarrierFault &fault,
                                          const Barriers &barriers) {
  SmallVector<Operation *> inits = {fault.init};
  for (const BarrierRing &ring : barriers.rings()) {
    const BarrierUse *last = llvm::find_if(
        ring.uses, [&](const BarrierUse &use) { return use.op == fault.last; });
    if (last == ring.uses.end())
      continue;
    for (const BarrierUse &init : ring.usesOf(BarrierAction::Init))
      if (init.op != fault.init && init.action.count == fault.needed &&
          !areApart(last->barrier(), init.barrier()))
        inits.push_back(init.op);
  }
  return inits;
}

/// A wait at a barrier at which nothing arrives.
static void checkNone(const BarrierFault &fault, const Barriers &barriers,
                      EmitLint emit) {
  bool arrivesElsewhere = false;
  for (const BarrierRing &ring : barriers.rings()) {
    if (llvm::none_of(ring.uses, [&](const BarrierUse &use) {
          return use.op == fault.wait;
        }))
      continue;
    // Copies without an expect are the subject of another rule.
    if (ring.usesOf(BarrierAction::Expect).empty() &&
        !ring.usesOf(BarrierAction::Complete).empty())
      return;
    arrivesElsewhere |= llvm::any_of(
        ring.uses, [](const BarrierUse &use) { return use.action.arrives(); });
  }
  std::string message = "waits for phase " + std::to_string(fault.phase) +
                        " of a barrier at which nothing arrives" +
                        (arrivesElsewhere ? " in a loop" : "") +
                        ": it never ends";
  if (fault.isRepeated)
    message +=
        ", unlike the first wait, for phase " + std::to_string(1 - fault.phase);
  emit({fault.wait, "barrier-arrivals", message, fault.init,
        "the barrier is initialised here"});
}

void kernelscope::lintBarrierArrivals(LintInput &input, EmitLint emit) {
  bool isFound = false;
  for (const BarrierRing &ring : input.barriers().rings())
    isFound |= checkEach(ring, emit);
  auto emitBare = [&](Operation *use, StringRef message, Operation *beside) {
    LintFinding finding = {
        use, "barrier-arrivals",
        ("uses a barrier that nothing " + message +
         "; a 'ttng.init_barrier' must come first")
            .str(),
        beside,
        beside ? "a barrier of the same allocation is initialised here" : ""};
    if (auto init = findMissingInit(input, use, beside))
      finding.fix = *init;
    emit(std::move(finding));
  };
  // A function that initialises none of them is taken for a part of a program.
  for (Operation *use : input.barriers().bareUses())
    if (!input.barriers().rings().empty())
      emitBare(use, "initialises", nullptr);
  if (Operation *use = input.barrierRun().uninitialised)
    return emitBare(use, "has initialised", initBeside(use, input.barriers()));
  const std::optional<BarrierFault> &fault = input.endlessWait();
  if (isFound || !fault)
    return;
  if (fault->reason == BarrierFault::NeverArrivedAt)
    return checkNone(*fault, input.barriers(), emit);
  bool isFewer = fault->reason == BarrierFault::TooFewArrivals;
  if (!isFewer && fault->reason != BarrierFault::TooManyArrivals)
    return;
  const std::string message =
      "initialises a barrier for " + times(fault->needed) +
      " per phase, but there " + (fault->arrived == 1 ? "is " : "are ") +
      std::to_string(fault->arrived) +
      (isFewer ? " between two waits: the wait never ends"
               : " between two waits: the phase completes before "
                 "all have arrived");
  for (Operation *init : initsLike(*fault, input.barriers()))
    emit({init, "barrier-arrivals", message, fault->last,
          "the last of them is here", LintLevel::Warning,
          NumberFix{init, fault->needed, fault->arrived}});
}
