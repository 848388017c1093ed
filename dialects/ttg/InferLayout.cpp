//===- InferLayout.cpp - What layouts become under ops of tt --------------===//

#include "dialects/ttg/InferLayout.h"
#include "dialects/ttg/Layouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

Attribute ttg::toDistributedEncoding(MLIRContext *context,
                                     const LinearLayout &layout) {
  if (isPermutationWithCopies(layout))
    return LinearEncodingAttr::get(context, layout);
  if (isGenericLinear(layout))
    return GenericLinearEncodingAttr::get(context, layout);
  return {};
}

/// The layout of a tensor or allocation, or an error at `loc`.
static std::optional<LinearLayout> layoutOf(ArrayRef<int64_t> shape,
                                            Attribute encoding,
                                            std::optional<Location> loc) {
  std::string error;
  auto layout = toLinearLayout(shape, encoding, error);
  if (!layout)
    (void)emitOptionalError(loc, encoding, ": ", error);
  return layout;
}

static FailureOr<Attribute> distributed(MLIRContext *context,
                                        const LinearLayout &layout,
                                        std::optional<Location> loc) {
  if (Attribute encoding = toDistributedEncoding(context, layout))
    return encoding;
  return emitOptionalError(loc, "no layout attribute can express ",
                           layout.toString());
}

/// `layout` with out-dim i being what was out-dim order[i].
static LinearLayout permuteDims(const LinearLayout &layout,
                                ArrayRef<int32_t> order) {
  SmallVector<StringAttr> dims = layout.getOutDimNames(), moved;
  for (int32_t dim : order)
    moved.push_back(dims[dim]);
  // Renamed by reshaping to the same sizes, for names may cross.
  LinearLayout permuted = layout.transposeOuts(moved);
  SmallVector<LinearLayout::NamedValue> renamed;
  for (auto [name, dim] : llvm::zip_equal(dims, permuted.getOutDims()))
    renamed.emplace_back(name, dim.size());
  return permuted.reshapeOuts(renamed);
}

static CGAEncodingAttr permuteDims(CGAEncodingAttr cluster,
                                   ArrayRef<int32_t> order) {
  return CGAEncodingAttr::get(cluster.getContext(),
                              permuteDims(cluster.getLinearLayout(), order));
}

template <typename T>
static SmallVector<T> permute(ArrayRef<T> values, ArrayRef<int32_t> order) {
  SmallVector<T> permuted;
  for (int32_t dim : order)
    permuted.push_back(values[dim]);
  return permuted;
}

/// A list of dimensions, each under its new number.
static SmallVector<unsigned> renumber(ArrayRef<unsigned> dims,
                                      ArrayRef<int32_t> order) {
  SmallVector<unsigned> renumbered;
  for (unsigned dim : dims)
    renumbered.push_back(llvm::find(order, int32_t(dim)) - order.begin());
  return renumbered;
}

FailureOr<Attribute> InferLayout::inferTrans(Attribute src, Shape shape,
                                             ArrayRef<int32_t> order,
                                             OptionalLoc loc) const {
  auto trait = dyn_cast<LayoutEncodingTrait>(src);
  SmallVector<unsigned> dims(order.begin(), order.end());
  if (!trait || trait.getRank() != order.size() ||
      shape.size() != order.size() || !isPermutation(dims))
    return emitOptionalError(loc, "order [", order, "] does not permute the ",
                             trait ? trait.getRank() : 0,
                             " dimensions of the layout ", src);
  if (llvm::is_sorted(order))
    return src;
  MLIRContext *context = src.getContext();
  CGAEncodingAttr cluster = permuteDims(trait.getCGALayout(), order);

  if (auto blocked = dyn_cast<BlockedEncodingAttr>(src))
    return Attribute(BlockedEncodingAttr::get(
        context, permute(blocked.getSizePerThread(), order),
        permute(blocked.getThreadsPerWarp(), order),
        permute(blocked.getWarpsPerCTA(), order),
        renumber(blocked.getOrder(), order), cluster));
  if (auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(src))
    return Attribute(SwizzledSharedEncodingAttr::get(
        context, swizzled.getVec(), swizzled.getPerPhase(),
        swizzled.getMaxPhase(), renumber(swizzled.getOrder(), order), cluster));
  if (auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(src);
      nvmma && order.size() == 2)
    return Attribute(NVMMASharedEncodingAttr::get(
        context, nvmma.getSwizzlingByteWidth(), !nvmma.getTransposed(),
        nvmma.getElementBitWidth(), nvmma.getFp4Padded(), cluster));
  if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(src))
    return Attribute(PaddedSharedEncodingAttr::get(
        context, padded.getIntervals(), padded.getPaddings(),
        permuteDims(padded.getLinearComponent(), order)));
  if (auto partitioned = dyn_cast<PartitionedSharedEncodingAttr>(src)) {
    unsigned dim = partitioned.getPartitionDim();
    SmallVector<int64_t> piece(shape);
    piece[dim] =
        std::max<int64_t>(1, piece[dim] / partitioned.getNumLogicalPieces());
    auto inner =
        inferTrans(partitioned.getPartitionLayout(), piece, order, loc);
    if (failed(inner))
      return failure();
    return Attribute(PartitionedSharedEncodingAttr::get(
        context, partitioned.getNumPartitions(), partitioned.getNumGroups(),
        renumber({dim}, order)[0], cast<SharedEncodingTrait>(*inner)));
  }

  auto layout = layoutOf(shape, src, loc);
  if (!layout)
    return failure();
  LinearLayout permuted = permuteDims(*layout, order);
  if (auto shared = dyn_cast<SharedEncodingTrait>(src))
    return Attribute(SharedLinearEncodingAttr::get(context, permuted,
                                                   shared.getAlignment()));
  return distributed(context, permuted, loc);
}

FailureOr<Attribute> InferLayout::inferReduce(Attribute src, unsigned axis,
                                              OptionalLoc loc) const {
  auto trait = dyn_cast<LayoutEncodingTrait>(src);
  auto parent = dyn_cast<DistributedEncodingTrait>(src);
  if (!trait || !parent || trait.getRank() < 2 || axis >= trait.getRank())
    return emitOptionalError(loc, "cannot reduce axis ", axis,
                             " of the layout ", src);
  return Attribute(SliceEncodingAttr::get(src.getContext(), axis, parent));
}

FailureOr<Attribute> InferLayout::inferExpandDims(Attribute src, unsigned axis,
                                                  OptionalLoc loc) const {
  auto slice = dyn_cast<SliceEncodingAttr>(src);
  if (!slice || slice.getDim() != axis)
    return emitOptionalError(loc, "a new dimension ", axis,
                             " needs a #ttg.slice layout of dim = ", axis,
                             ", not ", src);
  return Attribute(slice.getParent());
}

/// `shape` as out-dims with the standard names; false when a size is not a
/// power of two.
static bool namedShape(MLIRContext *context, ArrayRef<int64_t> shape,
                       SmallVectorImpl<LinearLayout::NamedValue> &dims) {
  for (auto [name, size] :
       llvm::zip_equal(tensorDims(context, shape.size()), shape)) {
    if (size <= 0 || !llvm::isPowerOf2_64(size) ||
        size > (int64_t(1) << LinearLayout::maxDimBits))
      return false;
    dims.emplace_back(name, int32_t(size));
  }
  return true;
}

/// The same elements in row-major order under another shape: the last
/// dimension's bits are the lowest.
static std::optional<LinearLayout> reshape(const LinearLayout &layout,
                                           MLIRContext *context,
                                           ArrayRef<int64_t> shape) {
  SmallVector<LinearLayout::NamedValue> dims;
  if (!namedShape(context, shape, dims))
    return std::nullopt;
  unsigned bits = 0;
  for (auto [name, size] : dims)
    bits += llvm::Log2_32(size);
  if (bits != layout.getTotalOutDimSizeLog2())
    return std::nullopt;
  SmallVector<StringAttr> lowestFirst = layout.getOutDimNames();
  std::reverse(lowestFirst.begin(), lowestFirst.end());
  SmallVector<StringAttr> standard = tensorDims(context, shape.size());
  std::reverse(dims.begin(), dims.end());
  return layout.transposeOuts(lowestFirst)
      .reshapeOuts(dims)
      .transposeOuts(standard);
}

FailureOr<Attribute> InferLayout::inferReshape(Attribute src, Shape srcShape,
                                               Shape dstShape, Attribute hint,
                                               bool allowReorder,
                                               OptionalLoc loc) const {
  auto layout = layoutOf(srcShape, src, loc);
  if (!layout)
    return failure();
  MLIRContext *context = src.getContext();
  auto reshaped = reshape(*layout, context, dstShape);
  if (!reshaped)
    return emitOptionalError(loc, "shape [", srcShape,
                             "] cannot be reshaped to [", dstShape,
                             "]; both need the same number of elements, and "
                             "sizes that are powers of two");
  if (hint) {
    std::string error;
    auto hinted = toLinearLayout(dstShape, hint, error);
    // Reordered elements may land in any register, but stay in their thread.
    auto sameThreads = [&](const LinearLayout &a, const LinearLayout &b) {
      return llvm::all_of(ArrayRef<StringRef>{"lane", "warp", "block"},
                          [&](StringRef name) {
                            auto dim = StringAttr::get(context, name);
                            return a.getInDimSizeLog2(dim) ==
                                   b.getInDimSizeLog2(dim);
                          }) &&
             a.getInDimSizeLog2(StringAttr::get(context, "register")) ==
                 b.getInDimSizeLog2(StringAttr::get(context, "register"));
    };
    if (hinted && (*hinted == *reshaped ||
                   (allowReorder && sameThreads(*hinted, *reshaped))))
      return hint;
  }
  if (auto shared = dyn_cast<SharedEncodingTrait>(src))
    return Attribute(SharedLinearEncodingAttr::get(context, *reshaped,
                                                   shared.getAlignment()));
  return distributed(context, *reshaped, loc);
}

FailureOr<Attribute> InferLayout::inferJoin(Attribute src, Shape shape,
                                            OptionalLoc loc) const {
  MLIRContext *context = src.getContext();
  SmallVector<int64_t> joined(shape);
  joined.push_back(2);
  // The slice that a split gave goes back to where it came from.
  if (auto slice = dyn_cast<SliceEncodingAttr>(src);
      slice && slice.getDim() == shape.size()) {
    auto split = inferSplit(slice.getParent(), joined, std::nullopt);
    if (succeeded(split) && areEquivalent(shape, *split, src, true))
      return Attribute(slice.getParent());
  }
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(src)) {
    auto append = [](ArrayRef<unsigned> values, unsigned value) {
      SmallVector<unsigned> longer(values);
      longer.push_back(value);
      return longer;
    };
    SmallVector<unsigned> order(blocked.getOrder());
    order.insert(order.begin(), order.size());
    auto bases = blocked.getCGALayout().getLinearLayout().getBases(
        StringAttr::get(context, "block"));
    for (auto &basis : bases)
      basis.push_back(0);
    return Attribute(BlockedEncodingAttr::get(
        context, append(blocked.getSizePerThread(), 2),
        append(blocked.getThreadsPerWarp(), 1),
        append(blocked.getWarpsPerCTA(), 1), order,
        CGAEncodingAttr::fromBases(context, joined.size(), std::move(bases))));
  }
  auto layout = layoutOf(shape, src, loc);
  if (!layout)
    return failure();
  SmallVector<StringAttr> dims = tensorDims(context, joined.size());
  LinearLayout pair = LinearLayout::identity1D(
      2, StringAttr::get(context, "register"), dims.back());
  return distributed(context, (pair * *layout).transposeOuts(dims), loc);
}

FailureOr<Attribute> InferLayout::inferSplit(Attribute src, Shape shape,
                                             OptionalLoc loc) const {
  if (shape.size() < 2 || shape.back() != 2)
    return emitOptionalError(loc, "a tensor of shape [", shape,
                             "] cannot be split; its last size must be 2");
  MLIRContext *context = src.getContext();
  size_t rank = shape.size() - 1;
  auto blocked = dyn_cast<BlockedEncodingAttr>(src);
  if (blocked && blocked.getRank() == shape.size() &&
      blocked.getSizePerThread().back() == 2 &&
      blocked.getThreadsPerWarp().back() == 1 &&
      blocked.getWarpsPerCTA().back() == 1 &&
      blocked.getCGALayout().getNumCTAs() == 1) {
    SmallVector<unsigned> order(blocked.getOrder());
    llvm::erase(order, rank);
    return Attribute(BlockedEncodingAttr::get(
        context, blocked.getSizePerThread().drop_back(),
        blocked.getThreadsPerWarp().drop_back(),
        blocked.getWarpsPerCTA().drop_back(), order,
        CGAEncodingAttr::get1CTALayout(context, rank)));
  }
  auto layout = layoutOf(shape, src, loc);
  if (!layout)
    return failure();
  // The halves must be two registers of one thread; without that register, what
  // is left is the layout of a half.
  auto reg = StringAttr::get(context, "register");
  SmallVector<LinearLayout::Bases> bases;
  bool found = false;
  for (StringAttr in : layout->getInDimNames()) {
    auto &[name, kept] =
        bases.emplace_back(in, std::vector<std::vector<int32_t>>());
    for (auto &basis : layout->getBases(in)) {
      bool half = basis.back() == 1;
      if (half && in == reg && !found &&
          llvm::all_of(ArrayRef(basis).drop_back(),
                       [](int32_t v) { return v == 0; })) {
        found = true;
        continue;
      }
      if (half)
        return emitOptionalError(
            loc, "the two halves of layout ", src,
            " are not in two registers of the same thread");
      basis.pop_back();
      kept.push_back(basis);
    }
  }
  if (!found)
    return emitOptionalError(loc, "the two halves of layout ", src,
                             " are not in two registers of the same thread");
  std::string error;
  auto half = LinearLayout::create(bases, tensorDims(context, rank), error);
  if (!half)
    return emitOptionalError(loc, error);
  return distributed(context, *half, loc);
}
