//===- InlineIntoKernels.cpp - What only a kernel itself can do -----------===//
//
// The warps of partitions are the block's, and so is tensor memory: a kernel
// has them from its first op to its last. Functions that ask for them take the
// place of their calls.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_INLINEINTOKERNELS
#include "passes/Passes.h.inc"

/// The first op of `function` that must be in a kernel.
static Operation *findOpOfKernels(tt::FuncOp function) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    if (!isa<ttg::WarpSpecializeOp, ttng::TMEMAllocOp>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Whether `function` is one block, from its start to its return.
static bool isStraight(tt::FuncOp function) {
  return function.getBody().hasOneBlock() &&
         isa<tt::ReturnOp>(function.getBody().front().getTerminator());
}

/// Puts the ops of `callee`, which is one block, in the place of `call`.
static void inlineBlock(tt::CallOp call, tt::FuncOp callee) {
  Block &body = callee.getBody().front();
  IRMapping copies;
  copies.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, copies);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(copies.lookupOrDefault(value));
}

/// Puts the blocks of `callee` between what is before `call` and what is after.
static void inlineBlocks(tt::CallOp call, tt::FuncOp callee) {
  Block *before = call->getBlock();
  Block *after = before->splitBlock(call);
  for (Value result : call.getResults())
    result.replaceAllUsesWith(
        after->addArgument(result.getType(), call.getLoc()));
  IRMapping copies;
  Region::iterator place = after->getIterator();
  callee.getBody().cloneInto(after->getParent(), place, copies);
  OpBuilder builder(call.getContext());
  builder.setInsertionPointToEnd(before);
  cf::BranchOp::create(builder, call.getLoc(),
                       copies.lookup(&callee.getBody().front()),
                       call.getOperands());
  for (Block &block : callee.getBody()) {
    auto end = dyn_cast<tt::ReturnOp>(copies.lookup(&block)->getTerminator());
    if (!end)
      continue;
    builder.setInsertionPoint(end);
    cf::BranchOp::create(builder, end.getLoc(), after, end.getOperands());
    end.erase();
  }
}

/// Whether `call` can be replaced by the body of `callee`; if not, an error on
/// `op`, which is there.
static LogicalResult checkCall(tt::CallOp call, tt::FuncOp callee,
                               Operation *op) {
  auto caller = call->getParentOfType<tt::FuncOp>();
  std::string fault;
  if (call->getParentOfType<ttg::WarpSpecializeOp>())
    fault = "that a region of 'ttg.warp_specialize' calls";
  else if (caller == callee)
    fault = "that calls itself";
  else if (!isStraight(callee) && call->getParentOp() != caller)
    fault = ("of several blocks that is called inside '" +
             call->getParentOp()->getName().getStringRef() + "'")
                .str();
  if (fault.empty())
    return success();
  InFlightDiagnostic error =
      op->emitOpError("is in a function ")
      << fault << ", which cannot be inlined; only a kernel itself can have it";
  error.attachNote(call.getLoc()) << "called here";
  return failure();
}

/// Puts `function`, which has `op`, in the place of its calls.
static LogicalResult inlineCalls(tt::FuncOp function, Operation *op) {
  SmallVector<tt::CallOp> calls;
  function->getParentOfType<ModuleOp>().walk([&](tt::CallOp call) {
    if (call.getCallee() == function.getName())
      calls.push_back(call);
  });
  for (tt::CallOp call : calls) {
    if (failed(checkCall(call, function, op)))
      return failure();
    if (isStraight(function))
      inlineBlock(call, function);
    else
      inlineBlocks(call, function);
    call.erase();
  }
  if (function.isPrivate())
    function.erase();
  return success();
}

namespace {

struct InlineIntoKernels
    : kernelscope::impl::InlineIntoKernelsBase<InlineIntoKernels> {
  void runOnOperation() override {
    // A function that another was inlined into has what must be in a kernel
    // from then on. No copy calls a function that is done.
    DenseSet<Operation *> done;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto function :
           llvm::to_vector(getOperation().getOps<tt::FuncOp>())) {
        Operation *op = function.isExternal() || done.contains(function)
                            ? nullptr
                            : findOpOfKernels(function);
        if (!op)
          continue;
        done.insert(function);
        changed = true;
        if (failed(inlineCalls(function, op)))
          return signalPassFailure();
      }
    }
  }
};

} // namespace
} // namespace kernelscope
