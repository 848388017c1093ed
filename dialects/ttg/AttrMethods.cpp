//===- AttrMethods.cpp - Properties of a layout ---------------------------===//

#include "dialects/ttg/TTG.h"

#include "dialects/layout/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

//===----------------------------------------------------------------------===//
// Layouts made of others
//===----------------------------------------------------------------------===//

/// `cluster` with `dim` taken out: CTAs that differ only there hold copies.
static CGAEncodingAttr withoutDim(CGAEncodingAttr cluster, unsigned dim) {
  auto bases = cluster.getLinearLayout().getBases(
      StringAttr::get(cluster.getContext(), "block"));
  for (auto &basis : bases)
    basis.erase(basis.begin() + dim);
  return CGAEncodingAttr::fromBases(cluster.getContext(), cluster.getRank() - 1,
                                    std::move(bases));
}

CGAEncodingAttr SliceEncodingAttr::getCGALayout() const {
  return withoutDim(
      cast<LayoutEncodingTrait>(Attribute(getParent())).getCGALayout(),
      getDim());
}

CGAEncodingAttr DotOperandEncodingAttr::getCGALayout() const {
  // Every CTA of the result needs all of K.
  CGAEncodingAttr result =
      cast<LayoutEncodingTrait>(getParent()).getCGALayout();
  unsigned rank = result.getRank();
  unsigned k = getOpIdx() == 0 ? rank - 1 : rank - 2;
  auto bases =
      result.getLinearLayout().getBases(StringAttr::get(getContext(), "block"));
  for (auto &basis : bases)
    basis[k] = 0;
  return CGAEncodingAttr::fromBases(getContext(), rank, std::move(bases));
}

//===----------------------------------------------------------------------===//
// Distributed layouts
//===----------------------------------------------------------------------===//

BlockedEncodingAttr
BlockedEncodingAttr::getFor(MLIRContext *context, ArrayRef<int64_t> shape,
                            ArrayRef<unsigned> sizePerThread,
                            ArrayRef<unsigned> order, unsigned numWarps,
                            unsigned threadsPerWarp, CGAEncodingAttr cluster) {
  size_t rank = shape.size();
  SmallVector<unsigned> lanes(rank, 1), warps(rank, 1);
  SmallVector<unsigned> split = cluster.getCTASplitNum();
  for (auto [i, dim] : llvm::enumerate(order)) {
    // The slowest dimension takes what is left, as copies if need be.
    bool last = i + 1 == rank;
    uint64_t room = std::max<uint64_t>(1, uint64_t(shape[dim]) / split[dim] /
                                              sizePerThread[dim]);
    lanes[dim] =
        last ? threadsPerWarp : std::min<uint64_t>(room, threadsPerWarp);
    room = std::max<uint64_t>(1, room / lanes[dim]);
    warps[dim] = last ? numWarps : std::min<uint64_t>(room, numWarps);
    threadsPerWarp /= lanes[dim];
    numWarps /= warps[dim];
  }
  return get(context, sizePerThread, lanes, warps, order, cluster);
}

bool AMDMfmaEncodingAttr::hasUnitTilesPerWarp() const {
  return llvm::all_of(getTilesPerWarp(),
                      [](unsigned tiles) { return tiles == 1; });
}

CGAEncodingAttr LinearEncodingAttr::getCGALayout() const {
  return getCGALayoutOf(getContext(), getLinearLayout());
}

unsigned LinearEncodingAttr::getRank() const {
  return getLinearLayout().getOutDims().size();
}

CGAEncodingAttr GenericLinearEncodingAttr::getCGALayout() const {
  return getCGALayoutOf(getContext(), getLinearLayout());
}

unsigned GenericLinearEncodingAttr::getRank() const {
  return getLinearLayout().getOutDims().size();
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

unsigned NVMMASharedEncodingAttr::getVec() const {
  return getSwizzlingByteWidth() == 0 ? 1 : 128 / getElementBitWidth();
}

unsigned NVMMASharedEncodingAttr::getPerPhase() const {
  return getSwizzlingByteWidth() == 0 ? 1 : 128 / getSwizzlingByteWidth();
}

unsigned NVMMASharedEncodingAttr::getMaxPhase() const {
  return getSwizzlingByteWidth() == 0 ? 1 : getSwizzlingByteWidth() / 16;
}

int32_t NVMMASharedEncodingAttr::getAlignment() const {
  return 128 * getMaxPhase();
}

SmallVector<unsigned> PaddedSharedEncodingAttr::getOrder() const {
  return orderOf(
      getLinearComponent(), StringAttr::get(getContext(), "offset"),
      llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, getRank()))));
}

CGAEncodingAttr PaddedSharedEncodingAttr::getCGALayout() const {
  return getCGALayoutOf(getContext(), getLinearComponent());
}

unsigned PaddedSharedEncodingAttr::getRank() const {
  return getLinearComponent().getOutDims().size();
}

CGAEncodingAttr PartitionedSharedEncodingAttr::getCGALayout() const {
  return cast<LayoutEncodingTrait>(Attribute(getPartitionLayout()))
      .getCGALayout();
}

unsigned PartitionedSharedEncodingAttr::getRank() const {
  return cast<LayoutEncodingTrait>(Attribute(getPartitionLayout())).getRank();
}

CGAEncodingAttr SharedLinearEncodingAttr::getCGALayout() const {
  return getCGALayoutOf(getContext(), getLinearLayout());
}

unsigned SharedLinearEncodingAttr::getRank() const {
  return getLinearLayout().getOutDims().size();
}

bool NvidiaMmaEncodingAttr::hasInstruction(std::string &error) const {
  llvm::raw_string_ostream os(error);
  if (!isAmpere() && !isHopper()) {
    os << "nvidia_mma has versionMajor = " << getVersionMajor()
       << "; it must be 2 (mma.sync) or 3 (wgmma)";
    return false;
  }
  // wgmma's shape is M, N and K; mma.sync's has no K, and a batch stands first.
  size_t needed = isHopper() ? 3 : getWarpsPerCTA().size();
  if (getInstrShape().size() == needed)
    return true;
  os << "nvidia_mma of version " << getVersionMajor() << " has instrShape = [";
  llvm::interleaveComma(getInstrShape(), os);
  os << "]; it needs " << counted(needed, "value");
  return false;
}
