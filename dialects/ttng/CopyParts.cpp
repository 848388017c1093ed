//===- CopyParts.cpp - What each CTA of a cluster copies ------------------===//

#include "dialects/ttng/CopyParts.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::ArrayRef;
using llvm::SmallVector;

std::optional<ttng::CopyParts> ttng::divideCopy(const LinearLayout &memory,
                                                ArrayRef<int64_t> window) {
  const SmallVector<LinearLayout::NamedValue> outs = memory.getOutDimSizes();
  ttg::LayoutDims names(outs.front().first.getContext());
  CopyParts parts;
  parts.sizes.assign(window.begin(), window.end());
  std::vector<std::vector<int32_t>> starts;
  if (memory.hasInDim(names.block))
    starts = memory.getBases(names.block);
  SmallVector<int64_t> taken(window.size(), 0);
  SmallVector<std::pair<size_t, size_t>> outside; // bit of the id, dimension
  for (auto [bit, start] : llvm::enumerate(starts))
    for (size_t dim = 0; dim < window.size(); ++dim) {
      if (!start[dim])
        continue;
      parts.sizes[dim] /= 2;
      if (start[dim] < window[dim])
        taken[dim] |= start[dim];
      else
        outside.push_back({bit, dim});
    }
  // CTAs that a window does not distinguish take halves of what is left.
  for (auto [bit, dim] : outside) {
    int64_t step = window[dim] / 2;
    while (step & taken[dim])
      step /= 2;
    if (!step)
      return std::nullopt;
    taken[dim] |= step;
    starts[bit][dim] = static_cast<int32_t>(step);
    parts.inOneCTA |= int32_t(1) << bit;
  }
  std::string error;
  auto layout = LinearLayout::create({{names.block, starts}}, outs, error);
  if (!layout)
    return std::nullopt;
  parts.starts = std::move(*layout);
  return parts;
}

std::optional<ttng::CopyParts> ttng::divideCopy(ttg::MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  ArrayRef<int64_t> window =
      ttg::dropPipeliningDim(memory.getShape(), memory.getEncoding());
  if (!layout ||
      layout->getInDimSize(ttg::LayoutDims(memory.getContext()).block) == 1)
    return std::nullopt;
  return divideCopy(*layout, window);
}
