//===- LdsBarriers.cpp - Barriers in LDS, gfx1250 -------------------------===//

#include "dialects/amdg/AMDG.h"
#include "executor/ops/Barrier.h"
#include "executor/plan/Registry.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

uint32_t threadsOf(Operation *op) {
  return ttg::lookupNumWarps(op).value_or(1) *
         ttg::lookupThreadsPerWarp(op).value_or(32);
}

Step planInit(Planner &planner, amdg::InitBarrierOp op) {
  return planBarrierInit(planBarrier(planner, op, op.getAlloc()),
                         op.getCount());
}

Step planWait(Planner &planner, amdg::WaitBarrierOp op) {
  return planBarrierWait(planBarrier(planner, op, op.getAlloc()),
                         planner.slot(op.getPhase()), {});
}

/// Every thread arrives.
Step planArrive(Planner &planner, amdg::ArriveBarrierOp op) {
  return [barrier = planBarrier(planner, op, op.getAlloc()),
          count = op.getCount() * threadsOf(op),
          to = planner.slot(op.getResult())](Frame &frame) {
    const BarrierAddress address = barrier.at(frame);
    const MBarrier *found = address.find(frame);
    if (!found)
      return false;
    *frame.at<uint32_t>(to) = found->phase() % 2;
    return address.arrive(frame, count);
  };
}

Step planArriveWhenCopied(Planner &planner,
                          amdg::AsyncCopyMbarrierArriveOp op) {
  return planCopiesArrive(planBarrier(planner, op, op.getBarrier()),
                          threadsOf(op), /*addsThem=*/false);
}

} // namespace

void registerLdsBarriers(Registry &r) {
  r.add<amdg::InitBarrierOp>(planInit);
  r.add<amdg::WaitBarrierOp>(planWait);
  r.add<amdg::ArriveBarrierOp>(planArrive);
  r.add<amdg::AsyncCopyMbarrierArriveOp>(planArriveWhenCopied);
}

} // namespace kernelscope::executor
