//===- Handing.cpp - Buffers handed from one partition to another ---------===//

#include "passes/nvws/Handing.h"
#include "dialects/ttng/TTNG.h"

using namespace mlir;
using kernelscope::ttg::MemDescType;

namespace kernelscope::nvws {

bool passesOnArguments(LoopLikeOpInterface loop) {
  auto conditional = dyn_cast<scf::WhileOp>(loop.getOperation());
  return !conditional || llvm::equal(conditional.getConditionOp().getArgs(),
                                     conditional.getBeforeArguments());
}

std::optional<unsigned> resultOfArgument(BlockArgument argument) {
  Operation *loop = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto counted = dyn_cast_or_null<scf::ForOp>(loop))
    return number < counted.getNumInductionVars()
               ? std::nullopt
               : std::optional(number - counted.getNumInductionVars());
  auto conditional = dyn_cast_or_null<scf::WhileOp>(loop);
  return conditional && passesOnArguments(conditional) ? std::optional(number)
                                                       : std::nullopt;
}

SmallVector<LoopLikeOpInterface> findPartitionedLoops(Operation *module) {
  SmallVector<LoopLikeOpInterface> loops;
  module->walk([&](LoopLikeOpInterface loop) {
    if (!isa<scf::ForOp, scf::WhileOp>(loop) || !passesOnArguments(loop) ||
        !loop->hasAttr(warpSpecializeName))
      return;
    bool isMarked = loop->hasAttr(partitionStagesName);
    loop->walk([&](Operation *op) { isMarked |= bool(partitionOf(op)); });
    if (isMarked)
      loops.push_back(loop);
  });
  return loops;
}

DenseI32ArrayAttr partitionsOfUse(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<scf::YieldOp>(user))
    return ownersOfResult(user->getParentOp(), number);
  if (auto loop = dyn_cast<scf::ForOp>(user))
    return number < loop.getNumControlOperands()
               ? partitionOf(user)
               : ownersOfResult(user, number - loop.getNumControlOperands());
  // The first operand of a condition says whether all go on.
  if (isa<scf::ConditionOp>(user))
    return number ? ownersOfResult(user->getParentOp(), number - 1)
                  : partitionOf(user);
  if (auto loop = dyn_cast<scf::WhileOp>(user))
    return passesOnArguments(loop) ? ownersOfResult(user, number)
                                   : partitionOf(user);
  return partitionOf(user);
}

Value createReference(Operation *at, MemDescType one, int64_t depth) {
  OpBuilder b(at);
  // Scales in tensor memory are no ring.
  SmallVector<int64_t> shape;
  if (!isa<ttng::TensorMemoryScalesEncodingAttr>(one.getEncoding()))
    shape.push_back(depth);
  shape.append(one.getShape().begin(), one.getShape().end());
  auto ring = MemDescType::get(shape, one.getElementType(), one.getEncoding(),
                               one.getMemorySpace(), /*mutableMemory=*/true);
  Value buffers;
  if (isa<ttg::SharedMemorySpaceAttr>(one.getMemorySpace())) {
    buffers = ttg::LocalAllocOp::create(b, at->getLoc(), ring, Value());
  } else {
    OperationState state(at->getLoc(), ttng::TMEMAllocOp::getOperationName());
    state.addTypes(ring);
    buffers = b.create(state)->getResult(0);
  }
  return ArefCreateOp::create(b, at->getLoc(),
                              ArefType::get(at->getContext(), {ring}), buffers);
}

/// A buffer of the ring of `aref`.
static MemDescType typeOfStage(Value aref) {
  auto ring =
      cast<MemDescType>(cast<ArefType>(aref.getType()).getBaseType().front());
  bool isRing = !isa<ttng::TensorMemoryScalesEncodingAttr>(ring.getEncoding());
  return MemDescType::get(ring.getShape().drop_front(isRing),
                          ring.getElementType(), ring.getEncoding(),
                          ring.getMemorySpace(),
                          /*mutableMemory=*/true);
}

template <typename Enter>
static Handed enterRegion(MarkedBuilder &at, Value aref) {
  auto made = at.make<Enter>(TypeRange(typeOfStage(aref)),
                             ttg::AsyncTokenType::get(aref.getContext()), aref,
                             Value(), Value());
  return {aref, made.getBuffers().front(), made.getToken()};
}

Handed enterPut(MarkedBuilder &at, Value aref) {
  return enterRegion<ArefPutEnterOp>(at, aref);
}
Handed enterGet(MarkedBuilder &at, Value aref) {
  return enterRegion<ArefGetEnterOp>(at, aref);
}

template <typename Exit>
static void exitRegion(MarkedBuilder &at, const Handed &region,
                       ArrayRef<AsyncOp> kinds) {
  SmallVector<Attribute> attributes;
  for (AsyncOp kind : kinds)
    attributes.push_back(AsyncOpAttr::get(at.b.getContext(), kind));
  at.make<Exit>(region.aref, region.token, Value(),
                at.b.getArrayAttr(attributes));
}

void exitPut(MarkedBuilder &at, const Handed &region, ArrayRef<AsyncOp> kinds) {
  exitRegion<ArefPutExitOp>(at, region, kinds);
}
void exitGet(MarkedBuilder &at, const Handed &region, ArrayRef<AsyncOp> kinds) {
  exitRegion<ArefGetExitOp>(at, region, kinds);
}

void forEachAccess(Value memory, function_ref<void(Operation *)> fn) {
  for (Operation *user : llvm::to_vector(memory.getUsers())) {
    if (user->hasTrait<ttg::MemDescView>())
      forEachAccess(user->getResult(0), fn);
    else
      fn(user);
  }
}

Value rootOf(Value memory) {
  while (Operation *view = memory.getDefiningOp()) {
    if (!view->hasTrait<ttg::MemDescView>())
      break;
    memory = view->getOperand(0);
  }
  return memory;
}

AsyncOp kindOf(Operation *access) {
  if (isa<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(access))
    return AsyncOp::TC5MMA;
  if (isa<ttng::TMEMCopyOp>(access))
    return AsyncOp::TMEMCopy;
  auto product = dyn_cast<ttng::WarpGroupDotOp>(access);
  return product && product.getIsAsync() ? AsyncOp::WGMMA : AsyncOp::NONE;
}

} // namespace kernelscope::nvws
