//===- SharedLayouts.cpp - Shared memory layouts as linear layouts --------===//

#include "dialects/ttg/LayoutParts.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;
using namespace kernelscope::ttg::parts;

/// Rows of `cols` elements, row `r` with its columns xored with `phaseOf(r)`.
/// Out-dims are `rowDim`, `colDim`.
static LinearLayout swizzledRows(int64_t rows, int64_t cols, StringAttr rowDim,
                                 StringAttr colDim,
                                 llvm::function_ref<int64_t(int64_t)> phaseOf) {
  std::vector<std::vector<int32_t>> bases;
  for (int64_t col = 1; col < cols; col *= 2)
    bases.push_back({0, static_cast<int32_t>(col)});
  for (int64_t row = 1; row < rows; row *= 2)
    bases.push_back(
        {static_cast<int32_t>(row), static_cast<int32_t>(phaseOf(row) % cols)});
  StringAttr offset = LayoutDims(rowDim.getContext()).offset;
  std::string error;
  return *LinearLayout::create({{offset, bases}},
                               {{rowDim, static_cast<int32_t>(rows)},
                                {colDim, static_cast<int32_t>(cols)}},
                               error);
}

/// The swizzles that are given by `vec`, `perPhase` and `maxPhase`: the two
/// fastest dimensions are rows and columns, the others follow in order.
template <typename Encoding>
static MaybeLayout phasedLayout(Encoding shared, ArrayRef<int64_t> shape,
                                bool rotating, std::string &error) {
  int64_t vec = shared.getVec(), perPhase = shared.getPerPhase(),
          maxPhase = shared.getMaxPhase();
  if (!llvm::isPowerOf2_64(vec) || !llvm::isPowerOf2_64(perPhase) ||
      !llvm::isPowerOf2_64(maxPhase)) {
    error = "vec, perPhase and maxPhase must be powers of two";
    return std::nullopt;
  }
  CGAEncodingAttr cga = shared.getCGALayout();
  // A rotating layout walks the whole tensor in each CTA, and so leaves gaps.
  SmallVector<int64_t> sizes = rotating && shape.size() > 1
                                   ? SmallVector<int64_t>(shape)
                                   : shapePerCTA(cga, shape);
  SmallVector<StringAttr> dims = tensorDims(shared.getContext(), shape.size());
  StringAttr offset = LayoutDims(shared.getContext()).offset;
  ArrayRef<unsigned> order = shared.getOrder();
  if (shape.size() == 1)
    return spreadOverCluster(
        LinearLayout::identity1D(sizes[0], offset, dims[0]), cga, shape);
  auto phaseOf = [&](int64_t row) {
    int64_t phase = row / perPhase % maxPhase;
    if (rotating)
      phase ^= row / perPhase / maxPhase % maxPhase;
    return vec * phase;
  };
  LinearLayout layout = swizzledRows(sizes[order[1]], sizes[order[0]],
                                     dims[order[1]], dims[order[0]], phaseOf);
  for (unsigned dim : order.drop_front(2))
    layout *= LinearLayout::identity1D(sizes[dim], offset, dims[dim]);
  return spreadOverCluster(layout, cga, shape);
}

/// The memory that TMA writes: boxes of at most 256 along each dimension, one
/// swizzle width wide, each a stack of tiles of eight swizzled rows.
static MaybeLayout nvmmaLayout(NVMMASharedEncodingAttr shared,
                               ArrayRef<int64_t> shape, std::string &error) {
  auto fail = [&](auto &&message) {
    error = message;
    return std::nullopt;
  };
  MLIRContext *context = shared.getContext();
  unsigned rank = shape.size();
  SmallVector<StringAttr> dims = tensorDims(context, rank);
  StringAttr offset = LayoutDims(context).offset;
  CGAEncodingAttr cga = shared.getCGALayout();
  int64_t width = shared.getSwizzlingByteWidth();
  int64_t elementBits = shared.getElementBitWidth();
  if (!elementBits)
    return fail("elementBitWidth must not be 0");
  int64_t packing = shared.getFp4Padded() ? 2 : 1;

  unsigned fastest = shared.getTransposed() ? 0 : rank - 1;

  SmallVector<int64_t> sizes = shapePerCTA(cga, shape), box;
  sizes[fastest] *= packing;
  for (int64_t size : sizes)
    box.push_back(std::min<int64_t>(size, 256));
  if (width) {
    int64_t needed = 8 * width / elementBits;
    if (box[fastest] < needed)
      return fail(llvm::formatv(
          "dimension {0} has {1} elements in a CTA; a swizzle of {2} bytes "
          "needs at least {3}",
          fastest, box[fastest], width, needed));
    box[fastest] = needed;
  }
  box[fastest] /= packing;

  // Memory is a row-major box: its sizes and their dimensions, fastest first.
  // Of a transposed layout of three or more dimensions without a swizzle Triton
  // takes the sizes of one rotation and the dimensions of the other; where they
  // disagree, a size that is too large gives copies, a small one repeats.
  SmallVector<LinearLayout::NamedValue> fastToSlow;
  for (unsigned i = rank; i-- > 0;) {
    unsigned next = (i + 1) % rank, previous = (i + rank - 1) % rank;
    bool transposed = shared.getTransposed();
    unsigned dim = !transposed ? i : width ? next : previous;
    fastToSlow.emplace_back(dims[dim],
                            static_cast<int32_t>(box[transposed ? next : i]));
  }

  LinearLayout layout;
  if (!width) {
    for (auto [dim, size] : fastToSlow)
      layout *= LinearLayout::identity1D(size, offset, dim);
    SmallVector<StringAttr> lastFirst(llvm::reverse(dims));
    return spreadOverCluster(layout.transposeOuts(lastFirst), cga, shape);
  }
  if (rank < 2)
    return fail("a swizzled nvmma_shared layout needs rank 2 or more");
  // The first or last dimension of the box against all others.
  int64_t cols = 1, rows = 1;
  for (unsigned dim = 0; dim + 1 < rank; ++dim)
    (shared.getTransposed() ? cols : rows) *= box[dim];
  (shared.getTransposed() ? rows : cols) = box[rank - 1];

  constexpr int64_t tileRows = 8;
  if (rows < tileRows)
    return fail(llvm::formatv("the slower dimensions have {0} rows in a CTA; "
                              "a swizzled layout needs at least {1}",
                              rows, tileRows));
  int64_t vec = shared.getVec(), perPhase = shared.getPerPhase(),
          maxPhase = shared.getMaxPhase();
  int64_t tileCols = 8 * std::max<int64_t>(16, width) / elementBits;
  // Of 16 padded fp4 columns the upper 8 are gaps, which stand for the lower.
  auto packed = [&](int64_t col) {
    return static_cast<int32_t>(packing == 1 ? col : col / 16 * 8 + col % 8);
  };
  std::vector<std::vector<int32_t>> bases;
  for (int64_t col = 1; col < tileCols; col *= 2)
    bases.push_back({0, packed(col)});
  for (int64_t row = 1; row < tileRows; row *= 2)
    bases.push_back(
        {static_cast<int32_t>(row), packed(vec * (row / perPhase % maxPhase))});
  StringAttr row = StringAttr::get(context, "row"),
             col = StringAttr::get(context, "col");
  MaybeLayout tile = LinearLayout::create(
      {{offset, bases}},
      {{row, tileRows}, {col, static_cast<int32_t>(tileCols / packing)}},
      error);
  if (!tile)
    return std::nullopt;
  *tile *= LinearLayout::identity1D(rows / tileRows, offset, row);
  *tile *= LinearLayout::identity1D(cols * packing / tileCols, offset, col);
  layout = tile->transposeOuts({col, row}).reshapeOuts(fastToSlow);
  return spreadOverCluster(layout.transposeOuts(dims), cga, shape);
}

static MaybeLayout writtenLayout(const LinearLayout &written,
                                 ArrayRef<int64_t> shape, std::string &error) {
  for (auto [dim, size] : llvm::zip_equal(written.getOutDims(), shape))
    if (dim.size() != size) {
      error =
          llvm::formatv("the layout has size {0} along '{1}', the shape {2}",
                        dim.size(), dim.name.strref(), size);
      return std::nullopt;
    }
  return written;
}

/// Pieces are dealt out over partitions, and then follow in their buffers.
static MaybeLayout partitionedLayout(PartitionedSharedEncodingAttr shared,
                                     ArrayRef<int64_t> shape,
                                     std::string &error) {
  unsigned dim = shared.getPartitionDim();
  if (!arePlausibleSizes({shared.getNumPartitions(), shared.getNumGroups()}) ||
      dim >= shape.size() ||
      shape[dim] < static_cast<int64_t>(shared.getNumLogicalPieces())) {
    error = "the partitioned dimension must be divided into a power-of-two "
            "number of pieces of at least one element";
    return std::nullopt;
  }
  SmallVector<int64_t> piece(shape);
  piece[dim] /= shared.getNumLogicalPieces();
  MaybeLayout layout =
      toLinearLayout(piece, shared.getPartitionLayout(), error);
  if (!layout)
    return std::nullopt;
  MLIRContext *context = shared.getContext();
  StringAttr name = tensorDims(context, shape.size())[dim];
  return *layout *
         LinearLayout::identity1D(shared.getNumPartitions(),
                                  StringAttr::get(context, "partition"), name) *
         LinearLayout::identity1D(shared.getNumGroups(),
                                  LayoutDims(context).offset, name);
}

MaybeLayout parts::sharedLayout(SharedEncodingTrait shared,
                                ArrayRef<int64_t> shape, std::string &error) {
  return llvm::TypeSwitch<Attribute, MaybeLayout>(shared)
      .Case([&](SwizzledSharedEncodingAttr a) {
        return phasedLayout(a, shape, /*rotating=*/false, error);
      })
      .Case([&](AMDRotatingSharedEncodingAttr a) {
        return phasedLayout(a, shape, /*rotating=*/true, error);
      })
      .Case([&](NVMMASharedEncodingAttr a) {
        return nvmmaLayout(a, shape, error);
      })
      .Case([&](SharedLinearEncodingAttr a) {
        return writtenLayout(a.getLinearLayout(), shape, error);
      })
      .Case([&](PaddedSharedEncodingAttr a) {
        return writtenLayout(a.getLinearComponent(), shape, error);
      })
      .Case([&](PartitionedSharedEncodingAttr a) {
        return partitionedLayout(a, shape, error);
      })
      .Default([&](Attribute) -> MaybeLayout {
        error = "the layout has no linear form";
        return std::nullopt;
      });
}
