//===- RingOfBuffers.cpp - Where a loop's loads go ahead of time ----------===//

#include "passes/ttir/RingOfBuffers.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/tt/LayoutInterface.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/AsyncEvents.h"
#include "passes/ttgir/LoadsAhead.h"
#include "passes/ttir/DescriptorLayouts.h"

using namespace mlir;
using namespace kernelscope;

/// The buffer that a tensor goes to as it is and that nothing writes to.
static ttg::LocalAllocOp asOperandMemory(Operation *user) {
  auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
  return alloc && !alloc.getType().getMutableMemory() ? alloc
                                                      : ttg::LocalAllocOp();
}

/// Whether what reads `buffer` does not mind how its elements lie there.
static bool isReadInAnyLayout(ttg::LocalAllocOp buffer) {
  return llvm::all_of(buffer->getUsers(),
                      llvm::IsaPred<amdg::LocalLoadPackedTransposedOp>);
}

/// The layout that a product wants of a loaded block in shared memory; null if
/// it reads registers, or wants rows along another dimension than threads load.
static Attribute wantedLayout(tt::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(type.getEncoding());
  if (!blocked)
    return {};
  auto order = blocked.getOrder();
  auto fits = [&](Operation *user, bool flipped) -> Attribute {
    ttg::LocalAllocOp alloc = asOperandMemory(user);
    auto layout = alloc ? dyn_cast<ttg::NVMMASharedEncodingAttr>(
                              alloc.getType().getEncoding())
                        : ttg::NVMMASharedEncodingAttr();
    if (!layout || type.getRank() != 2)
      return {};
    const bool transposed = layout.getTransposed() != flipped;
    if (order[0] != (transposed ? 0u : 1u))
      return {};
    return ttg::NVMMASharedEncodingAttr::get(
        type.getContext(), layout.getSwizzlingByteWidth(), transposed,
        layout.getElementBitWidth(), layout.getFp4Padded(),
        layout.getCGALayout());
  };
  for (Operation *user : load->getUsers()) {
    if (Attribute layout = fits(user, false))
      return layout;
    if (isa<tt::TransOp>(user))
      for (Operation *next : user->getUsers())
        if (Attribute layout = fits(next, true))
          return layout;
  }
  return {};
}

static ttg::MemDescType memoryOf(ArrayRef<int64_t> shape, Type element,
                                 Attribute layout) {
  return ttg::MemDescType::get(
      shape, element, layout,
      ttg::SharedMemorySpaceAttr::get(element.getContext()),
      /*mutableMemory=*/true);
}

/// The wavefronts in which `reader` is read from a `type` that lies in shared
/// memory as `layout` says; very many if that is not known.
static uint64_t wavefrontsOf(RankedTensorType reader, RankedTensorType type,
                             Attribute layout, const SharedBanks &banks) {
  auto cost = ttg::accessCost(
      reader, memoryOf(type.getShape(), type.getElementType(), layout), banks,
      /*isLoad=*/true);
  return cost ? cost->wavefronts : UINT32_MAX;
}

/// What reads the result of `load` from shared memory, or nothing where an
/// instruction for matrices or a unit does, which takes it transposed or by
/// rows of 16 bytes.
static SmallVector<RankedTensorType> readersOf(tt::LoadOp load) {
  SmallVector<RankedTensorType> readers;
  for (Operation *user : load->getUsers()) {
    auto type = cast<RankedTensorType>(load.getType());
    if (auto conversion = dyn_cast<ttg::ConvertLayoutOp>(user))
      type = conversion.getType();
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
    if (isa<tt::TransOp, ttg::LocalAllocOp>(user) ||
        (operand && !isa<ttg::BlockedEncodingAttr>(operand.getParent()) &&
         type.getElementTypeBitWidth() <= 32))
      return {};
    readers.push_back(type);
  }
  return readers;
}

/// A swizzle that keeps runs of 16 bytes, which copies write. Instructions for
/// matrices read 8 rows of one column at once, so these lie at different banks;
/// other readers get the one that gives them the fewest wavefronts.
static Attribute swizzledLayout(tt::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  auto blocked = cast<ttg::BlockedEncodingAttr>(type.getEncoding());
  ArrayRef<unsigned> order = blocked.getOrder();
  constexpr int64_t bytesAtOnce = 16, bytesOfBanks = 128;
  const int64_t bytes = tt::bytesInMemory(type.getElementType()),
                row = type.getDimSize(order[0]);
  auto swizzle = [&](int64_t vec, int64_t perPhase, int64_t maxPhase) {
    return ttg::SwizzledSharedEncodingAttr::get(
        type.getContext(), unsigned(vec), unsigned(perPhase),
        unsigned(maxPhase), order, blocked.getCGALayout());
  };
  Attribute best = swizzle(1, 1, 1);
  if (type.getRank() == 1 || row * bytes < bytesAtOnce || bytes > bytesAtOnce)
    return best;
  SmallVector<Attribute> candidates;
  const int64_t vec = bytesAtOnce / bytes,
                perPhase = std::max<int64_t>(1, bytesOfBanks / (row * bytes));
  candidates.push_back(
      swizzle(vec, perPhase,
              std::min<int64_t>(bytesOfBanks / bytesAtOnce / perPhase,
                                type.getDimSize(order[1]))));
  const SmallVector<RankedTensorType> readers = readersOf(load);
  if (readers.empty())
    return candidates.front();
  // Of equal ones the plain one: a swizzle makes addresses that no constant
  // offset reaches from another.
  candidates.insert(candidates.begin(), best);
  for (int64_t wide = vec; wide < row; wide *= 2)
    for (int64_t phases = 2; phases <= 8 && wide * phases <= row; phases *= 2)
      for (int64_t rows : {1, 2, 4})
        candidates.push_back(swizzle(wide, rows, phases));
  const SharedBanks banks = ttg::lookupSharedBanks(load);
  uint64_t fewest = UINT64_MAX;
  for (Attribute candidate : candidates) {
    uint64_t wavefronts = 0;
    for (RankedTensorType reader : readers)
      wavefronts += wavefrontsOf(reader, type, candidate, banks);
    if (wavefronts < fewest) {
      fewest = wavefronts;
      best = candidate;
    }
  }
  return best;
}

static ttg::MemDescType ringOf(ttg::MemDescType slot, unsigned slots) {
  SmallVector<int64_t> shape{slots};
  llvm::append_range(shape, slot.getShape());
  return memoryOf(shape, slot.getElementType(), slot.getEncoding());
}

/// Whether a transposing load reads operands of a product from `type` with the
/// rows of `layout`: along another dimension than threads multiply.
static bool isReadTransposed(RankedTensorType type, const LinearLayout &rows) {
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
  if (!operand || type.getElementTypeBitWidth() > 16 || type.getRank() < 2)
    return false;
  const unsigned alongK = type.getRank() - (operand.getOpIdx() == 0 ? 1 : 2);
  ttg::LayoutDims names(type.getContext());
  return rows.getInDimSizeLog2(names.offset) > 0 &&
         rows.getBasis(
             names.offset, 0,
             ttg::tensorDims(type.getContext(), type.getRank())[alongK]) == 0;
}

/// The layout that a copy writes in which a warp's lanes, `elements` each,
/// follow each other: gaps lie between the copies of warps. They are as large
/// as gives what reads the tensor the fewest wavefronts, and a quarter of all
/// banks where transposing loads read four rows at once.
static Attribute laneAfterLane(tt::LoadOp load, unsigned elements) {
  auto type = cast<RankedTensorType>(load.getType());
  MLIRContext *context = type.getContext();
  const LinearLayout lanes = ttg::toLinearLayout(type);
  ttg::LayoutDims names(context);
  std::vector<std::vector<int32_t>> bases;
  auto add = [&](StringAttr dim, unsigned from, unsigned to) {
    for (unsigned bit = from; bit < to; ++bit)
      if (SmallVector<int32_t> basis = lanes.getBasis(dim, bit);
          llvm::any_of(basis, [](int32_t step) { return step != 0; }))
        bases.emplace_back(basis.begin(), basis.end());
  };
  const unsigned atOnce = llvm::Log2_32(elements);
  add(names.reg, 0, atOnce);
  add(names.lane, 0, lanes.getInDimSizeLog2(names.lane));
  add(names.warp, 0, lanes.getInDimSizeLog2(names.warp));
  add(names.reg, atOnce, lanes.getInDimSizeLog2(names.reg));
  std::string error;
  const auto created =
      LinearLayout::create({{names.offset, bases}, {names.block, {}}},
                           ttg::tensorDims(context, type.getRank()), error);
  if (!created)
    return {};
  const LinearLayout &rows = *created;
  const unsigned bytes = tt::bytesInMemory(type.getElementType()),
                 interval = elements << lanes.getInDimSizeLog2(names.lane);
  const SharedBanks banks = ttg::lookupSharedBanks(load);
  Attribute best;
  uint64_t fewest = UINT64_MAX;
  for (unsigned gap : {16, 32, 64}) {
    Attribute layout = ttg::PaddedSharedEncodingAttr::get(context, {interval},
                                                          {gap / bytes}, rows);
    uint64_t wavefronts = 0;
    for (Operation *user : load->getUsers()) {
      auto reader = dyn_cast<RankedTensorType>(user->getResult(0).getType());
      if (!isa<ttg::ConvertLayoutOp, ttg::LocalAllocOp>(user))
        continue;
      if (!reader || isReadTransposed(reader, rows)) {
        wavefronts += gap == banks.banks ? 0 : 1;
        continue;
      }
      wavefronts += wavefrontsOf(reader, type, layout, banks);
    }
    if (wavefronts < fewest) {
      fewest = wavefronts;
      best = layout;
    }
  }
  return best;
}

RingOfBuffers::RingOfBuffers(scf::ForOp loop, ArrayRef<Operation *> loads,
                             const AxisInfoAnalysis &axes, const Target &target)
    : loc(loads.empty() ? loop.getLoc() : loads.front()->getLoc()),
      isAmd(target.isAmd()) {
  for (Operation *op : loads) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Attribute layout;
    unsigned elements = 1;
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      hasGroups = true;
      elements = ttgir::copyBits(load, axes, target) /
                 (8 * tt::bytesInMemory(type.getElementType()));
      layout = target.copiesLaneAfterLane() ? laneAfterLane(load, elements)
                                            : wantedLayout(load);
      if (!layout)
        layout = swizzledLayout(load);
    } else {
      layout = blockLayout(cast<tt::DescriptorLoadOp>(op).getDesc(), type,
                           /*ctas=*/1);
      bytesByTma += static_cast<uint64_t>(type.getNumElements()) *
                    tt::bytesInMemory(type.getElementType());
    }
    buffers.push_back({op,
                       memoryOf(type.getShape(), type.getElementType(), layout),
                       elements});
  }
}

/// The layout of a buffer with `memory` as `op` permutes its dimensions.
static Attribute layoutAfter(tt::TransOp op, ttg::MemDescType memory) {
  const tt::LayoutInterface *layouts =
      tt::getLayoutInterface(memory.getEncoding());
  if (!layouts)
    return {};
  FailureOr<Attribute> layout = layouts->inferTrans(
      memory.getEncoding(), memory.getShape(), op.getOrder(), op.getLoc());
  return succeeded(layout) ? *layout : Attribute();
}

/// What is loaded to the buffer in place of `alloc`, or null.
const RingOfBuffers::Buffer *
RingOfBuffers::sourceOf(ttg::LocalAllocOp alloc) const {
  Operation *from = alloc.getSrc() && asOperandMemory(alloc)
                        ? alloc.getSrc().getDefiningOp()
                        : nullptr;
  auto trans = dyn_cast_or_null<tt::TransOp>(from);
  if (trans)
    from = trans.getSrc().getDefiningOp();
  auto *buffer = llvm::find_if(
      buffers, [&](const Buffer &buffer) { return buffer.load == from; });
  if (buffer == buffers.end())
    return nullptr;
  Attribute layout =
      trans ? layoutAfter(trans, buffer->type) : buffer->type.getEncoding();
  return layout == alloc.getType().getEncoding() ? &*buffer : nullptr;
}

bool RingOfBuffers::keeps(Value operand, scf::ForOp loop) const {
  auto alloc = operand.getDefiningOp<ttg::LocalAllocOp>();
  return loop.isDefinedOutsideOfLoop(operand) || (alloc && sourceOf(alloc));
}

int64_t RingOfBuffers::slotsWithin(int64_t bytes, scf::ForOp loop) const {
  auto bytesOf = [](ttg::MemDescType type) {
    return ttg::allocationBytes(type).value_or(0);
  };
  int64_t slot = 0, beside = 0, scratch = 0;
  for (const Buffer &buffer : buffers)
    slot += bytesOf(buffer.type);
  if (hasBarriers())
    slot += bytesOf(ttgir::BarrierRing::typeOf(loop.getContext(), 1));
  loop->getParentOfType<tt::FuncOp>().walk([&](ttg::LocalAllocOp alloc) {
    auto isInside = [&](Operation *op) { return loop->isAncestor(op); };
    if (!sourceOf(alloc) &&
        (isInside(alloc) || llvm::any_of(alloc->getUsers(), isInside)))
      beside += bytesOf(alloc.getType());
  });
  loop.walk([&](ttg::ScratchOpInterface op) {
    scratch = std::max<int64_t>(scratch, op.getScratchBytes());
  });
  return std::max<int64_t>(0, bytes - beside - scratch) /
         std::max<int64_t>(1, slot);
}

void RingOfBuffers::allocate(OpBuilder &b, unsigned number) {
  slots = number;
  for (Buffer &buffer : buffers)
    buffer.ring = ttg::LocalAllocOp::create(b, loc, ringOf(buffer.type, slots));
  if (hasBarriers())
    barriers = ttgir::BarrierRing(b, loc, slots);
}

Value RingOfBuffers::at(OpBuilder &b, Value ring, Value slot) const {
  auto type = cast<ttg::MemDescType>(ring.getType());
  return ttg::MemDescIndexOp::create(b, loc,
                                     memoryOf(type.getShape().drop_front(),
                                              type.getElementType(),
                                              type.getEncoding()),
                                     ring, slot);
}

Value kernelscope::maskIf(OpBuilder &b, Location loc, Value runs,
                          Value pointers, Value mask) {
  if (matchPattern(runs, m_One()))
    return mask;
  Value all =
      tt::SplatOp::create(b, loc, tt::getI1SameShape(pointers.getType()), runs);
  return mask ? arith::AndIOp::create(b, loc, all, mask).getResult() : all;
}

void RingOfBuffers::copy(OpBuilder &b, const IRMapping &values, Value slot,
                         Value runs) const {
  auto now = [&](Value value) {
    return value ? values.lookupOrDefault(value) : Value();
  };
  Value barrier;
  if (hasBarriers()) {
    barrier = barriers.at(b, loc, slot);
    ttng::BarrierExpectOp::create(b, loc, barrier,
                                  static_cast<uint32_t>(bytesByTma), runs,
                                  IntegerAttr());
  }
  for (const Buffer &buffer : buffers) {
    Location where = buffer.load->getLoc();
    Value to = at(b, buffer.ring, slot);
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(buffer.load)) {
      ttng::AsyncTMACopyGlobalToLocalOp::create(
          b, where, load.getDesc(), llvm::map_to_vector(load.getIndices(), now),
          ValueRange(), barrier, to, runs, /*multicast=*/false, load.getCache(),
          load.getEvict(), /*isVolatile=*/false, /*cachePolicy=*/Attribute());
      continue;
    }
    auto load = cast<tt::LoadOp>(buffer.load);
    Value pointers = now(load.getPtr());
    Value mask = maskIf(b, where, runs, pointers, now(load.getMask()));
    ttg::AsyncCopyGlobalToLocalOp::create(
        b, where, ttg::AsyncTokenType::get(b.getContext()), pointers, to, mask,
        /*other=*/Value(), load.getCache(), load.getEvict(),
        /*isVolatile=*/false, isAmd ? buffer.elements : 1,
        load.getCachePolicyAttr());
  }
  if (hasGroups)
    ttg::AsyncCommitGroupOp::create(b, loc, ValueRange());
}

/// A load of what `wait` has waited for.
Value RingOfBuffers::load(OpBuilder &b, Location where, Type type,
                          Value memory) const {
  auto load = ttg::LocalLoadOp::create(b, where, type, memory);
  // LLVM would wait for all copies otherwise.
  if (isAmd)
    load->setAttr(syncedLoadName, b.getBoolAttr(true));
  return load;
}

/// Replaces what reads `tensor` by what reads `memory`, which holds it.
void RingOfBuffers::readFrom(OpBuilder &b, Value memory, Value tensor) const {
  Value loaded;
  auto type = cast<ttg::MemDescType>(memory.getType());
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  for (OpOperand &use : llvm::make_early_inc_range(tensor.getUses())) {
    Operation *user = use.getOwner();
    b.setInsertionPoint(user);
    if (ttg::LocalAllocOp alloc = asOperandMemory(user);
        alloc && (alloc.getType().getEncoding() == type.getEncoding() ||
                  isReadInAnyLayout(alloc))) {
      alloc.replaceAllUsesWith(memory);
      user->erase();
    } else if (isa<ttg::ConvertLayoutOp>(user)) {
      Value converted =
          load(b, user->getLoc(), user->getResult(0).getType(), memory);
      user->getResult(0).replaceAllUsesWith(converted);
      user->erase();
    } else {
      b.restoreInsertionPoint(here);
      if (auto trans = dyn_cast<tt::TransOp>(user)) {
        b.setInsertionPoint(user);
        if (Value view = transposed(b, memory, trans)) {
          readFrom(b, view, trans.getResult());
          trans.erase();
          continue;
        }
        b.restoreInsertionPoint(here);
      }
      if (!loaded)
        loaded = load(b, loc, tensor.getType(), memory);
      use.set(loaded);
    }
  }
  b.restoreInsertionPoint(here);
}

Value RingOfBuffers::transposed(OpBuilder &b, Value memory,
                                tt::TransOp op) const {
  auto type = cast<ttg::MemDescType>(memory.getType());
  Attribute layout = layoutAfter(op, type);
  if (!layout)
    return {};
  return ttg::MemDescTransOp::create(
      b, op.getLoc(),
      memoryOf(op.getType().getShape(), type.getElementType(), layout), memory,
      op.getOrder());
}

void RingOfBuffers::wait(OpBuilder &b, Value slot, Value phase,
                         unsigned pending, Value runs) const {
  if (hasGroups)
    ttg::AsyncWaitOp::create(b, loc, ValueRange(), pending);
  if (hasBarriers())
    ttng::WaitBarrierOp::create(b, loc, barriers.at(b, loc, slot), phase, runs,
                                ValueRange());
}

void RingOfBuffers::read(OpBuilder &b, Value slot) {
  for (Buffer &buffer : buffers) {
    b.setInsertionPoint(buffer.load);
    readFrom(b, at(b, buffer.ring, slot), buffer.load->getResult(0));
    buffer.load->erase();
  }
}

void RingOfBuffers::release(OpBuilder &b) const {
  if (hasGroups)
    ttg::AsyncWaitOp::create(b, loc, ValueRange(), 0);
  if (hasBarriers())
    barriers.release(b, loc);
  for (const Buffer &buffer : buffers)
    ttg::LocalDeallocOp::create(b, loc, buffer.ring);
}
