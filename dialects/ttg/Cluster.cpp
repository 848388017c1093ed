//===- Cluster.cpp - How CTAs split or share a tensor ---------------------===//

#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

CGAEncodingAttr CGAEncodingAttr::get(MLIRContext *context,
                                     const LinearLayout &layout) {
  return Base::get(context, layout);
}

CGAEncodingAttr
CGAEncodingAttr::getChecked(function_ref<InFlightDiagnostic()> emitError,
                            MLIRContext *context, const LinearLayout &layout) {
  return Base::getChecked(emitError, context, layout);
}

const LinearLayout &CGAEncodingAttr::getLinearLayout() const {
  return getImpl()->layout;
}

static StringAttr blockDim(MLIRContext *context) {
  return StringAttr::get(context, "block");
}

CGAEncodingAttr
CGAEncodingAttr::fromBases(MLIRContext *context, unsigned rank,
                           std::vector<std::vector<int32_t>> bases) {
  std::string error;
  std::pair<StringAttr, std::vector<std::vector<int32_t>>> block{
      blockDim(context), std::move(bases)};
  auto layout = LinearLayout::create(block, tensorDims(context, rank), error);
  assert(layout && "a cluster's bases are checked before");
  return get(context, *layout);
}

CGAEncodingAttr CGAEncodingAttr::get1CTALayout(MLIRContext *context,
                                               unsigned rank) {
  return fromBases(context, rank, {});
}

CGAEncodingAttr CGAEncodingAttr::get1DLayout(MLIRContext *context,
                                             unsigned numCTAs) {
  return get(context, LinearLayout::identity1D(numCTAs, blockDim(context),
                                               tensorDims(context, 1)[0]));
}

CGAEncodingAttr CGAEncodingAttr::fromSplitParams(MLIRContext *context,
                                                 ArrayRef<unsigned> CTAsPerCGA,
                                                 ArrayRef<unsigned> CTASplitNum,
                                                 ArrayRef<unsigned> CTAOrder) {
  size_t rank = CTAOrder.size();
  if (rank == 0 || CTAsPerCGA.size() != rank || CTASplitNum.size() != rank ||
      !isPermutation(CTAOrder) ||
      !llvm::all_of(CTAsPerCGA, llvm::isPowerOf2_32) ||
      !llvm::all_of(CTASplitNum, llvm::isPowerOf2_32))
    return {};
  std::vector<std::vector<int32_t>> bases;
  for (unsigned dim : CTAOrder) {
    if (CTASplitNum[dim] > CTAsPerCGA[dim])
      return {};
    for (unsigned step = 1; step < CTAsPerCGA[dim]; step *= 2) {
      auto &basis = bases.emplace_back(rank, 0);
      if (step < CTASplitNum[dim])
        basis[dim] = step;
    }
  }
  if (bases.size() > LinearLayout::maxDimBits)
    return {};
  return fromBases(context, rank, std::move(bases));
}

unsigned CGAEncodingAttr::getRank() const {
  return getLinearLayout().getOutDims().size();
}

unsigned CGAEncodingAttr::getNumCTAs() const {
  return getLinearLayout().getTotalInDimSize();
}

SmallVector<unsigned> CGAEncodingAttr::getCTASplitNum() const {
  SmallVector<unsigned> split;
  for (const LinearLayout::Dim &dim : getLinearLayout().getOutDims())
    split.push_back(dim.size());
  return split;
}

SmallVector<unsigned> ttg::orderOf(const LinearLayout &layout, StringAttr inDim,
                                   ArrayRef<unsigned> ifNoBasis) {
  SmallVector<unsigned> order;
  auto add = [&](unsigned dim) {
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  };
  if (layout.hasInDim(inDim))
    for (const auto &basis : layout.getBases(inDim)) {
      auto moved = llvm::find_if(basis, [](int32_t v) { return v != 0; });
      if (moved != basis.end())
        add(moved - basis.begin());
    }
  for (unsigned dim : ifNoBasis)
    add(dim);
  return order;
}

CGAEncodingAttr ttg::getCGALayoutOf(MLIRContext *context,
                                    const LinearLayout &layout) {
  unsigned rank = layout.getOutDims().size();
  StringAttr block = blockDim(context);
  if (!layout.hasInDim(block))
    return CGAEncodingAttr::get1CTALayout(context, rank);

  // In the whole layout a CTA moves by whole tiles; in the cluster by ones. So
  // the values along each dimension, in order of size, become 1, 2, 4, ...
  std::vector<std::vector<int32_t>> found = layout.getBases(block), bases;
  for (const auto &basis : found) {
    auto &ranked = bases.emplace_back(rank, 0);
    auto moved = llvm::find_if(basis, [](int32_t v) { return v != 0; });
    if (moved == basis.end())
      continue;
    unsigned dim = moved - basis.begin(), smaller = 0;
    SmallVector<int32_t> counted;
    for (const auto &other : found)
      if (other[dim] != 0 && other[dim] < basis[dim] &&
          !llvm::is_contained(counted, other[dim])) {
        counted.push_back(other[dim]);
        ++smaller;
      }
    ranked[dim] = int32_t(1) << smaller;
  }
  return CGAEncodingAttr::fromBases(context, rank, std::move(bases));
}
