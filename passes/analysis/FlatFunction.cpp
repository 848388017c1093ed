//===- FlatFunction.cpp - a function with what it calls -------------------===//

#include "passes/analysis/FlatFunction.h"

#include "passes/analysis/Barriers.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace kernelscope;

/// Calls are replaced until so many ops have been copied for them.
static constexpr size_t mostCopied = 5000;

using Origins = DenseMap<Operation *, Operation *>;

namespace {
/// Fails where upstream's would write code that never runs.
class BranchLifting : public ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &,
                                                     Region &) override {
    return failure();
  }
};
} // namespace

static bool hasBranches(Region &region) {
  return !region.hasOneBlock() && !region.empty() && !onlyBlockOf(region);
}

bool FlatFunction::hasBranches(Operation *function) {
  return function
      ->walk([](Operation *op) {
        return llvm::any_of(op->getRegions(), ::hasBranches)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Clones have the same ops in the same order.
static void pair(Operation *original, Operation *copied, Origins &origins) {
  origins[copied] = original;
  for (auto [from, to] :
       llvm::zip(original->getRegions(), copied->getRegions()))
    for (auto [fromBlock, toBlock] : llvm::zip(from, to))
      for (auto [fromOp, toOp] : llvm::zip(fromBlock, toBlock))
        pair(&fromOp, &toOp, origins);
}

/// Replaces branches between the blocks of `region` by ops; false if there are
/// none for them. Then it is not valid any more. The ops that this removes are
/// removed from `origins`.
static bool liftBranches(Region &region, Origins &origins) {
  constexpr size_t mostBlocks = 100;
  if (region.getBlocks().size() > mostBlocks)
    return false;
  DominanceInfo dominance;
  for (Block &block : region) {
    if (dominance.isReachableFromEntry(&block))
      origins.erase(block.getTerminator());
    else
      block.walk([&](Operation *op) { origins.erase(op); });
  }
  IRRewriter rewriter(region.getContext());
  (void)eraseUnreachableBlocks(rewriter, region);
  ScopedDiagnosticHandler silence(region.getContext(),
                                  [](Diagnostic &) { return success(); });
  BranchLifting lifting;
  return succeeded(transformCFGToSCF(region, lifting, dominance)) &&
         onlyBlockOf(region);
}

/// A copy of `function`, in which branches are replaced where that is possible.
Operation *FlatFunction::add(Operation *function) {
  Operation *copied = function->clone();
  Origins added;
  pair(function, copied, added);
  SmallVector<Region *> regions;
  copied->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (::hasBranches(region))
        regions.push_back(&region);
  });
  if (!llvm::all_of(regions, [&](Region *region) {
        return liftBranches(*region, added);
      })) {
    copied->erase();
    copied = function->clone();
    added.clear();
    pair(function, copied, added);
  }
  for (auto [copy, original] : added)
    ++copies[original];
  origins.insert(added.begin(), added.end());
  return copied;
}

FlatFunction::FlatFunction(Operation *function, Resolve resolve) {
  module = ModuleOp::create(function->getLoc());
  if (auto own = function->getParentOfType<ModuleOp>())
    (*module)->setAttrs(own->getAttrDictionary());
  copy = add(function);
  module->getBody()->push_back(copy);
  SmallVector<Operation *> callers = {function};
  inlineCalls(copy, resolve, callers);
}

FlatFunction FlatFunction::withCallees(Operation *function) {
  return FlatFunction(function, [&](StringRef name) {
    return SymbolTable::lookupNearestSymbolFrom(
        function, StringAttr::get(function->getContext(), name));
  });
}

/// The only block of a copy of the function that `call` names; null for one
/// that cannot stand in its place.
static Block *bodyOf(Operation *function, CallOpInterface call) {
  Block *body =
      onlyBlockOf(cast<FunctionOpInterface>(function).getFunctionBody());
  bool fits =
      body && body->getArgumentTypes() == call.getArgOperands().getTypes() &&
      body->getTerminator()->getOperandTypes() == call->getResultTypes();
  return fits ? body : nullptr;
}

void FlatFunction::inlineCalls(Operation *root, Resolve resolve,
                               SmallVectorImpl<Operation *> &callers) {
  SmallVector<CallOpInterface> calls;
  root->walk([&](CallOpInterface call) { calls.push_back(call); });
  for (CallOpInterface call : calls) {
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        name ? resolve(name.getLeafReference().getValue()) : nullptr);
    if (!callee || callee.isExternal() || llvm::is_contained(callers, callee) ||
        numCopied > mostCopied)
      continue;
    const size_t before = origins.size();
    Operation *copied = add(callee);
    numCopied += origins.size() - before;
    llvm::scope_exit forget([&] {
      copied->walk([&](Operation *op) {
        --copies[origins.lookup(op)];
        origins.erase(op);
      });
      copied->erase();
    });
    Block *body = bodyOf(copied, call);
    if (!body)
      continue;
    for (auto [argument, operand] :
         llvm::zip(body->getArguments(), call.getArgOperands()))
      argument.replaceAllUsesWith(operand);
    for (auto [result, value] :
         llvm::zip(call->getResults(), body->getTerminator()->getOperands()))
      result.replaceAllUsesWith(value);
    SmallVector<Operation *> added = llvm::map_to_vector(
        body->without_terminator(), [](Operation &op) { return &op; });
    for (Operation *op : added)
      op->moveBefore(call);
    origins.erase(call);
    call->erase();
    callers.push_back(callee);
    for (Operation *op : added)
      inlineCalls(op, resolve, callers);
    callers.pop_back();
  }
}

Value FlatFunction::originalOf(Value value) const {
  if (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = originalOf(result.getOwner());
    return op ? op->getResult(result.getResultNumber()) : Value();
  }
  auto argument = cast<BlockArgument>(value);
  Region *region = argument.getOwner()->getParent();
  Operation *op = originalOf(region->getParentOp());
  if (!op || !argument.getOwner()->isEntryBlock())
    return {};
  return op->getRegion(region->getRegionNumber())
      .getArgument(argument.getArgNumber());
}

OpOperand *FlatFunction::originalOf(OpOperand &operand) const {
  Operation *op = originalOf(operand.getOwner());
  return op ? &op->getOpOperand(operand.getOperandNumber()) : nullptr;
}
