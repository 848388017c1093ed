//===- Effects.cpp - What ops of amdg do to memory, and when --------------===//

#include "dialects/amdg/AMDG.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::amdg;
using ttg::AccessMode;
using ttg::BarrierAction;
using ttg::Completion;
using ttg::Proxy;

using Actions = SmallVector<BarrierAction>;

//===----------------------------------------------------------------------===//
// Buffer accesses, and copies by lanes
//===----------------------------------------------------------------------===//

tt::GlobalAccess BufferLoadOp::getGlobalAccess() {
  return {.addresses = getOffsets(),
          .base = getPtr(),
          .mask = getMask(),
          .other = getOther(),
          .reads = true};
}
tt::GlobalAccess BufferStoreOp::getGlobalAccess() {
  return {.addresses = getOffsets(),
          .base = getPtr(),
          .mask = getMask(),
          .writes = true};
}
tt::GlobalAccess BufferAtomicRMWOp::getGlobalAccess() {
  return {.addresses = getOffsets(),
          .base = getPtr(),
          .mask = getMask(),
          .reads = true,
          .writes = true,
          .isAtomic = true};
}
tt::GlobalAccess BufferAtomicCASOp::getGlobalAccess() {
  return {.addresses = getOffsets(),
          .base = getPtr(),
          .reads = true,
          .writes = true,
          .isAtomic = true};
}

tt::GlobalAccess BufferLoadToLocalOp::getGlobalAccess() {
  return {.addresses = getOffsets(),
          .base = getPtr(),
          .mask = getMask(),
          .other = getOther(),
          .contiguity = static_cast<int32_t>(getContiguity()),
          .reads = true};
}
AccessMode BufferLoadToLocalOp::getAccessMode() {
  return {Proxy::Generic, Completion::CommitGroup};
}

tt::GlobalAccess AsyncCopyLocalToGlobalOp::getGlobalAccess() {
  return {.addresses = getDst(), .mask = getMask(), .writes = true};
}
AccessMode AsyncCopyLocalToGlobalOp::getAccessMode() {
  return {Proxy::Generic, Completion::CommitGroup};
}

Completion AsyncWaitOp::getAwaited() { return Completion::CommitGroup; }
int64_t AsyncWaitOp::getPending() { return static_cast<int32_t>(getNumInst()); }
bool AsyncWaitOp::countsInstructions() { return true; }

//===----------------------------------------------------------------------===//
// The tensor data mover
//===----------------------------------------------------------------------===//

static AccessMode copiesBlocks(Value barrier, Value predicate = {}) {
  return {Proxy::Async,
          barrier ? Completion::MBarrier : Completion::TensorCounter,
          predicate};
}

/// One op may be several instructions, each of which arrives.
static Actions arriveWhenCopied(Value barrier) {
  if (!barrier)
    return {};
  return {{.kind = BarrierAction::ArriveWhenDone, .barrier = barrier}};
}

AccessMode AsyncTDMCopyGlobalToLocalOp::getAccessMode() {
  return copiesBlocks(getBarrier(), getPred());
}
AccessMode AsyncTDMFusedCopyGlobalToLocalOp::getAccessMode() {
  return copiesBlocks({});
}
AccessMode AsyncTDMCopyLocalToGlobalOp::getAccessMode() {
  return copiesBlocks(getBarrier());
}
AccessMode AsyncTDMGatherOp::getAccessMode() {
  return copiesBlocks(getBarrier());
}
AccessMode AsyncTDMScatterOp::getAccessMode() {
  return copiesBlocks(getBarrier());
}

Actions AsyncTDMCopyGlobalToLocalOp::getBarrierActions() {
  return arriveWhenCopied(getBarrier());
}
Actions AsyncTDMCopyLocalToGlobalOp::getBarrierActions() {
  return arriveWhenCopied(getBarrier());
}
Actions AsyncTDMGatherOp::getBarrierActions() {
  return arriveWhenCopied(getBarrier());
}
Actions AsyncTDMScatterOp::getBarrierActions() {
  return arriveWhenCopied(getBarrier());
}

Completion AsyncTDMWaitOp::getAwaited() { return Completion::TensorCounter; }
int64_t AsyncTDMWaitOp::getPending() { return static_cast<int32_t>(getNum()); }
Completion AsyncTDMIntrinsicWaitOp::getAwaited() {
  return Completion::TensorCounter;
}
int64_t AsyncTDMIntrinsicWaitOp::getPending() {
  return static_cast<int32_t>(getCount());
}
bool AsyncTDMIntrinsicWaitOp::countsInstructions() { return true; }

//===----------------------------------------------------------------------===//
// Barriers in LDS
//===----------------------------------------------------------------------===//

Actions InitBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Init,
           .barrier = getAlloc(),
           .count = static_cast<int32_t>(getCount())}};
}
Actions WaitBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Wait,
           .barrier = getAlloc(),
           .phase = getPhase()}};
}
// Which threads arrive is the caller's matter, so how often is not known.
Actions ArriveBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Arrive, .barrier = getAlloc()}};
}
Actions AsyncCopyMbarrierArriveOp::getBarrierActions() {
  return {{.kind = BarrierAction::ArriveWhenDone, .barrier = getBarrier()}};
}
