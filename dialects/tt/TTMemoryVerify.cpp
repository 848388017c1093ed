//===- TTMemoryVerify.cpp - Rules of the memory ops of tt ----------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tt/BlockIndices.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope::tt;

/// A load has nothing to release, a store nothing to acquire.
static LogicalResult verifyOrder(Operation *op, MemSemantic order,
                                 MemSemantic strongest) {
  if (order == strongest || order == MemSemantic::RELAXED)
    return success();
  return op->emitOpError() << "needs the memory order "
                           << stringifyMemSemantic(strongest)
                           << " or relaxed, but has "
                           << stringifyMemSemantic(order);
}

LogicalResult kernelscope::tt::detail::verifyCachePolicy(Operation *op) {
  Attribute attribute = op->getAttr("cachePolicy");
  if (!attribute)
    return success();
  if (auto policy = dyn_cast<CachePolicyInterface>(attribute))
    return policy.verifyOn(op);
  return op->emitOpError() << "has cachePolicy = " << attribute
                           << "; it must be a #tt.cache_policy or a "
                              "#ttng.cache_policy";
}

CacheModifier kernelscope::tt::cacheModifierOf(Attribute policy,
                                               CacheModifier keyword) {
  auto given = dyn_cast_if_present<CachePolicyInterface>(policy);
  return given ? given.getCacheModifier() : keyword;
}

LogicalResult AtomicLoadOp::verify() {
  return verifyOrder(*this, getSem(), MemSemantic::ACQUIRE);
}

LogicalResult AtomicStoreOp::verify() {
  return verifyOrder(*this, getSem(), MemSemantic::RELEASE);
}

LogicalResult AtomicPollOp::verify() {
  if (failed(verifyOrder(*this, getSem(), MemSemantic::ACQUIRE)))
    return failure();
  unsigned width =
      getElementTypeOrSelf(getExpected().getType()).getIntOrFloatBitWidth();
  if (width != 16 && width != 32 && width != 64)
    return emitOpError() << "needs an integer of 16, 32 or 64 bits, but has "
                         << width;
  return success();
}

LogicalResult kernelscope::tt::verifyBlockIndices(Operation *op,
                                                  TensorDescInterface desc,
                                                  ValueRange indices) {
  const int64_t rank = desc.getSignlessBlockType().getRank();
  if (static_cast<int64_t>(indices.size()) == rank)
    return success();
  return op->emitOpError() << "needs an index for each of the "
                           << counted(rank, "dimension")
                           << " of the descriptor's block, but has "
                           << indices.size();
}

LogicalResult kernelscope::tt::verifyBlockAccess(Operation *op,
                                                 TensorDescInterface desc,
                                                 ShapedType tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getElementType() != tensor.getElementType())
    return op->emitOpError()
           << "needs a tensor with the block's element type, "
           << block.getElementType() << ", but has " << tensor.getElementType();
  if (ShapedType::isDynamicShape(tensor.getShape()) ||
      block.getNumElements() != tensor.getNumElements())
    return op->emitOpError()
           << "needs a tensor with the "
           << counted(block.getNumElements(), "element")
           << " of the descriptor's block, but it is " << tensor;
  return success();
}

/// An access at `indices`, the place of the block in each dimension.
static LogicalResult verifyAccessAt(Operation *op, TensorDescInterface desc,
                                    ShapedType tensor, ValueRange indices) {
  if (failed(verifyBlockIndices(op, desc, indices)))
    return failure();
  return verifyBlockAccess(op, desc, tensor);
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyAccessAt(*this, getDesc().getType(), getType(), getIndices());
}
LogicalResult DescriptorStoreOp::verify() {
  return verifyAccessAt(*this, getDesc().getType(), getSrc().getType(),
                        getIndices());
}
LogicalResult DescriptorReduceOp::verify() {
  return verifyAccessAt(*this, getDesc().getType(), getSrc().getType(),
                        getIndices());
}

LogicalResult kernelscope::tt::verifyGatherScatter(Operation *op,
                                                   RankedTensorType block,
                                                   RankedTensorType tensor,
                                                   RankedTensorType indices) {
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError() << "needs a descriptor whose block is one row "
                                "(1xN), but the block is "
                             << block;
  if (indices.getRank() != 1)
    return op->emitOpError()
           << "needs row indices of rank 1, but they are " << indices;
  if (tensor.getRank() != 2 || tensor.getDimSize(0) != indices.getDimSize(0) ||
      tensor.getDimSize(1) != block.getDimSize(1))
    return op->emitOpError() << "needs a tensor of " << indices.getDimSize(0)
                             << "x" << block.getDimSize(1)
                             << ", a row for each index, but it is " << tensor;
  if (tensor.getElementType() != block.getElementType())
    return op->emitOpError()
           << "needs a tensor with the block's element type, "
           << block.getElementType() << ", but has " << tensor.getElementType();
  // The hardware moves 8 rows of 32 bytes at the least.
  unsigned width = tensor.getElementType().getIntOrFloatBitWidth();
  if (width > 32)
    return op->emitOpError()
           << "needs elements of at most 32 bits, but they have " << width;
  if (tensor.getDimSize(0) < 8)
    return op->emitOpError()
           << "needs at least 8 rows, but has " << tensor.getDimSize(0);
  if (int64_t columns = 256 / width; tensor.getDimSize(1) < columns)
    return op->emitOpError()
           << "needs at least " << columns << " columns of "
           << tensor.getElementType() << ", but has " << tensor.getDimSize(1);
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(),
                             getType(), getXOffsets().getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(),
                             getSrc().getType(), getXOffsets().getType());
}
