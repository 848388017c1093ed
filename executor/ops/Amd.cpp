//===- Amd.cpp - Buffer accesses of amdg ----------------------------------===//
//
// A base pointer with a tensor of offsets, in elements; otherwise loads, stores
// and atomics as any.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "executor/ops/Access.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planBufferLoad(Planner &planner, amdg::BufferLoadOp op) {
  return planLoad(planner, Addresses::of(planner, op), op.getMask(),
                  op.getOther(), op.getResult());
}

Step planBufferStore(Planner &planner, amdg::BufferStoreOp op) {
  return planStore(planner, Addresses::of(planner, op), op.getMask(),
                   op.getValue());
}

Step planBufferAtomicRMW(Planner &planner, amdg::BufferAtomicRMWOp op) {
  return planReadModifyWrite(planner, Addresses::of(planner, op),
                             op.getAtomicRmwOp(), op.getMask(), op.getValue(),
                             op.getResult());
}

Step planBufferAtomicCAS(Planner &planner, amdg::BufferAtomicCASOp op) {
  return planCompareAndSwap(planner, Addresses::of(planner, op), op.getCmp(),
                            op.getVal(), op.getResult());
}

} // namespace

void registerAmd(Registry &r) {
  r.add<amdg::BufferLoadOp>(planBufferLoad);
  r.add<amdg::BufferStoreOp>(planBufferStore);
  r.add<amdg::BufferAtomicRMWOp>(planBufferAtomicRMW);
  r.add<amdg::BufferAtomicCASOp>(planBufferAtomicCAS);
}

} // namespace kernelscope::executor
