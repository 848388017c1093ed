//===- AttrVerifiers.cpp - Which cluster and distributed layouts are valid ===//

#include "dialects/layout/Counted.h"
#include "dialects/target/MatrixInstructions.h"
#include "dialects/ttg/AttrRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

LogicalResult CGAEncodingAttr::verifyInvariants(rules::EmitError emitError,
                                                const LinearLayout &layout) {
  if (failed(rules::verifyDims(emitError, layout, {"block"})))
    return failure();
  if (!isPermutationWithCopies(layout))
    return emitError() << "CGALayout must map each bit of the CTA id to a "
                          "power of two along one dimension, each one used "
                          "once and without gaps, or to zero: "
                       << layout.toString();
  return success();
}

LogicalResult BlockedEncodingAttr::verify(rules::EmitError emitError,
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
  if (failed(rules::verifyRank(emitError, rank)))
    return failure();
  for (auto [name, values] : levels)
    if (failed(rules::verifySameRank(emitError, name, values.size(), rank)) ||
        failed(rules::verifyPowersOfTwo(emitError, name, values)))
      return failure();
  if (failed(rules::verifyOrder(emitError, order)) ||
      failed(rules::verifyTileSize(
          emitError, {sizePerThread, threadsPerWarp, warpsPerCTA})))
    return failure();
  return rules::verifyClusterRank(emitError, cluster, rank);
}

LogicalResult SliceEncodingAttr::verify(rules::EmitError emitError,
                                        unsigned dim,
                                        DistributedEncodingTrait parent) {
  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(Attribute(parent));
  if (!layout)
    return emitError() << "slice's parent must be a layout, not " << parent;
  if (layout.getRank() < 2)
    return emitError() << "slice's parent has " << layout.getRank()
                       << " dimension; it needs two or more";
  if (dim >= layout.getRank())
    return emitError() << "slice has dim = " << dim
                       << "; its parent's dimensions are 0 to "
                       << layout.getRank() - 1;
  return success();
}

static LogicalResult verifyDotOperandOfNvidia(rules::EmitError emitError,
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

static LogicalResult verifyDotOperandOfWmma(rules::EmitError emitError,
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

LogicalResult DotOperandEncodingAttr::verify(rules::EmitError emitError,
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
  if (kWidth != 0 && failed(rules::verifyPowerOfTwo(
                         emitError, "dot operand's kWidth", kWidth)))
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

LogicalResult NvidiaMmaEncodingAttr::verify(rules::EmitError emitError,
                                            unsigned versionMajor,
                                            unsigned versionMinor,
                                            ArrayRef<unsigned> warpsPerCTA,
                                            CGAEncodingAttr cluster,
                                            ArrayRef<unsigned> instrShape) {
  size_t rank = warpsPerCTA.size();
  if (rank < 2 || rank > 3)
    return emitError() << "nvidia_mma has " << counted(rank, "dimension")
                       << "; it needs 2, or 3 with a batch";
  if (failed(rules::verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA)) ||
      failed(rules::verifyPowersOfTwo(emitError, "instrShape", instrShape)) ||
      failed(rules::verifyTileSize(emitError, {warpsPerCTA})))
    return failure();
  return rules::verifyClusterRank(emitError, cluster, rank);
}

LogicalResult AMDMfmaEncodingAttr::verify(rules::EmitError emitError,
                                          unsigned version,
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
    return emitError() << "amd_mfma has " << counted(rank, "dimension")
                       << "; it needs 2, or 3 with a batch";
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
  if (failed(rules::verifyPowerOfTwo(emitError, "amd_mfma's K", instrShape[2])))
    return failure();
  if (elementBitWidth != 32 && elementBitWidth != 64)
    return emitError() << "amd_mfma has elementBitWidth = " << elementBitWidth
                       << "; it must be 32 or 64";
  if (failed(rules::verifySameRank(emitError, "tilesPerWarp",
                                   tilesPerWarp.size(), rank)) ||
      failed(rules::verifyPowersOfTwo(emitError, "warpsPerCTA", warpsPerCTA)) ||
      failed(
          rules::verifyPowersOfTwo(emitError, "tilesPerWarp", tilesPerWarp)) ||
      failed(rules::verifyTileSize(emitError,
                                   {warpsPerCTA, tilesPerWarp, instrShape})))
    return failure();
  return rules::verifyClusterRank(emitError, cluster, rank);
}

LogicalResult AMDWmmaEncodingAttr::verify(rules::EmitError emitError,
                                          unsigned version,
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
  if (failed(rules::verifyDims(emitError, ctaLayout, {"register", "warp"})))
    return failure();
  size_t rank = ctaLayout.getOutDims().size();
  if (rank < 2 || rank > 3)
    return emitError() << "amd_wmma has " << counted(rank, "dimension")
                       << "; it needs 2, or 3 with a batch";
  if (!ctaLayout.isSurjective())
    return emitError() << "amd_wmma's ctaLayout leaves tiles without a warp: "
                       << ctaLayout.toString();
  return rules::verifyClusterRank(emitError, cluster, rank);
}

static constexpr StringRef distributedDims[] = {"register", "lane", "warp",
                                                "block"};

LogicalResult LinearEncodingAttr::verify(rules::EmitError emitError,
                                         LinearLayout layout) {
  if (failed(rules::verifyDims(emitError, layout, distributedDims)))
    return failure();
  if (!isPermutationWithCopies(layout))
    return emitError() << "linear layout must hold every element exactly once, "
                          "apart from zero bases, and each basis must be a "
                          "power of two along one dimension: "
                       << layout.toString();
  return success();
}

LogicalResult GenericLinearEncodingAttr::verify(rules::EmitError emitError,
                                                LinearLayout layout) {
  if (failed(rules::verifyDims(emitError, layout, distributedDims)))
    return failure();
  if (!isGenericLinear(layout))
    return emitError()
           << "generic linear layout must reach every element, and each basis "
              "except those of warp must move along one dimension: "
           << layout.toString();
  return success();
}
