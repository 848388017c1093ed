//===- AllocateTensorMemory.cpp - Columns for each buffer -----------------===//

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"
#include "passes/memory/TensorCoreWaits.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATETENSORMEMORY
#include "passes/Passes.h.inc"

namespace {

/// Of an SM (PTX ISA, "Tensor Memory").
constexpr unsigned columns = 512;

/// The buffer of `op` alone: what fills it is an op of its own, and its token,
/// which orders nothing outside of a partition, is poison.
ttng::TMEMAllocOp splitStore(ttng::TMEMAllocOp op) {
  if (!op.getSrc() && !op.getToken())
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
  if (op.getSrc()) {
    auto yes = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getBoolAttr(true));
    ttng::TMEMStoreOp::create(builder, op.getLoc(), Type(), buffer.getResult(),
                              Value(), op.getSrc(), yes);
  }
  if (Value token = op.getToken())
    token.replaceAllUsesWith(
        ub::PoisonOp::create(builder, op.getLoc(), token.getType()));
  op.getResult().replaceAllUsesWith(buffer.getResult());
  op.erase();
  return buffer;
}

/// Makes the threads wait after `op`, which is not asynchronous, until it is
/// done.
template <typename Op> void awaitProduct(Op op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  // One for each CTA; until Triton 3.6 that was not part of the type.
  const int64_t ctas =
      ttg::isOlderDump(op) ? 1 : ttg::lookupNumCTAs(op).value_or(1);
  auto layout = ttg::SwizzledSharedEncodingAttr::get(
      context, 1, 1, 1, {0}, ttg::CGAEncodingAttr::get1DLayout(context, ctas));
  Value barrier = ttg::LocalAllocOp::create(
      b, loc,
      ttg::MemDescType::get({ctas}, b.getI64Type(), layout,
                            ttg::SharedMemorySpaceAttr::get(context),
                            /*mutableMemory=*/true),
      Value());
  auto init = ttng::InitBarrierOp::create(b, loc, barrier, uint32_t(1));
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value phase = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  op.getBarriersMutable().append(barrier);
  op.getBarrierPredsMutable().append(yes);
  op.setIsAsync(true);
  // By multicast it arrives at the barriers of several CTAs.
  init.setCount(static_cast<uint32_t>(
      ttg::barrierActionsOf(op).front().count.value_or(1)));
  b.setInsertionPointAfter(op);
  ttng::WaitBarrierOp::create(b, loc, barrier, phase, op.getPred(),
                              ValueRange());
  ttng::InvalBarrierOp::create(b, loc, barrier);
}

/// The same for all products. If there are commits, those signal.
void awaitProducts(ModuleOp module) {
  bool areCommitted =
      module.walk([](ttng::TCGen5CommitOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (areCommitted)
    return;
  module.walk([](Operation *op) {
    if (!memory::TensorCoreWaits::isSynchronous(op))
      return;
    if (auto product = dyn_cast<ttng::TCGen5MMAOp>(op))
      awaitProduct(product);
    else
      awaitProduct(cast<ttng::TCGen5MMAScaledOp>(op));
  });
}

struct AllocateTensorMemory
    : impl::AllocateTensorMemoryBase<AllocateTensorMemory> {
  void runOnOperation() override {
    SmallVector<ttng::TMEMAllocOp> ops;
    getOperation().walk([&](ttng::TMEMAllocOp op) { ops.push_back(op); });
    awaitProducts(getOperation());
    if (ops.empty())
      return;
    for (ttng::TMEMAllocOp op : ops)
      if (op->getParentOfType<ttg::WarpSpecializePartitionsOp>())
        memory::hoistFromPartition(splitStore(op));
    if (failed(memory::allocate(getOperation(), ttg::MemorySpace::Tensor,
                                {columns, {}, /*mayGrow=*/false})))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
