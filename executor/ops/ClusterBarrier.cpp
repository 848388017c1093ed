//===- ClusterBarrier.cpp - All CTAs of a cluster meet --------------------===//
//
// The agents that run the same code in each CTA meet. Unless the barrier is
// relaxed, each then knows what the others had done before (PTX ISA,
// "barrier.cluster").
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "executor/ops/Watched.h"
#include "executor/plan/Registry.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

bool arrive(Frame &frame, bool isRelaxed) {
  Cluster *cluster = frame.program.cluster.get();
  if (!cluster)
    return true;
  auto meeting = cluster->arrive(frame.cta, &frame.plan);
  if (auto known = isRelaxed ? nullptr : watchRelease(frame))
    meeting->knowledge.learn(*known);
  return true;
}

bool wait(Frame &frame, Operation *op, bool isRelaxed) {
  Cluster *cluster = frame.program.cluster.get();
  if (!cluster)
    return true;
  auto meeting = cluster->last(frame.cta, &frame.plan);
  if (!meeting)
    return frame.fault(op, frame.programName() +
                               ": waits for a barrier of the cluster at which "
                               "this CTA has not arrived");
  if (!frame.wait({op, [&] { return cluster->isComplete(*meeting); },
                   [&] {
                     return "the cluster's barrier, at which " +
                            cluster->missing(*meeting) + " must still arrive";
                   }}))
    return false;
  if (frame.watch && !isRelaxed)
    frame.watch->acquire(&meeting->knowledge);
  return true;
}

Step planClusterBarrier(Planner &, ttng::ClusterBarrierOp op) {
  return [op = op.getOperation(), isRelaxed = op.getRelaxed()](Frame &frame) {
    return arrive(frame, isRelaxed) && wait(frame, op, isRelaxed);
  };
}

Step planClusterArrive(Planner &, Operation *) {
  return [](Frame &frame) { return arrive(frame, /*isRelaxed=*/false); };
}

Step planRelaxedArrive(Planner &, Operation *) {
  return [](Frame &frame) { return arrive(frame, /*isRelaxed=*/true); };
}

Step planClusterWait(Planner &, Operation *op) {
  return [op](Frame &frame) { return wait(frame, op, /*isRelaxed=*/false); };
}

/// result = the CTA id.
Step planNumber(Planner &planner, Operation *op) {
  return [to = planner.slot(op->getResult(0))](Frame &frame) {
    *frame.at<int32_t>(to) = static_cast<int32_t>(frame.cta);
    return true;
  };
}

} // namespace

void registerClusterBarrier(Registry &r) {
  r.add<ttng::ClusterBarrierOp>(planClusterBarrier);
  for (StringRef name : {"amdg.cluster_barrier_arrive", "nvvm.cluster.arrive"})
    r.add(name, planClusterArrive);
  for (StringRef name : {"nvg.cluster_id", "tti.experimental_cluster_cta_id"})
    r.add(name, planNumber);
  r.add("nvvm.cluster.arrive.relaxed", planRelaxedArrive);
  for (StringRef name : {"amdg.cluster_barrier_wait", "nvvm.cluster.wait"})
    r.add(name, planClusterWait);
}

} // namespace kernelscope::executor
