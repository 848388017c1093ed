//===- ThreadAccess.cpp - An access that other threads may meet -----------===//

#include "passes/memory/ThreadAccess.h"
#include "dialects/ttng/TTNG.h"
#include "passes/memory/ViewReach.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::BarrierAction;

bool memory::publishes(Operation *op) {
  auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op);
  return wait && (wait.getAwaited() == Completion::CommitGroup ||
                  wait.getAwaited() == Completion::TensorCounter);
}

static ThreadAccess::Kind kindOf(BarrierAction::Kind action) {
  switch (action) {
  case BarrierAction::Init:
  case BarrierAction::Invalidate:
    return ThreadAccess::Setup;
  case BarrierAction::Wait:
    return ThreadAccess::Wait;
  case BarrierAction::Arrive:
    return ThreadAccess::Release;
  default:
    return ThreadAccess::Arrive;
  }
}

static WarpCells cellsOf(Operation *op, Value memory) {
  Value registers;
  if (auto load = dyn_cast<ttng::TMEMLoadOp>(op))
    registers = load.getResult();
  else if (auto store = dyn_cast<ttng::TMEMStoreOp>(op))
    registers = store.getSrc();
  else if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(op))
    registers = alloc.getSrc();
  if (!registers)
    return {};
  // Each of four warps has 32 lanes (PTX ISA, "Tensor Memory").
  if (ttg::lookupNumWarps(op) == 4)
    return {op->getContext(), nullptr};
  // A loop may pass overlapping windows under one name.
  Operation *view = memory.getDefiningOp();
  while (isa_and_nonnull<ttg::MemDescIndexOp, ttng::TMEMSubSliceOp>(view))
    view = view->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<ttng::TMEMAllocOp>(view))
    return {};
  return {memory.getAsOpaquePointer(),
          registers.getType().getAsOpaquePointer()};
}

/// What of `buffer` the descriptor `memory` reaches.
static Interval placeOf(Value memory, const Buffers::Buffer &buffer) {
  auto reach =
      buffer.space == MemorySpace::Shared ? reachOf(memory) : std::nullopt;
  if (!reach)
    return buffer.place;
  return {buffer.place.begin + reach->begin,
          std::min(buffer.place.begin + reach->end, buffer.place.end)};
}

SmallVector<LocatedAccess> memory::threadAccessesOf(Operation *op,
                                                    const Buffers &buffers) {
  SmallVector<LocatedAccess> accesses;
  for (const ttg::MemoryAccess &access : ttg::accessesOf(op)) {
    if (access.space == MemorySpace::Global || !access.memory)
      continue;
    ThreadAccess::Kind kind =
        access.onBarrier ? kindOf(*access.onBarrier) : ThreadAccess::Data;
    for (const Buffers::Buffer *buffer : buffers.buffersOf(access.memory))
      accesses.push_back(
          {{buffer->space, placeOf(access.memory, *buffer), access.isWrite,
            kind, access.mode.completion, cellsOf(op, access.memory)},
           access.memory});
  }
  return accesses;
}
