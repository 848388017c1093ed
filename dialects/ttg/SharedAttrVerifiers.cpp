//===- SharedAttrVerifiers.cpp - Which layouts of shared memory are valid ===//

#include "dialects/ttg/AttrRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

static LogicalResult verifySwizzle(rules::EmitError emitError, unsigned vec,
                                   unsigned perPhase, unsigned maxPhase,
                                   ArrayRef<unsigned> order,
                                   CGAEncodingAttr cluster) {
  if (failed(rules::verifyRank(emitError, order.size())) ||
      failed(rules::verifyOrder(emitError, order)) ||
      failed(rules::verifyPowerOfTwo(emitError, "vec", vec)) ||
      failed(rules::verifyPowerOfTwo(emitError, "perPhase", perPhase)) ||
      failed(rules::verifyPowerOfTwo(emitError, "maxPhase", maxPhase)) ||
      failed(rules::verifyTileSize(emitError, {{vec, perPhase, maxPhase}})))
    return failure();
  return rules::verifyClusterRank(emitError, cluster, order.size());
}

LogicalResult SwizzledSharedEncodingAttr::verify(
    rules::EmitError emitError, unsigned vec, unsigned perPhase,
    unsigned maxPhase, ArrayRef<unsigned> order, CGAEncodingAttr cluster) {
  return verifySwizzle(emitError, vec, perPhase, maxPhase, order, cluster);
}

LogicalResult AMDRotatingSharedEncodingAttr::verify(
    rules::EmitError emitError, unsigned vec, unsigned perPhase,
    unsigned maxPhase, ArrayRef<unsigned> order, CGAEncodingAttr cluster) {
  return verifySwizzle(emitError, vec, perPhase, maxPhase, order, cluster);
}

LogicalResult NVMMASharedEncodingAttr::verify(rules::EmitError emitError,
                                              unsigned swizzlingByteWidth, bool,
                                              unsigned elementBitWidth, bool,
                                              CGAEncodingAttr cluster) {
  if (!llvm::is_contained({0u, 32u, 64u, 128u}, swizzlingByteWidth))
    return emitError() << "nvmma_shared has swizzlingByteWidth = "
                       << swizzlingByteWidth << "; it must be 0, 32, 64 or 128";
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, elementBitWidth))
    return emitError() << "nvmma_shared has elementBitWidth = "
                       << elementBitWidth << "; it must be 8, 16, 32 or 64";
  if (!cluster)
    return emitError() << "layout has no CGALayout";
  return rules::verifyRank(emitError, cluster.getRank());
}

LogicalResult PaddedSharedEncodingAttr::verify(rules::EmitError emitError,
                                               ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings,
                                               LinearLayout layout) {
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "padded_shared has " << intervals.size()
                       << " intervals and " << paddings.size()
                       << " paddings; it needs one or more interval:+padding";
  for (auto [interval, padding] : llvm::zip_equal(intervals, paddings))
    if (failed(rules::verifyPowerOfTwo(emitError, "interval", interval)) ||
        failed(rules::verifyPowerOfTwo(emitError, "padding", padding)))
      return failure();
  for (auto [i, interval] : llvm::enumerate(intervals))
    if (llvm::is_contained(intervals.take_front(i), interval))
      return emitError() << "padded_shared has the interval " << interval
                         << " twice";
  if (failed(rules::verifyDims(emitError, layout, {"offset", "block"})))
    return failure();
  MLIRContext *context = layout.getInDims().front().name.getContext();
  auto offset = StringAttr::get(context, "offset");
  if (!layout.sublayout(offset, layout.getOutDimNames()).isInjective())
    return emitError() << "padded_shared stores an element at two offsets: "
                       << layout.toString();
  for (const LinearLayout::Dim &dim : layout.getInDims())
    if (!rules::movesAlongOneDim(layout, dim.name, /*byPowerOfTwo=*/true))
      return emitError() << "each basis of padded_shared must be a power of "
                            "two along one dimension: "
                         << layout.toString();
  if (!layout.isSurjective())
    return emitError() << "padded_shared does not reach every element: "
                       << layout.toString();
  return success();
}

LogicalResult PartitionedSharedEncodingAttr::verify(rules::EmitError emitError,
                                                    unsigned numPartitions,
                                                    unsigned numGroups,
                                                    unsigned partitionDim,
                                                    SharedEncodingTrait inner) {
  if (numPartitions < 2)
    return emitError() << "partitioned_shared has numPartitions = "
                       << numPartitions << "; it must be 2 or more";
  if (failed(
          rules::verifyPowerOfTwo(emitError, "numPartitions", numPartitions)) ||
      failed(rules::verifyPowerOfTwo(emitError, "numGroups", numGroups)) ||
      failed(rules::verifyTileSize(emitError, {{numPartitions, numGroups}})))
    return failure();
  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(Attribute(inner));
  if (!layout || isa<PartitionedSharedEncodingAttr>(Attribute(inner)))
    return emitError() << "partitionLayout must be a plain layout of shared "
                          "memory, not "
                       << inner;
  if (partitionDim >= layout.getRank())
    return emitError() << "partitioned_shared has partitionDim = "
                       << partitionDim << "; its layout's dimensions are 0 to "
                       << layout.getRank() - 1;
  return success();
}

LogicalResult SharedLinearEncodingAttr::verify(rules::EmitError emitError,
                                               LinearLayout layout,
                                               unsigned alignment) {
  if (failed(rules::verifyPowerOfTwo(emitError, "alignment", alignment)) ||
      failed(rules::verifyDims(emitError, layout, {"offset", "block"})))
    return failure();
  if (!layout.removeZeroBases().isInvertible())
    return emitError() << "shared_linear must hold every element exactly once, "
                          "apart from zero bases: "
                       << layout.toString();
  return success();
}
