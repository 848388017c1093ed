//===- AllocateGlobalScratch.cpp - A place for scratch in global memory ---===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"
#include "passes/memory/GlobalScratch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATEGLOBALSCRATCH
#include "passes/Passes.h.inc"

/// Lets callers pass a function its scratch memory, each call its own. `path`
/// has the functions that the memory has come through. Failure with an error if
/// one of them calls itself.
static LogicalResult moveToCallers(ttg::GlobalScratchAllocOp op,
                                   SmallVector<Operation *> path = {}) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function.isPublic())
    return success();
  if (llvm::is_contained(path, function))
    return op.emitOpError("is in a recursive function; scratch memory is "
                          "allocated before the kernel starts");
  path.push_back(function);
  SmallVector<tt::CallOp> calls;
  function->getParentOfType<ModuleOp>().walk([&](tt::CallOp call) {
    if (call.getCallee() == function.getName())
      calls.push_back(call);
  });
  const unsigned position = function.getNumArguments();
  if (failed(function.insertArgument(position, op.getType(), {}, op.getLoc())))
    return failure();
  for (tt::CallOp call : calls) {
    OpBuilder builder(call);
    auto moved = cast<ttg::GlobalScratchAllocOp>(builder.clone(*op));
    call->insertOperands(position, moved.getResult());
    if (failed(moveToCallers(moved, path)))
      return failure();
  }
  op.replaceAllUsesWith(function.getArgument(position));
  op.erase();
  return success();
}

/// Gives `ops` their places one after another, and notes on the module how many
/// bytes they take, and their alignment, under these names.
static LogicalResult allocateIn(ModuleOp module,
                                ArrayRef<ttg::GlobalScratchAllocOp> ops,
                                StringRef bytesName, StringRef alignmentName) {
  if (ops.empty())
    return success();
  uint64_t total = 0, alignment = 1;
  Builder builder(module.getContext());
  for (ttg::GlobalScratchAllocOp op : ops) {
    if (op.getSharedClusterState() &&
        ttg::lookupNumCTAs(module).value_or(1) != 1)
      return op.emitOpError("allocates memory that the CTAs of a cluster "
                            "share, which is not lowered yet");
    if (op->getParentOfType<ttg::WarpSpecializePartitionsOp>())
      memory::hoistFromPartition(op);
    total = llvm::alignTo(total, op.getAlignment());
    op->setAttr(memory::scratchOffsetName,
                builder.getI32IntegerAttr(static_cast<int32_t>(total)));
    total += op.getNbytes();
    alignment = std::max<uint64_t>(alignment, op.getAlignment());
  }
  total = llvm::alignTo(total, alignment);
  if (total > INT32_MAX)
    return ops.back()->emitOpError("brings the scratch memory of a program to ")
           << total << " bytes; the limit is 2 GiB";
  module->setAttr(bytesName,
                  builder.getI32IntegerAttr(static_cast<int32_t>(total)));
  module->setAttr(alignmentName,
                  builder.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  return success();
}

static LogicalResult allocateScratch(ModuleOp module) {
  SmallVector<ttg::GlobalScratchAllocOp> ops;
  module.walk([&](ttg::GlobalScratchAllocOp op) { ops.push_back(op); });
  for (ttg::GlobalScratchAllocOp op : ops)
    if (failed(moveToCallers(op)))
      return failure();
  SmallVector<ttg::GlobalScratchAllocOp> own, plugins;
  module.walk([&](ttg::GlobalScratchAllocOp op) {
    (op.getThirdPartyAllocation() ? plugins : own).push_back(op);
  });
  return success(
      succeeded(allocateIn(module, own, memory::scratchBytesName,
                           memory::scratchAlignmentName)) &&
      succeeded(allocateIn(module, plugins, memory::profileScratchBytesName,
                           memory::profileScratchAlignmentName)));
}

namespace {

struct AllocateGlobalScratch
    : impl::AllocateGlobalScratchBase<AllocateGlobalScratch> {
  void runOnOperation() override {
    if (failed(allocateScratch(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
