//===- Rings.cpp - Rings of mbarriers for references ----------------------===//

#include "passes/nvws/Rings.h"
#include "dialects/layout/Counted.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using kernelscope::ttg::MemDescType;

namespace kernelscope::nvws {

int64_t countStages(ArefType aref) {
  for (Type type : aref.getBaseType()) {
    auto ring = cast<MemDescType>(type);
    if (!isa<ttng::TensorMemoryScalesEncodingAttr>(ring.getEncoding()))
      return ring.getDimSize(0);
  }
  return 1;
}

void setStages(ArefCreateOp aref, int64_t depth) {
  SmallVector<Type> types;
  for (Value buffer : aref.getBuffers()) {
    auto type = cast<MemDescType>(buffer.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = depth;
    types.push_back(MemDescType::get(shape, type.getElementType(),
                                     type.getEncoding(), type.getMemorySpace(),
                                     type.getMutableMemory()));
    buffer.setType(types.back());
  }
  aref.getResult().setType(ArefType::get(aref.getContext(), types));
}

static Value constantStage(OpBuilder &b, Location loc, int64_t stage) {
  return arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(stage)));
}

Value indexRing(OpBuilder &b, Location loc, Value ring, Value stage) {
  auto type = cast<MemDescType>(ring.getType());
  if (isa<ttng::TensorMemoryScalesEncodingAttr>(type.getEncoding()))
    return ring;
  auto one = MemDescType::get(type.getShape().drop_front(),
                              type.getElementType(), type.getEncoding(),
                              type.getMemorySpace(), type.getMutableMemory());
  return ttg::MemDescIndexOp::create(b, loc, one, ring, stage);
}

Value indexRing(MarkedBuilder &at, Value ring, Value stage) {
  Value made = indexRing(at.b, at.loc, ring, stage);
  if (made != ring)
    at.mark(made.getDefiningOp());
  return made;
}

LogicalResult checkDepth(Operation *op, int64_t depth) {
  constexpr int64_t bytesOfStage = 16, ofUnknownChip = 228 << 10;
  std::optional<Target> target = ttg::lookupTarget(op);
  int64_t bytes = target && target->maxSharedBytes
                      ? static_cast<int64_t>(target->maxSharedBytes)
                      : ofUnknownChip;
  if (depth <= bytes / bytesOfStage)
    return success();
  return op->emitOpError() << "has " << counted(depth, "stage")
                           << ", and the mbarriers of each take "
                           << bytesOfStage << " bytes of shared memory; "
                           << bytes << " bytes allow at most "
                           << bytes / bytesOfStage;
}

Value createBarriers(Operation *at, int64_t depth, size_t arrivals) {
  OpBuilder b(at);
  Location loc = at->getLoc();
  MLIRContext *context = at->getContext();
  unsigned ctas = static_cast<unsigned>(ttg::lookupNumCTAs(at).value_or(1));
  auto layout = ttg::SwizzledSharedEncodingAttr::get(
      context, 1, 1, 1, {0}, ttg::CGAEncodingAttr::get1DLayout(context, ctas));
  auto type =
      MemDescType::get({depth, static_cast<int64_t>(ctas)}, b.getI64Type(),
                       layout, ttg::SharedMemorySpaceAttr::get(context),
                       /*mutableMemory=*/true);
  Value ring = ttg::LocalAllocOp::create(b, loc, type, Value());
  for (int64_t stage = 0; stage < depth; ++stage)
    ttng::InitBarrierOp::create(
        b, loc, indexRing(b, loc, ring, constantStage(b, loc, stage)),
        static_cast<uint32_t>(arrivals));
  b.setInsertionPoint(at->getBlock()->getTerminator());
  // Only in a loop are they initialised again.
  if (at->getParentOfType<LoopLikeOpInterface>())
    for (int64_t stage = 0; stage < depth; ++stage)
      ttng::InvalBarrierOp::create(
          b, loc, indexRing(b, loc, ring, constantStage(b, loc, stage)));
  ttg::LocalDeallocOp::create(b, loc, ring);
  return ring;
}

void retype(Value value, Type type) {
  value.setType(type);
  auto source = cast<MemDescType>(type);
  for (Operation *user : value.getUsers()) {
    if (!user->hasTrait<ttg::MemDescView>())
      continue;
    auto view = cast<MemDescType>(user->getResult(0).getType());
    // A window keeps the shape of what it is a window of.
    ArrayRef<int64_t> whole = isa<ttg::MemDescSubsliceOp>(user)
                                  ? source.getAllocShape()
                                  : view.getShape();
    retype(user->getResult(0),
           MemDescType::get(view.getShape(), view.getElementType(),
                            view.getEncoding(), view.getMemorySpace(),
                            source.getMutableMemory(), whole));
  }
}

void replaceByRings(Value value, ValueRange rings,
                    function_ref<void(Value, ValueRange)> fn) {
  fn(value, rings);
  auto passes = [](OpOperand &use) {
    return isa<ttg::WarpSpecializePartitionsOp>(use.getOwner());
  };
  while (true) {
    auto use = llvm::find_if(value.getUses(), passes);
    if (use == value.getUses().end())
      return;
    Operation *partitions = use->getOwner();
    unsigned number = use->getOperandNumber();
    for (Region &region : partitions->getRegions()) {
      SmallVector<Value> inner;
      for (Value ring : rings)
        inner.push_back(
            region.addArgument(ring.getType(), partitions->getLoc()));
      replaceByRings(region.getArgument(number), inner, fn);
      region.eraseArgument(number);
    }
    partitions->insertOperands(partitions->getNumOperands(), rings);
    partitions->eraseOperand(number);
  }
}

} // namespace kernelscope::nvws
