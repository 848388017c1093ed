//===- Effects.cpp - What ops of ttg do to memory, and when ---------------===//

#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

MemorySpace ttg::spaceOf(MemDescType memory) {
  return isa_and_nonnull<SharedMemorySpaceAttr>(memory.getMemorySpace())
             ? MemorySpace::Shared
             : MemorySpace::Tensor;
}

SmallVector<BarrierAction> ttg::barrierActionsOf(Operation *op) {
  auto barriers = dyn_cast<MBarrierOpInterface>(op);
  return barriers ? barriers.getBarrierActions() : SmallVector<BarrierAction>();
}

SmallVector<MemoryAccess> ttg::accessesOf(Operation *op) {
  SmallVector<MemoryAccess> accesses;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return accesses;
  AccessMode mode;
  if (auto memory = dyn_cast<MemoryAccessOpInterface>(op))
    mode = memory.getAccessMode();
  SmallVector<BarrierAction> actions = barrierActionsOf(op);
  SmallVector<Value, 1> told;
  for (const BarrierAction &action : actions)
    if (mode.completion == Completion::MBarrier &&
        (action.kind == BarrierAction::Complete ||
         action.kind == BarrierAction::ArriveWhenDone))
      told.push_back(action.barrier);

  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
    if (!isWrite && !isa<MemoryEffects::Read>(instance.getEffect()))
      continue;
    MemoryAccess access{instance.getValue(), MemorySpace::Global, isWrite};
    auto memory = access.memory ? dyn_cast<MemDescType>(access.memory.getType())
                                : MemDescType();
    if (memory)
      access.space = spaceOf(memory);
    else if (instance.getResource() != tt::GlobalMemory::get())
      continue;
    const auto *action =
        llvm::find_if(actions, [&](const BarrierAction &candidate) {
          return candidate.barrier == access.memory;
        });
    if (action == actions.end()) {
      access.mode = mode;
      access.barriers = told;
    } else {
      access.onBarrier = action->kind;
    }
    accesses.push_back(std::move(access));
  }
  return accesses;
}

bool ttg::ordersThreads(Operation *op, MemorySpace space) {
  if (auto barrier = dyn_cast<ThreadBarrierOpInterface>(op))
    return barrier.ordersMemory(space);
  return isa<gpu::BarrierOp>(op) && space != MemorySpace::Tensor;
}

//===----------------------------------------------------------------------===//
// Ops of ttg
//===----------------------------------------------------------------------===//

tt::GlobalAccess AsyncCopyGlobalToLocalOp::getGlobalAccess() {
  return {.addresses = getSrc(),
          .mask = getMask(),
          .other = getOther(),
          .contiguity = static_cast<int32_t>(getContiguity()),
          .reads = true};
}
AccessMode AsyncCopyGlobalToLocalOp::getAccessMode() {
  return {Proxy::Generic, Completion::CommitGroup};
}

Completion AsyncWaitOp::getAwaited() { return Completion::CommitGroup; }
int64_t AsyncWaitOp::getPending() { return static_cast<int32_t>(getNum()); }

bool BarrierOp::ordersMemory(MemorySpace space) {
  switch (space) {
  case MemorySpace::Shared:
    return hasLocal();
  case MemorySpace::Global:
    return hasGlobalRead() && hasGlobalWrite();
  case MemorySpace::Tensor:
    return hasTensorRead() && hasTensorWrite();
  }
  return false;
}

void LocalAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A buffer that is written once is a value: it may be shared or dropped,
  // until allocation has given it a place.
  if (!getType().getMutableMemory() &&
      !getOperation()->hasAttr(allocationOffsetName))
    return;
  OpResult buffer = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), buffer,
                       SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), buffer,
                         SharedMemory::get());
}

MemorySpace LocalAllocOp::getAllocSpace() { return spaceOf(getType()); }
std::optional<int64_t> LocalAllocOp::getAllocSize() {
  return allocationBytes(getType());
}
int64_t LocalAllocOp::getAllocAlignment() {
  if (std::optional<uint32_t> alignment = getAlignment())
    return *alignment;
  auto layout = dyn_cast<SharedEncodingTrait>(getType().getEncoding());
  const int64_t alignment = layout ? layout.getAlignment() : 16;
  // Accesses are powers of two and stay within one buffer of a ring: of three
  // barriers, each has 8 bytes.
  const int64_t bytes = getType().getNumElements() *
                        tt::bytesInMemory(getType().getElementType());
  return alignment <= 16 && bytes ? std::min(alignment, bytes & -bytes)
                                  : alignment;
}
