//===- LaunchControl.cpp - Requests that wait for their response ----------===//

#include "passes/memory/LaunchControl.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kernelscope;

static Value allocate(OpBuilder &b, Location loc, int64_t words,
                      ttg::CGAEncodingAttr ctas) {
  MLIRContext *context = b.getContext();
  auto layout =
      ttg::SwizzledSharedEncodingAttr::get(context, 1, 1, 1, {0}, ctas);
  return ttg::LocalAllocOp::create(
      b, loc,
      ttg::MemDescType::get({words}, b.getI64Type(), layout,
                            ttg::SharedMemorySpaceAttr::get(context),
                            /*mutableMemory=*/true),
      Value());
}

static void await(ttng::CLCTryCancelSyncOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  const auto ctas = static_cast<unsigned>(ttg::lookupNumCTAs(op).value_or(1));
  RankedTensorType type = op.getResponse().getType();
  // Each CTA has a barrier, and the whole response.
  std::vector<std::vector<int32_t>> copies(llvm::Log2_32(ctas), {0});
  Value response =
      allocate(b, loc, type.getDimSize(0),
               ttg::CGAEncodingAttr::fromBases(context, 1, std::move(copies)));
  Value barrier =
      allocate(b, loc, ctas, ttg::CGAEncodingAttr::get1DLayout(context, ctas));
  ttng::InitBarrierOp::create(b, loc, barrier, uint32_t(1));
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value phase = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  const unsigned bytes = type.getDimSize(0) * sizeof(int64_t);
  ttng::BarrierExpectOp::create(b, loc, barrier, bytes, yes, IntegerAttr());
  ttng::CLCTryCancelOp::create(b, loc, response, barrier);
  ttng::WaitBarrierOp::create(b, loc, barrier, phase, Value(), ValueRange());
  Value loaded = ttg::LocalLoadOp::create(b, loc, type, response, Value());
  ttng::InvalBarrierOp::create(b, loc, barrier);
  op.replaceAllUsesWith(loaded);
  op.erase();
}

void memory::awaitLaunchControl(ModuleOp module) {
  module.walk([](ttng::CLCTryCancelSyncOp op) { await(op); });
}
