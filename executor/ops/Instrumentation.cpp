//===- Instrumentation.cpp - What profilers and sanitizers put in ---------===//
//
// Triton's profiler Proton and its sanitizer of global memory keep records of
// their own, which change nothing that the kernel computes: their ops do
// nothing here, and what they have in the place of an atomic op is that op.
//
//===----------------------------------------------------------------------===//

#include "dialects/proton/Proton.h"
#include "dialects/proton_gpu/ProtonGPU.h"
#include "dialects/tti/TTI.h"
#include "executor/ops/Access.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The addresses that `op` accesses atomically.
Addresses atomicAt(Planner &planner, Operation *op, Value pointers) {
  planner.runInOrder();
  Addresses at = Addresses::of(planner, op, {.addresses = pointers});
  at.isAtomic = true;
  return at;
}

Step planRMW(Planner &planner, tti::ExperimentalGSanAtomicRMWOp op) {
  return planReadModifyWrite(planner, atomicAt(planner, op, op.getPtr()),
                             op.getAtomicRmwOp(), op.getMask(), op.getVal(),
                             op.getResult());
}

Step planCAS(Planner &planner, tti::ExperimentalGSanAtomicCASOp op) {
  return planCompareAndSwap(planner, atomicAt(planner, op, op.getPtr()),
                            op.getCmp(), op.getVal(), op.getResult());
}

Step planAtomicLoad(Planner &planner, tti::ExperimentalGSanAtomicLoadOp op) {
  return planLoad(planner, atomicAt(planner, op, op.getPtr()), op.getMask(),
                  Value(), op.getResult());
}

Step planAtomicStore(Planner &planner, tti::ExperimentalGSanAtomicStoreOp op) {
  return planStore(planner, atomicAt(planner, op, op.getPtr()), op.getMask(),
                   op.getValue());
}

/// The clock advances by one each time that it is read.
Step planCounter(Planner &planner, proton_gpu::ReadCounterOp op) {
  const Slot to = planner.slot(op.getCounter());
  return withInt(planner.storage(op.getCounter()).element,
                 [&]<typename T>() -> Step {
                   return [to](Frame &frame) {
                     *frame.at<typename T::Storage>(to) =
                         T::store(int64_t(++frame.program.clock));
                     return true;
                   };
                 });
}

/// Its id is known by its name alone.
Step planEvent(Planner &planner, proton::AllocateEventOp op) {
  const Slot to = planner.slot(op.getEvent());
  return [to](Frame &frame) {
    *frame.at<int32_t>(to) = 0;
    return true;
  };
}

} // namespace

void registerInstrumentation(Registry &r) {
  for (StringRef name : {"proton.record",
                         "proton.event",
                         "proton_gpu.circular_store",
                         "proton_gpu.finalize",
                         "proton_gpu.init_ctx",
                         "proton_gpu.initialize",
                         "proton_gpu.restore_ctx",
                         "proton_gpu.save_ctx",
                         "proton_gpu.segment_alloc",
                         "tti.experimental_gsan_init",
                         "tti.experimental_gsan_kernel_exit",
                         "tti.experimental_gsan_grid_dependency_wait",
                         "tti.experimental_gsan_cluster_barrier_init",
                         "tti.experimental_gsan_cluster_barrier_sync",
                         "tti.experimental_gsan_mbarrier_table_init",
                         "tti.experimental_gsan_mbarrier_init",
                         "tti.experimental_gsan_mbarrier_arrive",
                         "tti.experimental_gsan_mbarrier_wait",
                         "tti.experimental_gsan_tensordesc_access",
                         "tti.experimental_gsan_indexed_tensordesc_access",
                         "tti.experimental_gsan_atomic_tensordesc_access",
                         "tti.experimental_gsan_tensor_access",
                         "tti.experimental_gsan_atomic_poll"})
    r.add(name, planNothing);
  r.add<tti::ExperimentalGSanAtomicRMWOp>(planRMW);
  r.add<tti::ExperimentalGSanAtomicCASOp>(planCAS);
  r.add<tti::ExperimentalGSanAtomicLoadOp>(planAtomicLoad);
  r.add<tti::ExperimentalGSanAtomicStoreOp>(planAtomicStore);
  r.add<proton_gpu::ReadCounterOp>(planCounter);
  r.add<proton::AllocateEventOp>(planEvent);
}

} // namespace kernelscope::executor
