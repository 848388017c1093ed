//===- OneThread.cpp - Ops on the pointers and ids of one thread ----------===//
//
// They stand among ops of the LLVM dialect. All threads of an agent give them
// the same scalars, since a value that differs between threads has no storage
// here (ThreadIds.cpp), so that they run once for all.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/nvg/NVG.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Access.h"
#include "executor/ops/ThreadIds.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The one element of the type of `value` that `op` accesses at `pointer`;
/// none after an error on `op`.
std::optional<Addresses> scalarAt(Planner &planner, Operation *op,
                                  TypedValue<LLVM::LLVMPointerType> pointer,
                                  Value value) {
  constexpr unsigned generic = 0, global = 1;
  const unsigned space = pointer.getType().getAddressSpace();
  if (space != generic && space != global) {
    op->emitError("the CPU executor runs '")
        << op->getName() << "' on global memory, address space " << generic
        << " or " << global << ", but the pointer's is " << space;
    return std::nullopt;
  }
  if (!planner.storageOf(value.getType(), op))
    return std::nullopt;
  Addresses at;
  at.pointers = planner.slot(pointer);
  at.elementBytes = planner.bytesOf(value);
  at.op = op;
  return at;
}

Step planMaskedLoad(Planner &planner, amdg::MaskedLoadOp op) {
  auto from = scalarAt(planner, op, op.getPtr(), op.getResult());
  if (!from)
    return {};
  return planLoad(planner, *from, op.getMask(), op.getFalseVal(),
                  op.getResult());
}

Step planMaskedStore(Planner &planner, amdg::MaskedStoreOp op) {
  auto to = scalarAt(planner, op, op.getPtr(), op.getValue());
  if (!to)
    return {};
  return planStore(planner, *to, op.getMask(), op.getValue());
}

/// What another program or agent has stored may be seen, as by a volatile load.
Step planLoadAcquire(Planner &planner, nvg::LoadAcquireOp op) {
  auto from = scalarAt(planner, op, op.getAddr(), op.getResult());
  if (!from)
    return {};
  from->isAtomic = true;
  Step load = pollByLoads(
      planner, op,
      planLoad(planner, *from, op.getMask(), Value(), op.getResult()),
      op.getResult());
  return [load = std::move(load)](Frame &frame) {
    return frame.letOthersRun() && load(frame);
  };
}

/// result = a constant of this kernel.
Step planFixed(Planner &planner, Operation *op, int64_t value) {
  const Value result = op->getResult(0);
  if (!planner.storageOf(result.getType(), op))
    return {};
  return [value, to = planner.slot(result),
          bytes = planner.bytesOf(result)](Frame &frame) {
    std::memcpy(frame.at<char>(to), &value, bytes);
    return true;
  };
}

/// Nothing else is in the tensor memory of a CTA.
Step planTensorMemoryBase(Planner &planner, nvg::TensorMemoryBaseAddressOp op) {
  return planFixed(planner, op, 0);
}

/// Barrier 0 is that of the warps that the kernel starts with, and 1 wakes the
/// others.
Step planBarrierId(Planner &planner, nvg::WarpGroupBarrierIdOp op) {
  constexpr int64_t firstOfPartitions = 2;
  Region *region = op->getParentRegion();
  while (region && !isa<ttg::WarpSpecializePartitionsOp>(region->getParentOp()))
    region = region->getParentRegion();
  return planFixed(
      planner, op,
      region ? firstOfPartitions + int64_t(region->getRegionNumber()) : 0);
}

/// A pointer as another type, or a number as a pointer: the bits stay.
Step planSameBits(Planner &planner, Operation *op) {
  const bool isOne = op->getNumOperands() == 1 && op->getNumResults() == 1;
  if (isOne && (!planner.storageOf(op->getOperand(0).getType(), op) ||
                !planner.storageOf(op->getResult(0).getType(), op)))
    return {};
  if (!isOne ||
      planner.bytesOf(op->getOperand(0)) != planner.bytesOf(op->getResult(0))) {
    op->emitError("the CPU executor runs '")
        << op->getName()
        << "' only from one value to one value of the same width";
    return {};
  }
  return planner.assign(op->getOperands(), planner.slots(op->getResults()));
}

} // namespace

void registerOneThread(Registry &r) {
  r.add<amdg::MaskedLoadOp>(planMaskedLoad);
  r.add<amdg::MaskedStoreOp>(planMaskedStore);
  r.add<nvg::LoadAcquireOp>(planLoadAcquire);
  r.add<nvg::TensorMemoryBaseAddressOp>(planTensorMemoryBase);
  r.add<nvg::WarpGroupBarrierIdOp>(planBarrierId);
  for (StringRef name :
       {"builtin.unrealized_conversion_cast", "llvm.inttoptr", "llvm.ptrtoint"})
    r.add(name, planSameBits);
}

} // namespace kernelscope::executor
