//===- AccumulatorLayout.cpp - Layouts of the sums of products ------------===//

#include "passes/ttgir/AccumulatorLayout.h"
#include "dialects/ttg/Layouts.h"
#include <algorithm>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// The dimension of a chain takes all warps, or as many as it has tiles. The
/// others share batches first, then whichever of rows and columns is longer.
static SmallVector<unsigned> shareWarps(ArrayRef<int64_t> shape,
                                        std::optional<ChainedShare> chained,
                                        const MatrixInstruction &row,
                                        unsigned warps) {
  SmallVector<unsigned> share(shape.size(), 1);
  SmallVector<int64_t> tile(shape.size(), 1);
  tile[shape.size() - 2] = row.m;
  tile.back() = row.n;
  if (chained) {
    const auto tiles = static_cast<unsigned>(
        std::max<int64_t>(1, shape[chained->dim] / tile[chained->dim]));
    using Copies = ChainedShare::Copies;
    const bool takesAll =
        chained->copies == Copies::Always ||
        (chained->copies == Copies::OfSeveralTiles && tiles > 1);
    share[chained->dim] = takesAll ? warps : std::min(tiles, warps);
    warps /= share[chained->dim];
  }
  for (; warps > 1; warps /= 2) {
    // The rows take what is left over, as copies.
    size_t best = shape.size() - 2;
    int64_t most = 1;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t left = shape[dim] / share[dim];
      if (left > tile[dim] && left > most) {
        best = dim;
        most = dim + 2 < shape.size() ? INT64_MAX : left;
      }
    }
    share[best] *= 2;
  }
  return share;
}

/// One tile for each warp, the last dimension's warps the fastest ones.
static LinearLayout wmmaTiles(MLIRContext *context, ArrayRef<unsigned> share) {
  auto warp = StringAttr::get(context, "warp");
  SmallVector<StringAttr> dims = ttg::tensorDims(context, share.size());
  LinearLayout layout = LinearLayout::identity1D(
      1, StringAttr::get(context, "register"), dims.back());
  for (size_t dim = share.size(); dim-- > 0;)
    layout *= LinearLayout::identity1D(static_cast<int32_t>(share[dim]), warp,
                                       dims[dim]);
  return layout.transposeOuts(dims);
}

Attribute ttgir::accumulatorLayout(const MatrixInstruction &row,
                                   RankedTensorType part,
                                   std::optional<ChainedShare> chained,
                                   unsigned warps, ttg::CGAEncodingAttr cga,
                                   const Target &target) {
  MLIRContext *context = part.getContext();
  auto rank = static_cast<unsigned>(part.getRank());
  SmallVector<unsigned> share =
      shareWarps(part.getShape(), chained, row, warps);
  SmallVector<unsigned> tile{row.m, row.n};
  switch (row.unit) {
  case MatrixUnit::MmaSm80:
  case MatrixUnit::MmaSm89:
  case MatrixUnit::MmaSm90:
  case MatrixUnit::MmaSm89ToF16:
    tile.insert(tile.begin(), rank - 2, 1);
    return ttg::NvidiaMmaEncodingAttr::get(context, 2, 0, share, cga, tile);
  case MatrixUnit::Mfma:
  case MatrixUnit::MfmaCdna3:
  case MatrixUnit::MfmaCdna3Only:
  case MatrixUnit::MfmaCdna4: {
    const unsigned version = hasMatrixUnit(target, MatrixUnit::MfmaCdna4)   ? 4
                             : hasMatrixUnit(target, MatrixUnit::MfmaCdna3) ? 3
                                                                            : 2;
    tile.push_back(row.k);
    return ttg::AMDMfmaEncodingAttr::get(
        context, version, share, tile, /*isTransposed=*/true, cga,
        SmallVector<unsigned>(rank, 1), part.getElementTypeBitWidth());
  }
  case MatrixUnit::Wmma1:
  case MatrixUnit::Wmma2:
  case MatrixUnit::Wmma3: {
    const unsigned version = row.unit == MatrixUnit::Wmma1   ? 1
                             : row.unit == MatrixUnit::Wmma2 ? 2
                                                             : 3;
    tile.push_back(row.k);
    return ttg::AMDWmmaEncodingAttr::get(context, version,
                                         wmmaTiles(context, share),
                                         /*isTransposed=*/true, cga, tile);
  }
  default:
    return {};
  }
}

SmallVector<const MatrixInstruction *>
ttgir::fewestCopiesFirst(ArrayRef<const MatrixInstruction *> instructions,
                         RankedTensorType part,
                         std::optional<ChainedShare> chained, unsigned warps) {
  const int64_t rows = part.getDimSize(part.getRank() - 2),
                columns = part.getShape().back();
  auto copiesOf = [&](const MatrixInstruction *row) {
    if (row->m > rows || row->n > columns)
      return 2;
    int64_t tiles = part.getNumElements() / (int64_t(row->m) * row->n);
    if (chained)
      tiles = part.getDimSize(chained->dim) /
              (chained->dim + 1 == part.getRank() ? row->n : row->m);
    return tiles < warps ? 1 : 0;
  };
  SmallVector<const MatrixInstruction *> ordered;
  for (int copies : {0, 1, 2})
    llvm::copy_if(instructions, std::back_inserter(ordered),
                  [&](auto *row) { return copiesOf(row) == copies; });
  return ordered;
}
