//===- LowerClusterBarriers.cpp - Barriers among warps of several CTAs ----===//
//
// `barrier.cluster` waits for all threads of the cluster (PTX ISA). In a kernel
// with partitions:
//
//   where                       how the warps of all CTAs meet
//   --------------------------  -----------------------------------------------
//   outside ttg.warp_specialize they tell the block's other warps, and all
//                               threads execute `barrier.cluster`
//   in one of its regions       by two mbarriers of their own that alternate
//
// Two, because a CTA that has left one meeting may arrive at the next before
// this CTA has seen that the first is complete; it cannot be at the one after.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Partitions.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace kernelscope {
#define GEN_PASS_DEF_LOWERCLUSTERBARRIERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace kernelscope::lower {

namespace {

/// In shared memory: two mbarriers, and how many meetings there were, modulo 4.
constexpr unsigned mbarrierBytes = 8, countOffset = 2 * mbarrierBytes,
                   meetingBytes = 3 * mbarrierBytes;

class ClusterBarrierLowering {
public:
  ClusterBarrierLowering(ModuleOp module, const TargetHooks &hooks)
      : module(module), hooks(hooks), builder(module.getContext()) {}

  LogicalResult run();

private:
  LogicalResult lower(ttng::ClusterBarrierOp op);
  void meet(Builder &b, LLVM::LLVMFuncOp function);
  void initialize(LLVM::LLVMFuncOp kernel);
  void announce(Builder &b);
  void meetAsBlocks(Builder &b, bool isRelaxed) const;

  /// The first byte of what the warps of a region meet by: of the partition
  /// `function`, or of one of the default regions in it.
  unsigned placeOf(LLVM::LLVMFuncOp function, unsigned region);
  Value sharedAt(Builder &b, unsigned offset) const {
    return b.gep(b.intType(8), sharedMemoryOf(b, module),
                 b.i32(static_cast<int32_t>(offset)));
  }
  /// All warps of the block, which meet at the switch.
  ExecutionScope blockScope() const {
    return {0,
            static_cast<unsigned>(ttg::lookupTotalNumWarps(module).value_or(1)),
            switchBarrier, /*isWholeBlock=*/true};
  }

  ModuleOp module;
  const TargetHooks &hooks;
  OpBuilder builder;
  llvm::MapVector<std::pair<Operation *, unsigned>, unsigned> places;
  unsigned sharedBytes = 0;
};

} // namespace

unsigned ClusterBarrierLowering::placeOf(LLVM::LLVMFuncOp function,
                                         unsigned region) {
  auto [found, isNew] = places.try_emplace({function, region}, sharedBytes);
  if (isNew)
    sharedBytes += meetingBytes;
  return found->second;
}

void ClusterBarrierLowering::meetAsBlocks(Builder &b, bool isRelaxed) const {
  Ptx(b).emit(isRelaxed ? "barrier.cluster.arrive.relaxed.aligned;\n"
                          "barrier.cluster.wait.aligned;"
                        : "barrier.cluster.arrive.aligned;\n"
                          "barrier.cluster.wait.aligned;");
}

/// The warps of one region meet those of the other CTAs.
void ClusterBarrierLowering::meet(Builder &b, LLVM::LLVMFuncOp function) {
  Value base =
      sharedAt(b, placeOf(function, b.getScope().besidePartitions.value_or(0)));
  Value count = b.gep(b.intType(8), base, b.i32(countOffset));
  Value meeting = hooks.loadShared(b, count, b.intType(32), 1).front();
  // All threads have read the count, and are through with what they did.
  hooks.barrier(b);
  Value barrier = b.gep(b.intType(64), base, b.bitAnd(meeting, b.i32(1)));
  Value thread = hooks.threadId(b);
  const auto others = static_cast<int32_t>(hooks.getCtas()) - 1;
  Value step = b.bitAnd(b.add(thread, b.i32(1)), b.i32(others));
  Value other = mapToCTA(b, barrier, b.bitXor(hooks.ctaId(b), step));
  emitOnBarrier(b, "mbarrier.arrive.release.cluster.shared::cluster.b64 _,",
                other, "", b.icmp(ICmp::ult, thread, b.i32(others)));
  waitForPhase(b, hooks, barrier, b.lshr(meeting, b.i32(1)), {});
  Value next = b.bitAnd(b.add(meeting, b.i32(1)), b.i32(3));
  hooks.storeShared(b, count, {next}, b.icmp(ICmp::eq, thread, b.i32(0)));
  hooks.barrier(b);
}

/// The kernel's warps make the others leave the switch for the barrier.
void ClusterBarrierLowering::announce(Builder &b) {
  hooks.storeShared(b, sharedAt(b, *b.getScope().announcements),
                    {b.i32(clusterAnnouncement)},
                    b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0)));
  Builder all(b.getLoc(), b.getBuilder(), blockScope());
  hooks.barrier(all);
}

LogicalResult ClusterBarrierLowering::lower(ttng::ClusterBarrierOp op) {
  builder.setInsertionPoint(op);
  Builder b(op, builder);
  const ExecutionScope &scope = b.getScope();
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  if (scope.besidePartitions) {
    meet(b, function);
  } else {
    if (scope.announcements)
      announce(b);
    else if (function.getLinkage() != LLVM::Linkage::External)
      return op.emitOpError("is in the function '")
             << function.getName()
             << "', which a kernel with ttg.warp_specialize calls; it must be "
                "in the kernel, or the function must be inlined, because it "
                "depends on the place of the call which warps wait";
    meetAsBlocks(b, op.getRelaxed());
  }
  op.erase();
  return success();
}

/// Before the warps of `kernel` separate.
void ClusterBarrierLowering::initialize(LLVM::LLVMFuncOp kernel) {
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Builder b(kernel.getLoc(), builder, blockScope());
  Value isFirst = b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
  const std::string arrivals = ", " + std::to_string(hooks.getCtas() - 1);
  for (auto [warps, place] : places) {
    for (unsigned offset : {0u, mbarrierBytes})
      emitOnBarrier(b, "mbarrier.init.shared::cta.b64",
                    sharedAt(b, place + offset), arrivals, isFirst);
    hooks.storeShared(b, sharedAt(b, place + countOffset), {b.i32(0)}, isFirst);
  }
  Ptx(b).emit("fence.mbarrier_init.release.cluster;");
  // The switch orders the counts, for this CTA's warps.
  meetAsBlocks(b, /*isRelaxed=*/true);
}

LogicalResult ClusterBarrierLowering::run() {
  SmallVector<ttng::ClusterBarrierOp> ops;
  module.walk([&](ttng::ClusterBarrierOp op) { ops.push_back(op); });
  if (ops.empty())
    return success();
  auto shared = module->getAttrOfType<IntegerAttr>(ttg::sharedBytesName);
  sharedBytes = llvm::alignTo(shared ? shared.getInt() : 0, mbarrierBytes);
  declareSharedMemory(module);
  for (ttng::ClusterBarrierOp op : ops)
    if (failed(lower(op)))
      return failure();
  if (places.empty())
    return success();
  const unsigned limit = hooks.getTarget().maxSharedBytes;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!ExecutionScope::of(kernel).announcements)
      continue;
    if (sharedBytes > limit)
      return kernel.emitError()
             << "needs " << sharedBytes << " bytes of shared memory, "
             << places.size() * meetingBytes
             << " of them for barriers of the cluster in partitions; "
             << hooks.getTarget().arch << " has " << limit << " per CTA";
    initialize(kernel);
  }
  module->setAttr(ttg::sharedBytesName,
                  builder.getI32IntegerAttr(static_cast<int32_t>(sharedBytes)));
  return success();
}

namespace {

struct LowerClusterBarriers
    : kernelscope::impl::LowerClusterBarriersBase<LowerClusterBarriers> {
  using LowerClusterBarriersBase::LowerClusterBarriersBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = findLaunchTarget(module, arch);
    if (failed(target))
      return signalPassFailure();
    if (!target->isNvidia())
      return;
    auto hooks = createHooks(
        *target, static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1)));
    if (failed(ClusterBarrierLowering(module, *hooks).run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope::lower
