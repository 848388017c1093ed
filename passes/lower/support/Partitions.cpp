//===- Partitions.cpp - Partitions of ttg.warp_specialize -----------------===//

#include "passes/lower/support/Partitions.h"
#include "dialects/target/Instructions.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/LaunchConfig.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

bool lower::hasPartitionBarriers(const Target &target) {
  return !findInstructions("ttg.warp_specialize", &target).empty();
}

SmallVector<ExecutionScope> lower::partitionScopes(ttg::WarpSpecializeOp op) {
  SmallVector<ExecutionScope> scopes;
  unsigned barrier = firstPartitionBarrier;
  for (auto [start, warps] :
       llvm::zip_equal(*op.getWarpGroupStartIds(), op.getPartitionNumWarps())) {
    auto first = static_cast<unsigned>(start);
    auto count = static_cast<unsigned>(warps);
    // The lanes of one warp need no barrier of the block.
    scopes.push_back({first, count, count > 1 ? barrier++ : 0, false});
  }
  return scopes;
}

bool lower::isPassedInMemory(Value capture) {
  if (auto argument = dyn_cast<BlockArgument>(capture))
    return !argument.getOwner()->isEntryBlock() ||
           !isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  // Each warp can find scratch memory of the block.
  if (capture.getDefiningOp<ttg::GlobalScratchAllocOp>())
    return false;
  // Once shared memory is allocated, a buffer is an address that is known.
  if (auto alloc = capture.getDefiningOp<ttg::LocalAllocOp>())
    return alloc.getSrc() || alloc.getAllocSpace() != ttg::MemorySpace::Shared;
  return !capture.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

/// The number of fields that an operand of `op` of this type has as
/// TypeConverter has it, and their bits.
static std::pair<unsigned, unsigned> fieldsOf(Type type, Operation *op) {
  if (auto memory = dyn_cast<ttg::MemDescType>(type)) {
    const bool isShared =
        isa<ttg::SharedMemorySpaceAttr>(memory.getMemorySpace());
    return {isShared ? unsigned(memory.getShape().size()) + 1 : 1, 32};
  }
  if (isa<ttg::AsyncTokenType>(type))
    return {1, 32};
  if (auto descriptor = dyn_cast<tt::TensorDescInterface>(type)) {
    auto target = ttg::lookupTarget(op);
    if (target && target->hasTensorDataMover)
      return {numTensorWords(descriptor.getShape().size()), 32};
  }
  return {1, type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64};
}

unsigned lower::captureBytes(ttg::WarpSpecializeOp op, unsigned fieldBytes) {
  unsigned bytes = 0;
  for (Value capture : op.getExplicitCaptures()) {
    auto [fields, bits] = fieldsOf(capture.getType(), op);
    if (isPassedInMemory(capture) && captureFieldBytes(bits) == fieldBytes)
      bytes += fields * fieldBytes;
  }
  return bytes;
}

/// What partitions are handed: threads read it before the op lets them go.
static unsigned partitionScratchBytes(ttg::WarpSpecializeOp op) {
  return captureBytes(op, 8) + captureBytes(op, 4);
}

/// Of a kernel with partitions, while it runs: where its warps tell the others
/// what is next. 0 for other functions.
static unsigned switchBytes(tt::FuncOp function) {
  auto found = function->walk(
      [](ttg::WarpSpecializeOp) { return WalkResult::interrupt(); });
  return found.wasInterrupted() ? 4 : 0;
}

void lower::attachPartitionScratch(DialectRegistry &registry) {
  attachScratch<ttg::TTGDialect, ttg::WarpSpecializeOp, partitionScratchBytes>(
      registry);
  attachScratch<tt::TTDialect, tt::FuncOp, switchBytes>(registry);
}

tt::FuncOp lower::outlinePartition(OpBuilder &builder, ttg::WarpSpecializeOp op,
                                   unsigned partition, StringRef name,
                                   const ExecutionScope &scope) {
  Region &region = *op.getPartitionRegions()[partition];
  auto function = tt::FuncOp::create(
      builder, op.getLoc(), name,
      builder.getFunctionType(region.getArgumentTypes(), {}));
  function.setPrivate();
  function->setAttr(ttg::numWarpsName, builder.getI32IntegerAttr(
                                           static_cast<int32_t>(scope.warps)));
  function->setAttr(alwaysInlineName, builder.getUnitAttr());
  scope.noteOn(function);
  function.getBody().takeBody(region);
  for (auto end : llvm::make_early_inc_range(
           function.getBody().getOps<ttg::WarpReturnOp>())) {
    builder.setInsertionPoint(end);
    tt::ReturnOp::create(builder, end.getLoc());
    end.erase();
  }
  return function;
}
