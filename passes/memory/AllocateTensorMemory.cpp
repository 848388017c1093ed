//===- AllocateTensorMemory.cpp - Columns for each buffer -----------------===//

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATETENSORMEMORY
#include "passes/Passes.h.inc"

namespace {

/// Of an SM (PTX ISA, "Tensor Memory").
constexpr unsigned columns = 512;

/// The buffer of `op` with what fills it behind it, an op of its own.
ttng::TMEMAllocOp splitStore(ttng::TMEMAllocOp op) {
  if (!op.getSrc() || op.getToken())
    return op;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto type = op.getType();
  auto buffer = ttng::TMEMAllocOp::create(
      builder, op.getLoc(),
      ttg::MemDescType::get(type.getShape(), type.getElementType(),
                            type.getEncoding(), type.getMemorySpace(),
                            /*mutableMemory=*/true, type.getAllocShape()),
      Type(), Value());
  auto yes = arith::ConstantOp::create(builder, op.getLoc(),
                                       builder.getBoolAttr(true));
  ttng::TMEMStoreOp::create(builder, op.getLoc(), Type(), buffer.getResult(),
                            Value(), op.getSrc(), yes);
  op.getResult().replaceAllUsesWith(buffer.getResult());
  op.erase();
  return buffer;
}

struct AllocateTensorMemory
    : impl::AllocateTensorMemoryBase<AllocateTensorMemory> {
  void runOnOperation() override {
    SmallVector<ttng::TMEMAllocOp> ops;
    getOperation().walk([&](ttng::TMEMAllocOp op) { ops.push_back(op); });
    if (ops.empty())
      return;
    for (ttng::TMEMAllocOp op : ops)
      if (op->getParentOfType<ttg::WarpSpecializePartitionsOp>() &&
          !op.getToken())
        memory::hoistFromPartition(splitStore(op));
    if (failed(memory::allocate(getOperation(), ttg::MemorySpace::Tensor,
                                columns)))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
