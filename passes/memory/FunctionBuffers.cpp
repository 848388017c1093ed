//===- FunctionBuffers.cpp - Memory across calls --------------------------===//

#include "passes/memory/FunctionBuffers.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

FunctionBuffers::FunctionBuffers(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<CallOpInterface> calls;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    auto &buffers = all[function] = std::make_unique<Buffers>(function);
    buffers->readPlaces();
    function->walk([&](CallOpInterface call) {
      auto callee = dyn_cast_or_null<FunctionOpInterface>(
          call.resolveCallableInTable(&symbols));
      if (!callee || callee.isExternal() || callee->getParentOp() != module)
        return;
      callees[call] = callee;
      calls.push_back(call);
    });
  }
  // What a callee is passed, it may pass on.
  bool changed = true;
  while (changed) {
    changed = false;
    for (CallOpInterface call : calls)
      changed |= passMemory(call);
  }
}

/// Propagates the memory that is passed to the callee, and what is returned to
/// the caller. False if nothing of it is new.
bool FunctionBuffers::passMemory(CallOpInterface call) {
  FunctionOpInterface callee = calleeOf(call);
  Buffers &outside = *all[call->getParentOfType<FunctionOpInterface>()];
  Buffers &inside = *all[callee];
  bool isNew = false;
  auto pass = [&](Value from, const Buffers &source, Value to,
                  Buffers &destination) {
    if (isa<ttg::MemDescType>(from.getType()) &&
        isa<ttg::MemDescType>(to.getType()))
      for (const Buffers::Buffer *buffer : source.buffersOf(from))
        isNew |= destination.receive(to, buffer);
  };
  for (auto [operand, argument] :
       llvm::zip(call.getArgOperands(), callee.getArguments()))
    pass(operand, outside, argument, inside);
  for (Block &block : callee.getFunctionBody())
    if (Operation *end = block.getTerminator();
        end->hasTrait<OpTrait::ReturnLike>())
      for (auto [returned, result] :
           llvm::zip(end->getOperands(), call->getResults()))
        pass(returned, inside, result, outside);
  return isNew;
}

const Buffers &FunctionBuffers::around(Operation *op) const {
  return *all.find(op->getParentOfType<FunctionOpInterface>())->second;
}

FunctionOpInterface FunctionBuffers::calleeOf(CallOpInterface call) const {
  return callees.lookup(call);
}

SmallVector<FunctionOpInterface> FunctionBuffers::entries() const {
  llvm::DenseSet<Operation *> called;
  for (auto [call, callee] : callees)
    called.insert(callee);
  SmallVector<FunctionOpInterface> result;
  for (auto &[function, buffers] : all)
    if (!called.contains(function))
      result.push_back(cast<FunctionOpInterface>(function));
  return result;
}
