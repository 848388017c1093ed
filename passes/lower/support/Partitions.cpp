//===- Partitions.cpp - Partitions of ttg.warp_specialize -----------------===//

#include "passes/lower/support/Partitions.h"
#include "dialects/target/Instructions.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Scratch.h"
#include "llvm/ADT/SetVector.h"

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

/// Whether all warps of the block get the same from `op` for the same operands.
static bool isKnownScalar(Operation *op) {
  return isa<tt::GetProgramIdOp, tt::GetNumProgramsOp,
             ttng::ReinterpretTensorDescOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          op->getResult(0).getType().isIntOrIndexOrFloat());
}

/// Whether every warp knows what `op` gives.
static bool isKnownPlace(Operation *op) {
  // Each warp can find scratch memory of the block.
  if (isa<ttg::GlobalScratchAllocOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  // Once shared memory is allocated, a buffer is an address that is known.
  auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
  return alloc && !alloc.getSrc() &&
         alloc.getAllocSpace() == ttg::MemorySpace::Shared;
}

/// A partition may have few registers, and little time.
static constexpr unsigned maxRepeatedOps = 16;

/// Adds to `ops` those that compute `value`, of which `depth` can be in a row;
/// false if some warps do not know it, or it takes more than `maxRepeatedOps`.
static bool addRepeatedOps(Value value, llvm::SetVector<Operation *> &ops,
                           unsigned depth = maxRepeatedOps) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (ops.contains(op))
    return true;
  const bool isComputed = isKnownScalar(op);
  if (!depth || !(isComputed || isKnownPlace(op)))
    return false;
  if (isComputed && !llvm::all_of(op->getOperands(), [&](Value operand) {
        return addRepeatedOps(operand, ops, depth - 1);
      }))
    return false;
  ops.insert(op);
  return ops.size() <= maxRepeatedOps;
}

std::optional<SmallVector<Operation *>> lower::repeatedOps(Value capture) {
  llvm::SetVector<Operation *> ops;
  if (!addRepeatedOps(capture, ops))
    return std::nullopt;
  return SmallVector<Operation *>(ops.begin(), ops.end());
}

bool lower::isPassedInMemory(Value capture) {
  return !repeatedOps(capture).has_value();
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

/// What partitions are passed: threads read it before the op releases them.
static unsigned partitionScratchBytes(ttg::WarpSpecializeOp op) {
  return captureBytes(op, 8) + captureBytes(op, 4);
}

/// Of a kernel with partitions, while it runs: where its warps signal to the
/// others what is next. 0 for other functions.
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
