//===- FlatFunction.cpp - a function with what it calls -------------------===//

#include "passes/analysis/FlatFunction.h"

#include "passes/analysis/Barriers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

/// The ops that calls are replaced by, at most.
static constexpr size_t most = 5000;

FlatFunction::FlatFunction(Operation *function, Resolve resolve) {
  module = ModuleOp::create(function->getLoc());
  if (auto own = function->getParentOfType<ModuleOp>())
    (*module)->setAttrs(own->getAttrDictionary());
  copy = function->clone();
  module->getBody()->push_back(copy);
  note(function, copy);
  limit = origins.size() + most;
  SmallVector<Operation *> callers = {function};
  inlineCalls(copy, resolve, callers);
}

/// Clones have the same ops in the same order.
void FlatFunction::note(Operation *original, Operation *copied) {
  origins[copied] = original;
  ++copies[original];
  for (auto [from, to] :
       llvm::zip(original->getRegions(), copied->getRegions()))
    for (auto [fromBlock, toBlock] : llvm::zip(from, to))
      for (auto [fromOp, toOp] : llvm::zip(fromBlock, toBlock))
        note(&fromOp, &toOp);
}

/// The only block of the function that `call` names; null for one that cannot
/// stand in its place.
static Block *bodyOf(Operation *function, CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(function);
  Block *body = callee ? onlyBlockOf(callee.getFunctionBody()) : nullptr;
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
    Operation *callee =
        name ? resolve(name.getLeafReference().getValue()) : nullptr;
    Block *body = bodyOf(callee, call);
    if (!body || llvm::is_contained(callers, callee) || origins.size() > limit)
      continue;
    IRMapping values;
    values.map(body->getArguments(), call.getArgOperands());
    OpBuilder builder(call);
    SmallVector<Operation *> added;
    for (Operation &op : body->without_terminator()) {
      added.push_back(builder.clone(op, values));
      note(&op, added.back());
    }
    for (auto [result, value] :
         llvm::zip(call->getResults(), body->getTerminator()->getOperands()))
      result.replaceAllUsesWith(values.lookupOrDefault(value));
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
