//===- AllocateGlobalScratch.cpp - A place for scratch in global memory ---===//

#include "dialects/ttg/TTG.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"
#include "passes/memory/GlobalScratch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATEGLOBALSCRATCH
#include "passes/Passes.h.inc"

static LogicalResult allocateScratch(ModuleOp module) {
  SmallVector<ttg::GlobalScratchAllocOp> ops;
  module.walk([&](ttg::GlobalScratchAllocOp op) { ops.push_back(op); });
  if (ops.empty())
    return success();
  uint64_t total = 0, alignment = 1;
  Builder builder(module.getContext());
  for (ttg::GlobalScratchAllocOp op : ops) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function.isPublic())
      return op.emitOpError("is in a function that a kernel calls; only in the "
                            "kernel itself is it lowered");
    if (op.getThirdPartyAllocation() || op.getSharedClusterState())
      return op.emitOpError("asks for memory that a plug-in or the CTAs of a "
                            "cluster share, which is not lowered yet");
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
    return ops.back().emitOpError("brings the scratch memory of a program to ")
           << total << " bytes; it can have 2 GiB";
  module->setAttr(memory::scratchBytesName,
                  builder.getI32IntegerAttr(static_cast<int32_t>(total)));
  module->setAttr(memory::scratchAlignmentName,
                  builder.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  return success();
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
