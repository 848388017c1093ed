//===- LowerWarpSpecialization.cpp - ttg.warp_specialize ------------------===//
//
// The kernel's own warps run on as before. The others wait at the switch, a
// barrier of the whole block:
//
//   kernel's warps                        others
//   ------------------------------------  --------------------------------
//   write which op it is, and captures
//   switch ------------------------------ switch
//                                         read both
//   switch ------------------------------ switch
//   default region                        partition, if they have one
//   switch ------------------------------ switch
//   on with the results                   back to the first switch
//
// At its end the kernel writes that there is nothing more, and all leave. Each
// partition becomes a function that its warps call, so that what is emitted in
// it knows them (ExecutionScope).
//
// Where a partition asks for a number of registers, every group of four warps
// sets its own on the way in and out (WarpRegisters.h).
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/nvidia/PartitionRegisters.h"
#include "passes/lower/support/Captures.h"
#include "passes/lower/support/Partitions.h"

using namespace mlir;

namespace kernelscope {
#define GEN_PASS_DEF_LOWERWARPSPECIALIZATION
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace kernelscope::lower {

namespace {

/// Lowers the partitions of one kernel.
class KernelLowering {
public:
  KernelLowering(tt::FuncOp kernel, const TypeConverter &converter,
                 const TargetHooks &hooks)
      : kernel(kernel), converter(converter), hooks(hooks),
        builder(kernel.getContext()), symbols(kernel->getParentOp()),
        lastFunction(kernel) {
    kernel.walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
    defaultScope = ExecutionScope::of(kernel);
    auto total =
        static_cast<unsigned>(ttg::lookupTotalNumWarps(kernel).value_or(0));
    blockScope = {0, std::max(total, defaultScope.warps), switchBarrier,
                  /*isWholeBlock=*/true};
  }

  /// Does nothing to a kernel that it cannot lower: its ops are reported as
  /// having no lowering. Fails with an error on what is wrong.
  LogicalResult run();

private:
  /// The results and operands of one op.
  struct Plan {
    ttg::WarpSpecializeOp op;
    SmallVector<ExecutionScope> scopes;
    SmallVector<RegisterGroup> groups;
    unsigned defaultRegisters = 0;
    SmallVector<tt::FuncOp> functions;
  };

  LogicalResult planRegisters();
  tt::FuncOp outline(Plan &plan, unsigned partition, unsigned number);
  void lowerDefault(Plan &plan, unsigned number);
  void lowerExit(tt::ReturnOp op);
  Block *lowerOthers(Value warp, Block *leave);
  Block *lowerGroup(Plan &plan, const RegisterGroup &group, Value warp,
                    Block *wait);

  Builder builderAt(Operation *op) {
    return {op->getLoc(), builder, blockScope};
  }
  /// A block at the end of the kernel; the builder stands in it.
  Block *newBlock() { return builder.createBlock(&kernel.getBody()); }
  /// At the switch, with all other warps of the block.
  void meet(Builder &b) const { hooks.barrier(b); }
  /// Signals to the other warps what is next: the op of that number, or the
  /// end.
  void announce(Builder &b, unsigned number, Value isFirst) {
    hooks.storeShared(b, sharedMemoryOf(b, kernel),
                      {b.i32(static_cast<int32_t>(number))}, isFirst);
  }
  Block *lowerClusterBarrier(Block *wait);
  Value isFirstThread(Builder &b) const {
    return b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
  }

  tt::FuncOp kernel;
  const TypeConverter &converter;
  const TargetHooks &hooks;
  OpBuilder builder;
  SymbolTable symbols;
  /// The kernel, or the partition outlined last.
  Operation *lastFunction;
  SmallVector<ttg::WarpSpecializeOp> ops;
  SmallVector<Plan> plans;
  ExecutionScope defaultScope, blockScope;
  std::optional<WarpRegisters> registers;
};

} // namespace

LogicalResult KernelLowering::planRegisters() {
  if (hooks.getTarget().hasRegisterTransfer)
    registers =
        kernelRegisters(kernel, ops, defaultScope.warps, blockScope.warps);
  if (!registers)
    return success();
  for (Plan &plan : plans) {
    auto left = grantRegisters(plan.op, plan.groups, *registers);
    if (failed(left))
      return failure();
    plan.defaultRegisters = *left;
  }
  return success();
}

tt::FuncOp KernelLowering::outline(Plan &plan, unsigned partition,
                                   unsigned number) {
  std::string name = (kernel.getName() + "_specialize" + Twine(number) +
                      "_partition" + Twine(partition))
                         .str();
  builder.setInsertionPointAfter(lastFunction);
  ExecutionScope scope = plan.scopes[partition];
  if (registers)
    for (const RegisterGroup &group : plan.groups)
      if (llvm::is_contained(group.partitions, partition))
        scope.registers = std::min(group.registers, registers->launched());
  tt::FuncOp function =
      outlinePartition(builder, plan.op, partition, name, scope);
  symbols.insert(function);
  lastFunction = function;
  return function;
}

/// The kernel's warps distribute the partitions, run the default region in
/// place, and wait for the others.
void KernelLowering::lowerDefault(Plan &plan, unsigned number) {
  ttg::WarpSpecializeOp op = plan.op;
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  for (Value result : op.getResults())
    result.replaceAllUsesWith(
        after->addArgument(result.getType(), op.getLoc()));

  unsigned idle = registers ? registers->defaultIdle() : 0;
  builder.setInsertionPointToEnd(before);
  Builder b = builderAt(op);
  Value isFirst = isFirstThread(b);
  announce(b, number, isFirst);
  storeCaptures(b, op, isFirst, converter, hooks);
  meet(b);
  setRegisters(b, idle, plan.defaultRegisters);
  meet(b);
  Region &region = op.getDefaultRegion();
  if (hooks.getCtas() > 1)
    region.walk([&](Operation *inside) {
      ExecutionScope::noteBesidePartitions(inside, number);
    });
  cf::BranchOp::create(builder, op.getLoc(), &region.front());

  for (Block &block : region) {
    auto yield = dyn_cast<ttg::WarpYieldOp>(block.getTerminator());
    if (!yield)
      continue;
    builder.setInsertionPoint(yield);
    meet(b);
    setRegisters(b, plan.defaultRegisters, idle);
    cf::BranchOp::create(builder, yield.getLoc(), after, yield.getValues());
    yield.erase();
  }
  kernel.getBody().getBlocks().splice(after->getIterator(), region.getBlocks());
}

void KernelLowering::lowerExit(tt::ReturnOp op) {
  builder.setInsertionPoint(op);
  Builder b = builderAt(op);
  announce(b, plans.size(), isFirstThread(b));
  meet(b);
}

/// The warps of one group, once the op is known; returns the block that they
/// enter.
Block *KernelLowering::lowerGroup(Plan &plan, const RegisterGroup &group,
                                  Value warp, Block *wait) {
  ttg::WarpSpecializeOp op = plan.op;
  unsigned idle = registers ? registers->extraIdle() : 0;
  Builder b = builderAt(op);
  Block *leave = newBlock();
  meet(b);
  setRegisters(b, group.registers, idle);
  cf::BranchOp::create(builder, op.getLoc(), wait);

  Block *rest = newBlock();
  meet(b);
  cf::BranchOp::create(builder, op.getLoc(), leave);

  SmallVector<Block *> ofWarp(group.warps, rest);
  for (unsigned partition : group.partitions) {
    Block *block = newBlock();
    SmallVector<Value> captures = loadCaptures(b, op, converter, hooks);
    meet(b);
    tt::CallOp::create(builder, op.getLoc(), plan.functions[partition],
                       captures);
    cf::BranchOp::create(builder, op.getLoc(), leave);
    const ExecutionScope &scope = plan.scopes[partition];
    std::fill_n(ofWarp.begin() + (scope.firstWarp - group.firstWarp),
                scope.warps, block);
  }

  Block *enter = newBlock();
  setRegisters(b, idle, group.registers);
  if (llvm::all_equal(ofWarp)) {
    cf::BranchOp::create(builder, op.getLoc(), ofWarp.front());
  } else {
    SmallVector<int32_t> warps =
        llvm::to_vector(llvm::seq<int32_t>(group.firstWarp, group.end()));
    cf::SwitchOp::create(builder, op.getLoc(), warp, rest, ValueRange(), warps,
                         ofWarp, SmallVector<ValueRange>(warps.size()));
  }
  if (rest->hasNoPredecessors())
    rest->erase();
  return enter;
}

/// What they do when the kernel's warps announce the cluster's barrier, which
/// all threads must reach; returns the block that they enter.
Block *KernelLowering::lowerClusterBarrier(Block *wait) {
  Block *enter = newBlock();
  Builder b = builderAt(kernel);
  hooks.cluster()->barrier(b);
  cf::BranchOp::create(builder, kernel.getLoc(), wait);
  return enter;
}

/// What the warps beyond the kernel's do until they go to `leave`; returns the
/// block where they begin.
Block *KernelLowering::lowerOthers(Value warp, Block *leave) {
  Block *start = newBlock();
  Builder b = builderAt(kernel);
  if (registers)
    setRegisters(b, registers->launched(), registers->extraIdle());
  Block *wait = newBlock();
  builder.setInsertionPointToEnd(start);
  cf::BranchOp::create(builder, kernel.getLoc(), wait);

  SmallVector<Block *> entries;
  for (Plan &plan : plans) {
    SmallVector<Block *> ofGroup, ofWarp;
    for (const RegisterGroup &group : plan.groups) {
      ofGroup.push_back(lowerGroup(plan, group, warp, wait));
      ofWarp.append(group.warps, ofGroup.back());
    }
    if (ofGroup.size() == 1) {
      entries.push_back(ofGroup.front());
      continue;
    }
    entries.push_back(newBlock());
    SmallVector<int32_t> warps = llvm::to_vector(
        llvm::seq<int32_t>(defaultScope.warps, blockScope.warps));
    cf::SwitchOp::create(builder, plan.op.getLoc(), warp, ofWarp.back(),
                         ValueRange(), warps, ofWarp,
                         SmallVector<ValueRange>(warps.size()));
  }

  builder.setInsertionPointToEnd(wait);
  meet(b);
  Value next =
      hooks.loadShared(b, sharedMemoryOf(b, kernel), b.intType(32), 1).front();
  // A branch of the scalar unit, where the chip has one.
  if (hooks.getTarget().isAmd())
    next = b.intrinsic("llvm.amdgcn.readfirstlane.i32", b.intType(32), {next});
  auto numbers = llvm::to_vector(
      llvm::seq<int32_t>(0, static_cast<int32_t>(plans.size())));
  if (hooks.getCtas() > 1 && hooks.cluster()) {
    numbers.push_back(clusterAnnouncement);
    entries.push_back(lowerClusterBarrier(wait));
    builder.setInsertionPointToEnd(wait);
  }
  cf::SwitchOp::create(builder, kernel.getLoc(), next, leave, ValueRange(),
                       numbers, entries,
                       SmallVector<ValueRange>(numbers.size()));
  return start;
}

LogicalResult KernelLowering::run() {
  auto isLowered = [&](ttg::WarpSpecializeOp op) {
    return llvm::all_of(op.getExplicitCaptures(), [&](Value capture) {
      return converter.convertType(capture.getType()) != nullptr;
    });
  };
  if (blockScope.warps <= defaultScope.warps || !llvm::all_of(ops, isLowered))
    return success();
  for (ttg::WarpSpecializeOp op : ops)
    plans.push_back(
        {op,
         partitionScopes(op),
         groupsFor(partitionScopes(op), defaultScope.warps, blockScope.warps),
         0,
         {}});
  if (failed(planRegisters()))
    return failure();

  if (!plans.empty()) {
    auto place = kernel->getAttrOfType<IntegerAttr>(ttg::allocationOffsetName);
    defaultScope.announcements =
        place ? static_cast<unsigned>(place.getInt()) : 0;
    defaultScope.noteOn(kernel);
  }
  for (auto [number, plan] : llvm::enumerate(plans))
    for (unsigned i = 0; i < plan.scopes.size(); ++i)
      plan.functions.push_back(outline(plan, i, number));
  for (auto [number, plan] : llvm::enumerate(plans))
    lowerDefault(plan, number);
  // Nobody waits in a kernel without partitions.
  if (!plans.empty())
    for (auto op : llvm::to_vector(kernel.getBody().getOps<tt::ReturnOp>()))
      lowerExit(op);

  declareSharedMemory(kernel->getParentOfType<ModuleOp>());
  Block *entry = &kernel.getBody().front();
  Block *body = entry->splitBlock(entry->begin());
  Block *leave = newBlock();
  tt::ReturnOp::create(builder, kernel.getLoc());

  builder.setInsertionPointToEnd(entry);
  Builder b = builderAt(kernel);
  Value warp = hooks.uniformWarpId(b);
  Value isDefault =
      b.icmp(ICmp::ult, warp, b.i32(static_cast<int32_t>(defaultScope.warps)));
  Block *others = plans.empty() ? leave : lowerOthers(warp, leave);
  builder.setInsertionPointToEnd(entry);
  cf::CondBranchOp::create(builder, kernel.getLoc(), isDefault, body, others);
  builder.setInsertionPointToStart(body);
  if (registers)
    setRegisters(b, registers->launched(), registers->defaultIdle());
  for (Plan &plan : plans)
    plan.op.erase();
  return success();
}

namespace {

struct LowerWarpSpecialization
    : kernelscope::impl::LowerWarpSpecializationBase<LowerWarpSpecialization> {
  using LowerWarpSpecializationBase::LowerWarpSpecializationBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = findLaunchTarget(module, arch);
    if (failed(target))
      return signalPassFailure();
    if (!hasPartitionBarriers(*target))
      return;
    auto hooks = createHooks(
        *target, static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1)));
    LowerToLLVMOptions options(module.getContext());
    TypeConverter converter(module.getContext(), options, *target);
    for (auto kernel : llvm::to_vector(module.getOps<tt::FuncOp>()))
      if (kernel.isPublic() && !kernel.isExternal() &&
          failed(KernelLowering(kernel, converter, *hooks).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope::lower
