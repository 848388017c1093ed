//===- BarrierRing.cpp - mbarriers that take turns ------------------------===//

#include "passes/ttgir/BarrierRing.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

static ttg::MemDescType barrierMemory(MLIRContext *context,
                                      ArrayRef<int64_t> shape) {
  auto plain = ttg::SwizzledSharedEncodingAttr::get(
      context, 1, 1, 1, {0}, ttg::CGAEncodingAttr::get1CTALayout(context, 1));
  return ttg::MemDescType::get(shape, IntegerType::get(context, 64), plain,
                               ttg::SharedMemorySpaceAttr::get(context),
                               /*mutableMemory=*/true);
}

ttg::MemDescType BarrierRing::typeOf(MLIRContext *context, unsigned count) {
  return barrierMemory(context, {count, 1});
}

BarrierRing::BarrierRing(OpBuilder &b, Location loc, unsigned count)
    : memory(ttg::LocalAllocOp::create(b, loc, typeOf(b.getContext(), count))) {
  for (unsigned i = 0; i < count; ++i)
    ttng::InitBarrierOp::create(b, loc, at(b, loc, i), /*count=*/uint32_t(1));
}

Value BarrierRing::at(OpBuilder &b, Location loc, Value index) const {
  return ttg::MemDescIndexOp::create(b, loc, barrierMemory(b.getContext(), {1}),
                                     memory, index);
}

Value BarrierRing::at(OpBuilder &b, Location loc, unsigned index) const {
  return at(b, loc,
            arith::ConstantOp::create(
                b, loc, b.getI32IntegerAttr(static_cast<int32_t>(index))));
}

void BarrierRing::release(OpBuilder &b, Location loc) const {
  auto type = cast<ttg::MemDescType>(memory.getType());
  for (unsigned i = 0; i < type.getShape().front(); ++i)
    ttng::InvalBarrierOp::create(b, loc, at(b, loc, i));
  ttg::LocalDeallocOp::create(b, loc, memory);
}
