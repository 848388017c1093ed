//===- AttrVerifiers.cpp - Which layouts are valid ------------------------===//

#include "dialects/target/MatrixInstructions.h"
#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

using EmitError = function_ref<InFlightDiagnostic()>;

bool ttg::isPermutation(ArrayRef<unsigned> order) {
  llvm::SmallBitVector seen(order.size());
  for (unsigned dim : order) {
    if (dim >= order.size() || seen.test(dim))
      return false;
    seen.set(dim);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rules that layouts share
//===----------------------------------------------------------------------===//

/// The most dimensions a layout may have; Triton's tensors stay far below.
static constexpr unsigned maxRank = 16;

static LogicalResult verifyRank(EmitError emitError, size_t rank) {
  if (rank >= 1 && rank <= maxRank)
    return success();
  return emitError() << "layout has " << rank
                     << " dimensions; it needs from 1 to " << maxRank;
}

static LogicalResult verifyOrder(EmitError emitError,
                                 ArrayRef<unsigned> order) {
  if (isPermutation(order))
    return success();
  auto all = llvm::to_vector(llvm::seq<unsigned>(order.size()));
  return emitError() << "order is [" << order << "]; it must be "
                     << (order.size() == 1 ? "[" : "a permutation of [")
                     << ArrayRef(all) << "]";
}

static LogicalResult verifyPowersOfTwo(EmitError emitError, StringRef name,
                                       ArrayRef<unsigned> values) {
  if (llvm::all_of(values, llvm::isPowerOf2_32))
    return success();
  return emitError() << name << " is [" << values
                     << "]; every value must be a power of two";
}

static LogicalResult verifyPowerOfTwo(EmitError emitError, StringRef name,
                                      unsigned value) {
  if (llvm::isPowerOf2_32(value))
    return success();
  return emitError() << name << " is " << value
                     << "; it must be a power of two";
}

static LogicalResult verifySameRank(EmitError emitError, StringRef name,
                                    size_t found, size_t needed) {
  if (found == needed)
    return success();
  return emitError() << name << " has " << found << " values; it needs "
                     << needed << ", one per dimension";
}

static LogicalResult verifyClusterRank(EmitError emitError,
                                       CGAEncodingAttr cluster, size_t rank) {
  if (!cluster)
    return emitError() << "layout has no CGALayout";
  if (cluster.getRank() == rank)
    return success();
  return emitError() << "CGALayout has " << cluster.getRank()
                     << " dimensions; the layout has " << rank;
}

/// Keeps the product of powers of two inside what a linear layout can hold.
static LogicalResult verifyTileSize(EmitError emitError,
                                    ArrayRef<ArrayRef<unsigned>> factors) {
  unsigned bits = 0;
  for (ArrayRef<unsigned> values : factors)
    for (unsigned value : values)
      bits += llvm::Log2_32(value);
  if (bits <= LinearLayout::maxDimBits)
    return success();
  return emitError() << "layout's tile has 2^" << bits
                     << " elements; at most 2^" << LinearLayout::maxDimBits
                     << " are possible";
}

/// The in-dims and out-dims by their names.
static LogicalResult verifyDims(EmitError emitError, const LinearLayout &layout,
                                ArrayRef<StringRef> inDims) {
  SmallVector<StringRef> found;
  for (const LinearLayout::Dim &dim : layout.getInDims())
    found.push_back(dim.name.getValue());
  if (ArrayRef<StringRef>(found) != inDims) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "linear layout maps from [";
    llvm::interleaveComma(found, diagnostic);
    diagnostic << "]; it must map from [";
    llvm::interleaveComma(inDims, diagnostic);
    return diagnostic << "]";
  }
  if (failed(verifyRank(emitError, layout.getOutDims().size())))
    return failure();
  MLIRContext *context = layout.getInDims().front().name.getContext();
  if (layout.getOutDimNames() !=
      tensorDims(context, layout.getOutDims().size()))
    return emitError() << "linear layout must map to dim0, dim1, ...: "
                       << layout.toString();
  return success();
}

/// How many of a basis' values are not zero.
static unsigned nonZeros(ArrayRef<int32_t> basis) {
  return llvm::count_if(basis, [](int32_t value) { return value != 0; });
}

/// Every basis is zero, or one power of two along one dimension.
static bool movesAlongOneDim(const LinearLayout &layout, StringAttr inDim,
                             bool byPowerOfTwo) {
  return llvm::all_of(layout.getBases(inDim), [&](const auto &basis) {
    return nonZeros(basis) <= 1 &&
           (!byPowerOfTwo || llvm::all_of(basis, [](int32_t value) {
             return value == 0 || llvm::isPowerOf2_32(value);
           }));
  });
}

bool ttg::isPermutationWithCopies(const LinearLayout &layout) {
  LinearLayout withoutCopies = layout;
  for (const LinearLayout::Dim &dim : layout.getInDims()) {
    if (!movesAlongOneDim(layout, dim.name, /*byPowerOfTwo=*/true))
      return false;
    withoutCopies = withoutCopies.removeZeroBases(dim.name);
  }
  return withoutCopies.isInvertible();
}

bool ttg::isGenericLinear(const LinearLayout &layout) {
  return layout.isSurjective() &&
         llvm::all_of(layout.getInDimNames(), [&](StringAttr name) {
           return name.getValue() == "warp" ||
                  movesAlongOneDim(layout, name, /*byPowerOfTwo=*/false);
         });
}

//===----------------------------------------------------------------------===//
// Cluster and distributed layouts
//===----------------------------------------------------------------------===//

LogicalResult CGAEncodingAttr::verifyInvariants(EmitError emitError,
                                                const LinearLayout &layout) {
  if (failed(verifyDims(emitError, layout, {"block"})))
    return failure();
  if (!isPermutationWithCopies(layout))
    return emitError() << "CGALayout must map each bit of the CTA id to a "
                          "power of two along one dimension, each one used "
                          "once and without gaps, or to zero: "
                       << layout.toString();
  return success();
}

LogicalResult BlockedEncodingAttr::verify(EmitError emitError,
                                          ArrayRef<unsigned> sizePerThread,
                                          ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA,
                                          ArrayRef<unsigned> order,
                                          CGAEncodingAttr cluster) {
  size_t rank = order.size();
  std::pair<StringRef, ArrayRef<unsigned>> levels[] = {
      {"sizePerThread", sizePerThread},
      {"threadsPerWarp", threadsPerWarp},
      {"warpsPerCTA", warpsPerCTA}};
  if (failed(verifyRank(emitError, rank)))
    return failure();
  for (auto [name, values] : levels)
    if (failed(verifySameRank(emitError, name, values.size(), rank)) ||
        failed(verifyPowersOfTwo(emitError, name, values)))
      return failure();
  if (failed(verifyOrder(emitError, order)) ||
      failed(verifyTileSize(emitError,
                            {sizePerThread, threadsPerWarp, warpsPerCTA})))
    return failure();
  return verifyClusterRank(emitError, cluster, rank);
}

LogicalResult SliceEncodingAttr::verify(EmitError emitError, unsigned dim,
                                        DistributedEncodingTrait parent) {
  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(Attribute(parent));
  if (!layout)
    return emitError() << "slice's parent must be a layout, not " << parent;
  if (layout.getRank() < 2)
    return emitError() << "slice's parent has " << layout.getRank()
                       << " dimension; it needs two or more";
  if (dim >= layout.getRank())
    return emitError() << "slice along dimension " << dim
                       << "; its parent's dimensions are 0 to "
                       << layout.getRank() - 1;
  return success();
}

static LogicalResult verifyDotOperandOfNvidia(EmitError emitError,
                                              unsigned opIdx, unsigned kWidth,
                                              NvidiaMmaEncodingAttr parent) {
  if (std::string error; !parent.hasInstruction(error))
    return emitError() << "dot operand has the parent " << parent << "; "
                       << error;
  if (kWidth == 0)
    return emitError() << "dot operand of an nvidia_mma layout needs a kWidth, "
                          "the number of elements along K in 32 bits";
  if (parent.isHopper() && opIdx != 0)
    return emitError() << "dot operand has opIdx = " << opIdx
                       << "; with a version 3 (wgmma) parent it must be 0, "
                          "because operand B is read from shared memory";
  return success();
}

static LogicalResult verifyDotOperandOfWmma(EmitError emitError,
                                            unsigned kWidth,
                                            AMDWmmaEncodingAttr parent) {
  ArrayRef<unsigned> allowed;
  static constexpr unsigned version1[] = {8, 16}, version2[] = {4, 8, 16};
  if (parent.getVersion() == 1)
    allowed = version1;
  else if (parent.getVersion() == 2)
    allowed = version2;
  else if (kWidth != 0)
    return success();
  if (llvm::is_contained(allowed, kWidth))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "dot operand of an amd_wmma layout of version "
             << parent.getVersion() << " has kWidth = " << kWidth
             << "; it must be ";
  if (allowed.empty())
    return diagnostic << "more than 0";
  llvm::interleave(allowed, diagnostic, " or ");
  return diagnostic;
}

LogicalResult DotOperandEncodingAttr::verify(EmitError emitError,
                                             unsigned opIdx, Attribute parent,
                                             unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "dot operand has opIdx = " << opIdx
                       << "; it must be 0 (the left operand) or 1 (the right)";
  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(parent);
  if (!layout || layout.getRank() < 2)
    return emitError()
           << "dot operand's parent must be a layout of two or more "
              "dimensions, not "
           << parent;
  if (kWidth != 0 &&
      failed(verifyPowerOfTwo(emitError, "dot operand's kWidth", kWidth)))
    return failure();
  if (kWidth > 1024)
    return emitError() << "dot operand has kWidth = " << kWidth
                       << "; it must be at most 1024";
  if (auto nvidia = dyn_cast<NvidiaMmaEncodingAttr>(parent))
    return verifyDotOperandOfNvidia(emitError, opIdx, kWidth, nvidia);
  if (auto wmma = dyn_cast<AMDWmmaEncodingAttr>(parent))
    return verifyDotOperandOfWmma(emitError, kWidth, wmma);
  if (isa<AMDMfmaEncodingAttr>(parent)) {
    if (kWidth == 0)
      return emitError() << "dot operand of an amd_mfma layout needs a kWidth";
    return success();
  }
  if (isa<BlockedEncodingAttr>(parent)) {
    if (kWidth != 0)
      return emitError() << "dot operand has kWidth = " << kWidth
                         << "; with a blocked parent it must be absent";
    return success();
  }
  return emitError() << "dot operand's parent must be nvidia_mma, amd_mfma, "
                        "amd_wmma or blocked, not "
                     << parent;
}

LogicalResult NvidiaMmaEncodingAttr::verify(EmitError emitError,
                                            unsigned versionMajor,
                                            unsigned versionMinor,
                                            ArrayRef<unsigned> warpsPerCTA,
                                            CGAEncodingAttr cluster,
                                            ArrayRef<unsigned> instrShape) {
  size_t rank = warpsPerCTA.size();
  if (rank < 2 || rank > 3)
    return emitError() << "nvidia_mma has " << rank
                       << " dimensions; it needs 2, or 3 with a batch";
  if (failed(verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA)) ||
      failed(verifyTileSize(emitError, {warpsPerCTA})))
    return failure();
  return verifyClusterRank(emitError, cluster, rank);
}

LogicalResult AMDMfmaEncodingAttr::verify(EmitError emitError, unsigned version,
                                          ArrayRef<unsigned> warpsPerCTA,
                                          ArrayRef<unsigned> instrShape, bool,
                                          CGAEncodingAttr cluster,
                                          ArrayRef<unsigned> tilesPerWarp,
                                          unsigned elementBitWidth) {
  size_t rank = warpsPerCTA.size();
  if (version > 4)
    return emitError() << "amd_mfma has version = " << version
                       << "; it must be from 1 (gfx908) to 4 (gfx950)";
  if (rank < 2 || rank > 3)
    return emitError() << "amd_mfma has " << rank
                       << " dimensions; it needs 2, or 3 with a batch";
  if (instrShape.size() != 3)
    return emitError() << "amd_mfma has instrShape = [" << instrShape
                       << "]; it needs [M, N, K]";
  std::pair<unsigned, unsigned> tile(instrShape[0], instrShape[1]);
  static constexpr std::pair<unsigned, unsigned> tiles[] = {
      {32, 32}, {16, 16}, {64, 4}, {4, 64}};
  if (!llvm::is_contained(tiles, tile))
    return emitError() << "amd_mfma has a tile of " << tile.first << "x"
                       << tile.second
                       << "; it must be 32x32, 16x16, 64x4 or 4x64";
  if (failed(verifyPowerOfTwo(emitError, "amd_mfma's K", instrShape[2])))
    return failure();
  if (elementBitWidth != 32 && elementBitWidth != 64)
    return emitError() << "amd_mfma has elementBitWidth = " << elementBitWidth
                       << "; it must be 32 or 64";
  if (failed(verifySameRank(emitError, "tilesPerWarp", tilesPerWarp.size(),
                            rank)) ||
      failed(verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA)) ||
      failed(verifyPowersOfTwo(emitError, "tilesPerWarp", tilesPerWarp)) ||
      failed(
          verifyTileSize(emitError, {warpsPerCTA, tilesPerWarp, instrShape})))
    return failure();
  return verifyClusterRank(emitError, cluster, rank);
}

LogicalResult AMDWmmaEncodingAttr::verify(EmitError emitError, unsigned version,
                                          LinearLayout ctaLayout, bool,
                                          CGAEncodingAttr cluster,
                                          ArrayRef<unsigned> instrShape) {
  if (version < 1 || version > 3)
    return emitError() << "amd_wmma has version = " << version
                       << "; it must be 1 (gfx11), 2 (gfx12) or 3 (gfx1250)";
  auto shapes = matrixShapesOf(version == 1   ? MatrixUnit::Wmma1
                               : version == 2 ? MatrixUnit::Wmma2
                                              : MatrixUnit::Wmma3);
  if (llvm::none_of(shapes, [&](const auto &shape) {
        return instrShape == ArrayRef<unsigned>(shape);
      })) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "amd_wmma of version " << version << " has instrShape = ["
               << instrShape << "]; it must be ";
    llvm::interleave(
        shapes, diagnostic,
        [&](const auto &shape) {
          diagnostic << '[' << ArrayRef<unsigned>(shape) << ']';
        },
        " or ");
    return diagnostic;
  }
  if (failed(verifyDims(emitError, ctaLayout, {"register", "warp"})))
    return failure();
  size_t rank = ctaLayout.getOutDims().size();
  if (rank < 2 || rank > 3)
    return emitError() << "amd_wmma has " << rank
                       << " dimensions; it needs 2, or 3 with a batch";
  if (!ctaLayout.isSurjective())
    return emitError() << "amd_wmma's ctaLayout leaves tiles without a warp: "
                       << ctaLayout.toString();
  return verifyClusterRank(emitError, cluster, rank);
}

static constexpr StringRef distributedDims[] = {"register", "lane", "warp",
                                                "block"};

LogicalResult LinearEncodingAttr::verify(EmitError emitError,
                                         LinearLayout layout) {
  if (failed(verifyDims(emitError, layout, distributedDims)))
    return failure();
  if (!isPermutationWithCopies(layout))
    return emitError() << "linear layout must hold every element exactly once, "
                          "apart from zero bases, and each basis must be a "
                          "power of two along one dimension: "
                       << layout.toString();
  return success();
}

LogicalResult GenericLinearEncodingAttr::verify(EmitError emitError,
                                                LinearLayout layout) {
  if (failed(verifyDims(emitError, layout, distributedDims)))
    return failure();
  if (!isGenericLinear(layout))
    return emitError()
           << "generic linear layout must reach every element, and each basis "
              "except those of warp must move along one dimension: "
           << layout.toString();
  return success();
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

static LogicalResult verifySwizzle(EmitError emitError, unsigned vec,
                                   unsigned perPhase, unsigned maxPhase,
                                   ArrayRef<unsigned> order,
                                   CGAEncodingAttr cluster) {
  if (failed(verifyRank(emitError, order.size())) ||
      failed(verifyOrder(emitError, order)) ||
      failed(verifyPowerOfTwo(emitError, "vec", vec)) ||
      failed(verifyPowerOfTwo(emitError, "perPhase", perPhase)) ||
      failed(verifyPowerOfTwo(emitError, "maxPhase", maxPhase)) ||
      failed(verifyTileSize(emitError, {{vec, perPhase, maxPhase}})))
    return failure();
  return verifyClusterRank(emitError, cluster, order.size());
}

LogicalResult SwizzledSharedEncodingAttr::verify(
    EmitError emitError, unsigned vec, unsigned perPhase, unsigned maxPhase,
    ArrayRef<unsigned> order, CGAEncodingAttr cluster) {
  return verifySwizzle(emitError, vec, perPhase, maxPhase, order, cluster);
}

LogicalResult AMDRotatingSharedEncodingAttr::verify(
    EmitError emitError, unsigned vec, unsigned perPhase, unsigned maxPhase,
    ArrayRef<unsigned> order, CGAEncodingAttr cluster) {
  return verifySwizzle(emitError, vec, perPhase, maxPhase, order, cluster);
}

LogicalResult NVMMASharedEncodingAttr::verify(EmitError emitError,
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
  return verifyRank(emitError, cluster.getRank());
}

LogicalResult PaddedSharedEncodingAttr::verify(EmitError emitError,
                                               ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings,
                                               LinearLayout layout) {
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "padded_shared has " << intervals.size()
                       << " intervals and " << paddings.size()
                       << " paddings; it needs one or more interval:+padding";
  if (failed(verifyPowersOfTwo(emitError, "intervals", intervals)) ||
      failed(verifyPowersOfTwo(emitError, "paddings", paddings)))
    return failure();
  for (auto [i, interval] : llvm::enumerate(intervals))
    if (llvm::is_contained(intervals.take_front(i), interval))
      return emitError() << "padded_shared has the interval " << interval
                         << " twice";
  if (failed(verifyDims(emitError, layout, {"offset", "block"})))
    return failure();
  MLIRContext *context = layout.getInDims().front().name.getContext();
  auto offset = StringAttr::get(context, "offset");
  if (!layout.sublayout(offset, layout.getOutDimNames()).isInjective())
    return emitError() << "padded_shared stores an element at two offsets: "
                       << layout.toString();
  for (const LinearLayout::Dim &dim : layout.getInDims())
    if (!movesAlongOneDim(layout, dim.name, /*byPowerOfTwo=*/true))
      return emitError() << "each basis of padded_shared must be a power of "
                            "two along one dimension: "
                         << layout.toString();
  if (!layout.isSurjective())
    return emitError() << "padded_shared does not reach every element: "
                       << layout.toString();
  return success();
}

LogicalResult PartitionedSharedEncodingAttr::verify(EmitError emitError,
                                                    unsigned numPartitions,
                                                    unsigned numGroups,
                                                    unsigned partitionDim,
                                                    SharedEncodingTrait inner) {
  if (numPartitions < 2)
    return emitError() << "partitioned_shared has numPartitions = "
                       << numPartitions << "; it must be 2 or more";
  if (failed(verifyPowerOfTwo(emitError, "numPartitions", numPartitions)) ||
      failed(verifyPowerOfTwo(emitError, "numGroups", numGroups)) ||
      failed(verifyTileSize(emitError, {{numPartitions, numGroups}})))
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

LogicalResult SharedLinearEncodingAttr::verify(EmitError emitError,
                                               LinearLayout layout,
                                               unsigned alignment) {
  if (failed(verifyPowerOfTwo(emitError, "alignment", alignment)) ||
      failed(verifyDims(emitError, layout, {"offset", "block"})))
    return failure();
  LinearLayout withoutCopies = layout;
  for (const LinearLayout::Dim &dim : layout.getInDims())
    withoutCopies = withoutCopies.removeZeroBases(dim.name);
  if (!withoutCopies.isInvertible())
    return emitError() << "shared_linear must hold every element exactly once, "
                          "apart from zero bases: "
                       << layout.toString();
  return success();
}
