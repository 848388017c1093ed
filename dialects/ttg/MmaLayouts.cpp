//===- MmaLayouts.cpp - Matrix layouts as linear layouts ------------------===//
//
// The results and operands of mma.sync and wgmma (PTX ISA, "Matrix fragments"),
// and of MFMA and WMMA (AMD's matrix instruction calculator).
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/LayoutParts.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;
using namespace kernelscope::ttg::parts;

namespace {

/// The names that a matrix layout is built from.
struct Names : LayoutDims {
  Names(MLIRContext *context, unsigned rank)
      : LayoutDims(context), dims(tensorDims(context, rank)) {}

  LinearLayout registers(int64_t size, StringAttr dim) const {
    return LinearLayout::identity1D(size, reg, dim);
  }
  LinearLayout lanes(int64_t size, StringAttr dim) const {
    return LinearLayout::identity1D(size, lane, dim);
  }
  LinearLayout warps(int64_t size, StringAttr dim) const {
    return LinearLayout::identity1D(size, warp, dim);
  }
  /// No elements; fixes the order of the out-dims and of the in-dims.
  LinearLayout unit(ArrayRef<unsigned> order) const {
    LinearLayout layout;
    for (unsigned dim : order)
      layout *= registers(1, dims[dim]);
    return layout;
  }
  SmallVector<StringAttr> ordered(ArrayRef<unsigned> order) const {
    return llvm::map_to_vector(order, [&](unsigned dim) { return dims[dim]; });
  }

  SmallVector<StringAttr> dims;
};

bool checkRank(ArrayRef<int64_t> shape, std::string &error) {
  if (shape.size() == 2 || shape.size() == 3)
    return true;
  error =
      llvm::formatv("a matrix layout has rank 2 or 3, not {0}", shape.size());
  return false;
}

/// The order of a dot operand, fastest first: K, then M or N, then the batch.
SmallVector<unsigned> operandOrder(unsigned opIdx, unsigned rank) {
  return matrixOrder(rank, /*rowMajor=*/opIdx == 0);
}

//===----------------------------------------------------------------------===//
// NVIDIA
//===----------------------------------------------------------------------===//

/// The fragment that results and operands of mma.sync share: four lanes with
/// `width` consecutive elements each lie along the fast dimension, eight such
/// rows make a warp, and registers repeat this over rows, then columns.
std::optional<LinearLayout> fragment(const Names &n, unsigned rows,
                                     unsigned cols, unsigned width,
                                     ArrayRef<unsigned> order,
                                     std::string &error) {
  if (!arePlausibleSizes({rows, cols, width}) || rows < 8 || cols < 4 * width) {
    error = llvm::formatv("a tile of {0} x {1} cannot hold a fragment of 8 "
                          "rows of 4 lanes with {2} elements each",
                          rows, cols, width);
    return std::nullopt;
  }
  StringAttr fast = n.dims[order[0]], slow = n.dims[order[1]];
  return n.unit(order) * n.registers(width, fast) * n.lanes(4, fast) *
         n.lanes(8, slow) * n.registers(rows / 8, slow) *
         n.registers(cols / (4 * width), fast);
}

bool checkMma(NvidiaMmaEncodingAttr mma, unsigned rank, std::string &error) {
  if (!mma.hasInstruction(error))
    return false;
  if (mma.getWarpsPerCTA().size() != rank ||
      !arePlausibleSizes(mma.getWarpsPerCTA())) {
    error = llvm::formatv("nvidia_mma of rank {0} needs {0} values in "
                          "warpsPerCTA, all powers of two",
                          rank);
    return false;
  }
  return true;
}

MaybeLayout mmaOperand(DotOperandEncodingAttr operand,
                       NvidiaMmaEncodingAttr mma, ArrayRef<int64_t> shape,
                       std::string &error) {
  unsigned rank = shape.size(), width = operand.getKWidth();
  bool isA = operand.getOpIdx() == 0;
  if (!checkMma(mma, rank, error))
    return std::nullopt;
  if (mma.isHopper() && !isA) {
    error = "wgmma reads operand B from shared memory: it has no layout in "
            "registers";
    return std::nullopt;
  }
  Names n(mma.getContext(), rank);
  SmallVector<unsigned> order = operandOrder(operand.getOpIdx(), rank);
  unsigned instrM = mma.getInstrShape()[mma.isHopper() ? 0 : rank - 2];
  // The f64 instruction, m8n8k4, has half the depth.
  unsigned depth = width * (instrM == 8 ? 4 : 8);
  MaybeLayout tile = fragment(n, isA ? instrM : 8, depth, width, order, error);
  if (!tile)
    return std::nullopt;
  LinearLayout warps =
      identityNDExcept(n.warp, mma.getWarpsPerCTA(),
                       matrixOrder(rank, /*rowMajor=*/!mma.isHopper()),
                       /*sharedDim=*/isA ? rank - 1 : rank - 2);
  return spreadOverCluster(*tile * warps, operand.getCGALayout(), shape);
}

//===----------------------------------------------------------------------===//
// AMD
//===----------------------------------------------------------------------===//

constexpr unsigned mfmaWarp = 64, wmmaWarp = 32;

bool checkMfma(AMDMfmaEncodingAttr mfma, unsigned rank, std::string &error) {
  ArrayRef<unsigned> instr = mfma.getInstrShape();
  bool good = instr.size() >= 2 && arePlausibleSizes(instr.take_front(2)) &&
              instr[0] <= mfmaWarp && instr[1] <= mfmaWarp &&
              mfma.getWarpsPerCTA().size() == rank &&
              mfma.getTilesPerWarp().size() == rank &&
              arePlausibleSizes(mfma.getWarpsPerCTA()) &&
              arePlausibleSizes(mfma.getTilesPerWarp());
  if (!good)
    error = llvm::formatv("amd_mfma of rank {0} needs {0} values each in "
                          "warpsPerCTA and tilesPerWarp, and an instruction of "
                          "at most 64 x 64, all powers of two",
                          rank);
  return good;
}

MaybeLayout mfmaOperand(DotOperandEncodingAttr operand,
                        AMDMfmaEncodingAttr mfma, ArrayRef<int64_t> shape,
                        std::string &error) {
  unsigned rank = shape.size(), opIdx = operand.getOpIdx();
  if (!checkMfma(mfma, rank, error))
    return std::nullopt;
  Names n(mfma.getContext(), rank);
  SmallVector<unsigned> order = operandOrder(opIdx, rank);
  StringAttr dimK = n.dims[order[0]], dimNonK = n.dims[order[1]];
  unsigned m = mfma.getInstrShape()[0], k = operand.getKWidth();
  unsigned nonK = mfma.getInstrShape()[opIdx];
  if (!arePlausibleSizes({k})) {
    error = "kWidth must be a power of two";
    return std::nullopt;
  }
  LinearLayout tile = n.registers(k, dimK) * n.lanes(nonK, dimNonK) *
                      n.lanes(mfmaWarp / nonK, dimK);
  int64_t depth = int64_t(mfmaWarp) / nonK * k;
  // Of 64x4 and 4x64 instructions the wide operand is sixteen deep.
  if (m != mfma.getInstrShape()[1] && nonK == mfmaWarp) {
    tile *= n.registers(16, dimK);
    depth *= 16;
  }
  if (shape[order[0]] > depth)
    tile *= n.registers(shape[order[0]] / depth, dimK);
  tile *= n.registers(mfma.getTilesPerWarp()[order[1]], dimNonK);
  tile = n.unit(order) * tile;
  LinearLayout warps = identityND(n.warp, mfma.getWarpsPerCTA(),
                                  matrixOrder(rank, /*rowMajor=*/true));
  // Unlike others', these CTAs split K where they split the result.
  return spreadOverCluster(tile * warps, mfma.getCGALayout(), shape);
}

/// One instruction's result, 16x16 or 32x16, over registers and lanes.
LinearLayout wmmaTile(const Names &n, AMDWmmaEncodingAttr wmma, unsigned rank) {
  // Lanes go along `across`, registers along `along`.
  SmallVector<unsigned> order = matrixOrder(rank, !wmma.getIsTransposed());
  StringAttr across = n.dims[order[0]], along = n.dims[order[1]];
  LinearLayout tile =
      wmma.getVersion() == 1
          // Rows alternate between the two half waves.
          ? n.lanes(16, across) * n.lanes(2, along) * n.registers(8, along)
          : n.registers(8, along) * n.lanes(16, across) * n.lanes(2, along);
  if (wmma.getVersion() > 1 && wmma.getInstrShape()[0] == 32)
    tile *= n.registers(2, along);
  return n.unit(matrixOrder(rank, /*rowMajor=*/true)) * tile;
}

bool checkWmma(AMDWmmaEncodingAttr wmma, unsigned rank, std::string &error) {
  if (wmma.getInstrShape().size() == 3 &&
      wmma.getCtaLayout().getOutDims().size() == rank &&
      arePlausibleSizes(wmma.getInstrShape()))
    return true;
  error = llvm::formatv("amd_wmma needs an instrShape of three powers of two "
                        "and a ctaLayout of rank {0}",
                        rank);
  return false;
}

MaybeLayout wmmaOperand(DotOperandEncodingAttr operand,
                        AMDWmmaEncodingAttr wmma, ArrayRef<int64_t> shape,
                        std::string &error) {
  unsigned rank = shape.size(), opIdx = operand.getOpIdx();
  if (!checkWmma(wmma, rank, error))
    return std::nullopt;
  Names n(wmma.getContext(), rank);
  SmallVector<unsigned> order = operandOrder(opIdx, rank);
  StringAttr dimK = n.dims[order[0]], dimNonK = n.dims[order[1]];
  ArrayRef<unsigned> instr = wmma.getInstrShape();
  // A transposed 32x16 instruction computes with its operands swapped.
  bool swapped = wmma.getIsTransposed() && instr[0] != instr[1];
  unsigned nonK = instr[swapped ? 1 - opIdx : opIdx];
  unsigned width = operand.getKWidth();
  constexpr unsigned tileNonK = 16, halves = wmmaWarp / tileNonK;
  if (!arePlausibleSizes({width}) || nonK < tileNonK) {
    error = "a wmma operand needs a kWidth that is a power of two, and an "
            "instruction of at least 16 x 16";
    return std::nullopt;
  }
  LinearLayout tile = n.registers(width, dimK) * n.lanes(tileNonK, dimNonK);
  tile *= wmma.getVersion() == 1 ? LinearLayout::zeros1D(halves, n.lane, dimK)
                                 : n.lanes(halves, dimK);
  if (instr[2] > width * halves)
    tile *= n.registers(instr[2] / (width * halves), dimK);
  tile *= n.registers(nonK / tileNonK, dimNonK);
  // Tiles along K are the same operand for this dot.
  LinearLayout tiles =
      wmma.getCtaLayout().resizeOut(dimK, 1).removeZeroBases(n.reg);
  return spreadOverCluster(n.unit(order) * tile * tiles, operand.getCGALayout(),
                           shape);
}

//===----------------------------------------------------------------------===//
// Dots without matrix instructions
//===----------------------------------------------------------------------===//

MaybeLayout fmaOperand(DotOperandEncodingAttr operand,
                       BlockedEncodingAttr blocked, ArrayRef<int64_t> shape,
                       std::string &error) {
  unsigned rank = shape.size();
  unsigned dimK = operand.getOpIdx() == 0 ? rank - 1 : rank - 2;
  for (ArrayRef<unsigned> sizes :
       {blocked.getSizePerThread(), blocked.getThreadsPerWarp(),
        blocked.getWarpsPerCTA()})
    if (!arePlausibleSizes(sizes)) {
      error = "the sizes of a blocked layout must be powers of two";
      return std::nullopt;
    }
  Names n(operand.getContext(), rank);
  ArrayRef<unsigned> order = blocked.getOrder();
  SmallVector<unsigned> sizes(blocked.getSizePerThread());
  sizes[dimK] = shape[dimK];
  LinearLayout tile =
      identityND(n.reg, sizes, order) *
      identityNDExcept(n.lane, blocked.getThreadsPerWarp(), order, dimK) *
      identityNDExcept(n.warp, blocked.getWarpsPerCTA(), order, dimK);
  return spreadOverCluster(tile, operand.getCGALayout(), shape);
}

} // namespace

MaybeLayout parts::mmaLayout(NvidiaMmaEncodingAttr mma, ArrayRef<int64_t> shape,
                             std::string &error) {
  unsigned rank = shape.size();
  if (!checkRank(shape, error) || !checkMma(mma, rank, error))
    return std::nullopt;
  Names n(mma.getContext(), rank);
  ArrayRef<unsigned> instr = mma.getInstrShape();
  unsigned first = mma.isHopper() ? 0 : rank - 2;
  MaybeLayout tile = fragment(n, instr[first], instr[first + 1], /*width=*/2,
                              matrixOrder(rank, /*rowMajor=*/true), error);
  if (!tile)
    return std::nullopt;
  // The four warps of a wgmma stack along M.
  LinearLayout warps =
      identityND(n.warp, mma.getWarpsPerCTA(),
                 matrixOrder(rank, /*rowMajor=*/!mma.isHopper()));
  return spreadOverCluster(*tile * warps, mma.getCGALayout(), shape);
}

MaybeLayout parts::mfmaLayout(AMDMfmaEncodingAttr mfma, ArrayRef<int64_t> shape,
                              std::string &error) {
  unsigned rank = shape.size();
  if (!checkRank(shape, error) || !checkMfma(mfma, rank, error))
    return std::nullopt;
  Names n(mfma.getContext(), rank);
  unsigned mDim = rank - 2, nDim = rank - 1;
  StringAttr dimM = n.dims[mDim], dimN = n.dims[nDim];
  unsigned instrM = mfma.getInstrShape()[0], instrN = mfma.getInstrShape()[1];
  // Lanes go along one dimension, and each has a column of `height` elements,
  // or several, along the other.
  bool transposed = mfma.getIsTransposed();
  StringAttr across = transposed ? dimM : dimN,
             along = transposed ? dimN : dimM;
  unsigned lanesAcross = transposed ? instrM : instrN;
  unsigned height = mfma.getElementBitWidth() == 64 ? 1 : 4;
  unsigned columns = instrM * instrN / (mfmaWarp * height);
  LinearLayout tile = n.unit({nDim, mDim}) * n.registers(height, along) *
                      n.lanes(lanesAcross, across) *
                      n.lanes(mfmaWarp / lanesAcross, along) *
                      n.registers(std::max(columns, 1u), along);
  // Tiles follow along N through the whole tensor before they go along M.
  unsigned tilesN = mfma.getTilesPerWarp()[nDim];
  unsigned warpsN = mfma.getWarpsPerCTA()[nDim];
  int64_t repeatN = shape[nDim] / (int64_t(instrN) * warpsN * tilesN);
  tile *= n.registers(tilesN, dimN) * n.warps(warpsN, dimN);
  if (repeatN > 1)
    tile *= n.registers(repeatN, dimN);
  tile *= n.registers(mfma.getTilesPerWarp()[mDim], dimM) *
          n.warps(mfma.getWarpsPerCTA()[mDim], dimM);
  if (rank == 3)
    tile *= n.warps(mfma.getWarpsPerCTA()[0], n.dims[0]);
  return spreadOverCluster(tile, mfma.getCGALayout(), shape);
}

MaybeLayout parts::wmmaLayout(AMDWmmaEncodingAttr wmma, ArrayRef<int64_t> shape,
                              std::string &error) {
  unsigned rank = shape.size();
  if (!checkRank(shape, error) || !checkWmma(wmma, rank, error))
    return std::nullopt;
  Names n(wmma.getContext(), rank);
  return spreadOverCluster(wmmaTile(n, wmma, rank) * wmma.getCtaLayout(),
                           wmma.getCGALayout(), shape);
}

MaybeLayout parts::dotOperandLayout(DotOperandEncodingAttr operand,
                                    ArrayRef<int64_t> shape,
                                    std::string &error) {
  if (!checkRank(shape, error))
    return std::nullopt;
  return llvm::TypeSwitch<Attribute, MaybeLayout>(operand.getParent())
      .Case([&](BlockedEncodingAttr parent) {
        return fmaOperand(operand, parent, shape, error);
      })
      .Case([&](NvidiaMmaEncodingAttr parent) {
        return mmaOperand(operand, parent, shape, error);
      })
      .Case([&](AMDMfmaEncodingAttr parent) {
        return mfmaOperand(operand, parent, shape, error);
      })
      .Case([&](AMDWmmaEncodingAttr parent) {
        return wmmaOperand(operand, parent, shape, error);
      })
      .Default([&](Attribute) -> MaybeLayout {
        error = "the parent of a dot operand must be blocked or a matrix "
                "layout";
        return std::nullopt;
      });
}
