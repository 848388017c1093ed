//===- Layouts.cpp - Layout attributes as linear layouts ------------------===//
//
// The dispatch over encodings, and those that are written out by hand: blocked,
// slice, linear. MmaLayouts.cpp and SharedLayouts.cpp have the rest.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/LayoutCache.h"
#include "dialects/ttg/LayoutParts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;
using namespace kernelscope::ttg::parts;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

SmallVector<StringAttr> ttg::tensorDims(MLIRContext *context, unsigned rank) {
  SmallVector<StringAttr> names;
  for (unsigned i = 0; i < rank; ++i)
    names.push_back(StringAttr::get(context, "dim" + Twine(i)));
  return names;
}

SmallVector<unsigned> parts::matrixOrder(unsigned rank, bool rowMajor) {
  SmallVector<unsigned> order;
  for (unsigned dim = rank; dim-- > 0;)
    order.push_back(dim);
  if (!rowMajor && rank > 1)
    std::swap(order[0], order[1]);
  return order;
}

LinearLayout parts::identityND(StringAttr in, ArrayRef<unsigned> shape,
                               ArrayRef<unsigned> order) {
  return identityNDExcept(in, shape, order, shape.size());
}

LinearLayout parts::identityNDExcept(StringAttr in, ArrayRef<unsigned> shape,
                                     ArrayRef<unsigned> order,
                                     unsigned sharedDim) {
  SmallVector<StringAttr> dims = tensorDims(in.getContext(), shape.size());
  LinearLayout layout;
  for (unsigned dim : order)
    layout *= dim == sharedDim
                  ? LinearLayout::zeros1D(shape[dim], in, dims[dim])
                  : LinearLayout::identity1D(shape[dim], in, dims[dim]);
  return layout;
}

/// Makes an out-dim smaller. A basis that then lies outside does not wrap
/// around: it stands for a copy.
static LinearLayout shrinkOut(const LinearLayout &layout, StringAttr name,
                              int64_t size) {
  SmallVector<LinearLayout::Bases> bases;
  for (StringAttr in : layout.getInDimNames()) {
    bases.emplace_back(in, layout.getBases(in));
    for (auto &basis : bases.back().second)
      for (auto [out, value] : llvm::zip_equal(layout.getOutDims(), basis))
        if (out.name == name && value >= size)
          value = 0;
  }
  SmallVector<LinearLayout::NamedValue> outs = layout.getOutDimSizes();
  for (auto &[out, outSize] : outs)
    if (out == name)
      outSize = static_cast<int32_t>(size);
  std::string error;
  return *LinearLayout::create(bases, outs, error);
}

LinearLayout parts::fitToShape(LinearLayout tile, ArrayRef<int64_t> shape) {
  MLIRContext *context = tile.getInDims().front().name.getContext();
  SmallVector<StringAttr> dims = tensorDims(context, shape.size());
  StringAttr first = tile.getInDims().front().name;
  for (StringAttr name : tile.getOutDimNames()) {
    int64_t size = shape[llvm::find(dims, name) - dims.begin()];
    int64_t covered = tile.getOutDimSize(name);
    if (covered < size)
      tile *= LinearLayout::identity1D(size / covered, first, name);
    else if (covered > size)
      tile = shrinkOut(tile, name, size);
  }
  return tile;
}

SmallVector<int64_t> parts::shapePerCTA(CGAEncodingAttr cga,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  for (auto [size, split] : llvm::zip_equal(shape, cga.getCTASplitNum()))
    result.push_back(std::max<int64_t>(1, size / split));
  return result;
}

LinearLayout parts::spreadOverCluster(const LinearLayout &tile,
                                      CGAEncodingAttr cga,
                                      ArrayRef<int64_t> shape) {
  SmallVector<StringAttr> dims = tensorDims(cga.getContext(), shape.size());
  LinearLayout cluster = cga.getLinearLayout();
  for (auto [dim, size] : llvm::zip_equal(dims, shape))
    if (cluster.getOutDimSize(dim) > size)
      cluster = cluster.resizeOut(dim, size);
  return (fitToShape(tile, shapePerCTA(cga, shape)) *
          cluster.transposeOuts(tile.getOutDimNames()))
      .transposeOuts(dims);
}

bool parts::arePlausibleSizes(ArrayRef<unsigned> sizes) {
  unsigned bits = 0;
  for (unsigned size : sizes) {
    if (!llvm::isPowerOf2_32(size))
      return false;
    bits += llvm::Log2_32(size);
  }
  return bits <= 20;
}

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

static MaybeLayout blockedLayout(BlockedEncodingAttr blocked,
                                 ArrayRef<int64_t> shape, std::string &error) {
  for (ArrayRef<unsigned> sizes :
       {blocked.getSizePerThread(), blocked.getThreadsPerWarp(),
        blocked.getWarpsPerCTA()})
    if (!arePlausibleSizes(sizes)) {
      error = "sizePerThread, threadsPerWarp and warpsPerCTA must be powers of "
              "two, each with a product of at most 2^20";
      return std::nullopt;
    }
  LayoutDims names(blocked.getContext());
  ArrayRef<unsigned> order = blocked.getOrder();
  LinearLayout tile =
      identityND(names.reg, blocked.getSizePerThread(), order) *
      identityND(names.lane, blocked.getThreadsPerWarp(), order) *
      identityND(names.warp, blocked.getWarpsPerCTA(), order);
  return spreadOverCluster(tile, blocked.getCGALayout(), shape);
}

static MaybeLayout sliceLayout(SliceEncodingAttr slice, ArrayRef<int64_t> shape,
                               std::string &error) {
  if (slice.getDim() > shape.size()) {
    error = llvm::formatv("a slice along dimension {0} needs a tensor of at "
                          "least that rank, not {1}",
                          slice.getDim(), shape.size());
    return std::nullopt;
  }
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + slice.getDim(), 1);
  MaybeLayout layout = toLinearLayout(parentShape, slice.getParent(), error);
  if (!layout)
    return std::nullopt;
  MLIRContext *context = slice.getContext();
  SmallVector<StringAttr> dims = tensorDims(context, parentShape.size());
  SmallVector<StringAttr> kept = dims;
  kept.erase(kept.begin() + slice.getDim());
  LinearLayout result = layout->sublayout(layout->getInDimNames(), kept);
  for (auto [from, to] : llvm::zip(kept, dims))
    result = result.renameOut(from, to);
  return result.removeZeroBases(LayoutDims(context).reg);
}

/// A layout that is written bit by bit repeats in registers, along the
/// dimensions in the order in which its registers go.
static LinearLayout repeatedLinearLayout(const LinearLayout &written,
                                         ArrayRef<int64_t> shape) {
  SmallVector<StringAttr> dims = written.getOutDimNames();
  StringAttr reg = LayoutDims(dims.front().getContext()).reg;
  llvm::SetVector<StringAttr> order;
  for (unsigned bit = 0; bit < written.getInDimSizeLog2(reg); ++bit)
    for (StringAttr dim : dims)
      if (written.getBasis(reg, bit, dim)) {
        order.insert(dim);
        break;
      }
  for (StringAttr dim : llvm::reverse(dims))
    order.insert(dim);
  LinearLayout layout =
      fitToShape(written.transposeOuts(order.getArrayRef()), shape)
          .transposeOuts(dims);
  // Registers that the shape has no room for go; copies that are written stay.
  int32_t surplus = layout.getZeroMask(reg) & ~written.getZeroMask(reg);
  for (unsigned bit = layout.getInDimSizeLog2(reg); bit-- > 0;)
    if (surplus >> bit & 1)
      layout = layout.removeBasis(reg, bit);
  return layout;
}

static MaybeLayout computeLayout(ArrayRef<int64_t> shape, Attribute encoding,
                                 std::string &error) {
  auto fail = [&](auto &&message) {
    error = message;
    return std::nullopt;
  };
  auto layout = dyn_cast_or_null<LayoutEncodingTrait>(encoding);
  if (!layout)
    return fail("the type has no layout");
  if (layout.getRank() != shape.size())
    return fail(llvm::formatv("the layout has rank {0}, the shape {1}",
                              layout.getRank(), shape.size()));
  unsigned bits = 0;
  for (int64_t size : shape) {
    if (size <= 0 || !llvm::isPowerOf2_64(size) || llvm::Log2_64(size) > 30)
      return fail(llvm::formatv(
          "a dimension has size {0}; it must be a power of two", size));
    bits += llvm::Log2_64(size);
  }
  if (bits > 30)
    return fail("the tensor has more than 2^30 elements");

  return llvm::TypeSwitch<Attribute, MaybeLayout>(encoding)
      .Case(
          [&](BlockedEncodingAttr a) { return blockedLayout(a, shape, error); })
      .Case([&](SliceEncodingAttr a) { return sliceLayout(a, shape, error); })
      .Case([&](LinearEncodingAttr a) {
        return repeatedLinearLayout(a.getLinearLayout(), shape);
      })
      .Case([&](GenericLinearEncodingAttr a) {
        return repeatedLinearLayout(a.getLinearLayout(), shape);
      })
      .Case([&](NvidiaMmaEncodingAttr a) { return mmaLayout(a, shape, error); })
      .Case([&](AMDMfmaEncodingAttr a) { return mfmaLayout(a, shape, error); })
      .Case([&](AMDWmmaEncodingAttr a) { return wmmaLayout(a, shape, error); })
      .Case([&](DotOperandEncodingAttr a) {
        return dotOperandLayout(a, shape, error);
      })
      .Case(
          [&](SharedEncodingTrait a) { return sharedLayout(a, shape, error); })
      .Case(
          [&](MemoryEncodingTrait a) { return a.toLinearLayout(shape, error); })
      .Default([&](Attribute) -> MaybeLayout {
        return fail("the layout has no linear form");
      });
}

std::optional<LinearLayout> ttg::toLinearLayout(ArrayRef<int64_t> shape,
                                                Attribute encoding,
                                                std::string &error) {
  auto *cache =
      encoding ? encoding.getDialect().getRegisteredInterface<LayoutCache>()
               : nullptr;
  if (!cache)
    return computeLayout(shape, encoding, error);
  MaybeLayout layout = cache->find(encoding, shape);
  if (!layout) {
    layout = computeLayout(shape, encoding, error);
    if (layout)
      cache->add(encoding, shape, *layout);
  }
  return layout;
}

LinearLayout ttg::toLinearLayout(ShapedType type) {
  std::string error;
  MaybeLayout layout;
  if (auto memdesc = dyn_cast<MemDescType>(type)) {
    auto encoding = dyn_cast<LayoutEncodingTrait>(memdesc.getEncoding());
    size_t rank = encoding ? encoding.getRank() : 0;
    layout = toLinearLayout(memdesc.getAllocShape().take_back(
                                std::min(rank, memdesc.getAllocShape().size())),
                            memdesc.getEncoding(), error);
  } else {
    layout = toLinearLayout(type.getShape(),
                            cast<RankedTensorType>(type).getEncoding(), error);
  }
  if (!layout)
    llvm::reportFatalUsageError("layout: " + Twine(error));
  return *layout;
}
