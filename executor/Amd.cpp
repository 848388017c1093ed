//===- Amd.cpp - Buffer accesses of amdg ----------------------------------===//
//
// A base pointer with a tensor of offsets, in elements; otherwise loads, stores
// and atomics as any.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "executor/Access.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planBufferLoad(Planner &planner, amdg::BufferLoadOp op) {
  Addresses from =
      Addresses::ofOffsets(planner, op, op.getPtr(), op.getOffsets(),
                           getElementTypeOrSelf(op.getType()));
  return planLoad(planner, std::move(from), op.getMask(), op.getOther(),
                  op.getResult());
}

Step planBufferStore(Planner &planner, amdg::BufferStoreOp op) {
  Addresses to =
      Addresses::ofOffsets(planner, op, op.getPtr(), op.getOffsets(),
                           getElementTypeOrSelf(op.getValue().getType()));
  return planStore(planner, std::move(to), op.getMask(), op.getValue());
}

Step planBufferAtomicRMW(Planner &planner, amdg::BufferAtomicRMWOp op) {
  Addresses at =
      Addresses::ofOffsets(planner, op, op.getPtr(), op.getOffsets(),
                           getElementTypeOrSelf(op.getValue().getType()));
  return planReadModifyWrite(planner, std::move(at), op.getAtomicRmwOp(),
                             op.getMask(), op.getValue(), op.getResult());
}

Step planBufferAtomicCAS(Planner &planner, amdg::BufferAtomicCASOp op) {
  Addresses at =
      Addresses::ofOffsets(planner, op, op.getPtr(), op.getOffsets(),
                           getElementTypeOrSelf(op.getVal().getType()));
  return planCompareAndSwap(planner, std::move(at), op.getCmp(), op.getVal(),
                            op.getResult());
}

} // namespace

void registerAmd(Registry &r) {
  r.add<amdg::BufferLoadOp>(planBufferLoad);
  r.add<amdg::BufferStoreOp>(planBufferStore);
  r.add<amdg::BufferAtomicRMWOp>(planBufferAtomicRMW);
  r.add<amdg::BufferAtomicCASOp>(planBufferAtomicCAS);
}

} // namespace kernelscope::executor
