//===- CallerLints.cpp - lints of functions that call others --------------===//

#include "server/analysis/CallerLints.h"

#include "passes/lint/FlatLints.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace kernelscope;

/// The function of a unit, if it has no error; else null.
static mlir::Operation *functionOf(const UnitFacts &facts) {
  return facts.isValid &&
                 llvm::isa_and_nonnull<mlir::FunctionOpInterface>(facts.root)
             ? facts.root
             : nullptr;
}

/// Whether some lint has something to say about the function.
static bool hasWorkForLints(mlir::Operation *function) {
  return function && function
                         ->walk([](mlir::Operation *op) {
                           return isAboutLints(op)
                                      ? mlir::WalkResult::interrupt()
                                      : mlir::WalkResult::advance();
                         })
                         .wasInterrupted();
}

/// The call in `caller` that leads to `function`, if there is just one.
static mlir::Operation *callOf(mlir::Operation *caller,
                               mlir::Operation *function) {
  auto name = mlir::SymbolTable::getSymbolName(function);
  mlir::Operation *found = nullptr;
  unsigned calls = 0;
  caller->walk([&](mlir::CallOpInterface call) {
    auto callee =
        llvm::dyn_cast<mlir::SymbolRefAttr>(call.getCallableForCallee());
    if (!callee || callee.getLeafReference() != name)
      return;
    found = call;
    ++calls;
  });
  return calls == 1 ? found : nullptr;
}

std::optional<FlatFunction> kernelscope::flatten(
    llvm::ArrayRef<std::shared_ptr<const UnitFacts>> functions) {
  mlir::Operation *caller = functionOf(*functions.front());
  if (!caller)
    return std::nullopt;
  llvm::StringMap<mlir::Operation *> callees;
  for (const auto &facts : functions.drop_front())
    if (mlir::Operation *function = functionOf(*facts))
      callees.try_emplace(mlir::SymbolTable::getSymbolName(function), function);
  return FlatFunction(
      caller, [&](llvm::StringRef name) { return callees.lookup(name); });
}

/// `units`: the caller's, and those of all that it reaches.
static CallerLints lintCaller(llvm::ArrayRef<const Unit *> units) {
  CallerLints lints;
  for (const Unit *unit : units)
    lints.functions.push_back(unit->facts);
  if (llvm::none_of(lints.functions, [](const auto &facts) {
        return hasWorkForLints(functionOf(*facts));
      }))
    return lints;
  std::optional<FlatFunction> flat = flatten(lints.functions);
  if (!flat)
    return lints;
  lintFlat(*flat, [&](LintFinding finding) {
    mlir::Operation *caller = lints.functions.front()->root;
    auto function = finding.op->getParentOfType<mlir::FunctionOpInterface>();
    mlir::Operation *call =
        function && function != caller ? callOf(caller, function) : nullptr;
    lints.findings.push_back({std::move(finding), call});
  });
  return lints;
}

/// What an editor shows of `lints`, whose functions are those of `units`.
static void describeLints(const CallerLints &lints,
                          llvm::ArrayRef<const Unit *> units,
                          const Syntax &syntax,
                          std::vector<Diagnostic> &diagnostics) {
  auto unitOf = [&](mlir::Operation *op) {
    return *llvm::find_if(units, [&](const Unit *unit) {
      return unit->facts->root && unit->facts->root->isAncestor(op);
    });
  };
  auto placeOf = [&](mlir::Operation *op) {
    const Unit *unit = unitOf(op);
    for (; op; op = op->getParentOp())
      if (const auto *definition = unit->fragment->state.getOpDef(op))
        return unit->toDocument(definition->loc);
    return Span{0, 0};
  };
  std::map<const Unit *, Origins> origins;
  for (const auto &[finding, call] : lints.findings) {
    const Unit *unit = unitOf(finding.op);
    auto &ofUnit =
        origins.try_emplace(unit, *unit->fragment, syntax).first->second;
    diagnostics.push_back(describeFinding(
        finding, placeOf, {*unit->fragment, unit}, syntax, ofUnit));
    if (call)
      diagnostics.back().related.push_back(
          {placeOf(call), std::nullopt, "called from here"});
  }
}

std::vector<CallerLints>
kernelscope::lintCallers(const std::vector<Unit> &units, const NamedOps &named,
                         const std::vector<CallerLints> &known,
                         const Syntax &syntax,
                         const std::function<void(size_t)> &progress,
                         std::vector<Diagnostic> &diagnostics) {
  std::vector<CallerLints> result;
  llvm::DenseMap<SyntaxId, const Unit *> unitOf;
  if (!named.empty())
    for (const Unit &unit : units)
      if (unit.statement != noSyntax)
        unitOf[unit.statement] = &unit;
  for (auto [caller, unit] : unitOf) {
    if (!named.contains(caller))
      continue;
    llvm::SetVector<SyntaxId> reached;
    reached.insert(caller);
    std::vector<const Unit *> reachedUnits;
    for (size_t i = 0; i < reached.size(); ++i) {
      if (const Unit *other = unitOf.lookup(reached[i]))
        reachedUnits.push_back(other);
      if (auto others = named.find(reached[i]); others != named.end())
        reached.insert(others->second.begin(), others->second.end());
    }
    auto holds = llvm::find_if(known, [&](const CallerLints &lints) {
      return llvm::equal(lints.functions, reachedUnits,
                         [](const auto &facts, const Unit *other) {
                           return facts == other->facts;
                         });
    });
    if (progress)
      progress(unit->span.begin);
    result.push_back(holds != known.end() ? *holds : lintCaller(reachedUnits));
    describeLints(result.back(), reachedUnits, syntax, diagnostics);
  }
  return result;
}
