//===- Owners.cpp - Which CTAs have which elements ------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "executor/plan/Planner.h"
#include "executor/plan/Strided.h"

using namespace mlir;

namespace kernelscope::executor {

/// The owners of the elements of a tensor of `shape` with `encoding`.
static Owners ownersOf(ArrayRef<int64_t> shape, Attribute encoding) {
  std::string error;
  auto layout =
      encoding ? ttg::toLinearLayout(shape, encoding, error) : std::nullopt;
  StringAttr block =
      encoding ? ttg::LayoutDims(encoding.getContext()).block : StringAttr();
  if (!layout || !layout->hasInDim(block))
    return nullptr;
  const auto copies = static_cast<CTAs>(layout->getZeroMask(block)),
             all = static_cast<CTAs>(layout->getInDimSize(block) - 1);
  if (copies == all)
    return nullptr;
  // The map is linear, so that an element's CTA is that of its row and that of
  // its column combined.
  const LinearLayout inverse = layout->pseudoinvert();
  const auto names = ttg::tensorDims(encoding.getContext(), shape.size());
  std::vector<CTAs> numbers{0};
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::vector<CTAs> next;
    for (CTAs outer : numbers)
      for (int64_t i = 0; i < size; ++i)
        next.push_back(outer);
    std::vector<CTAs> along;
    for (int64_t i = 0; i < size; ++i)
      for (auto [name, value] : inverse.apply({{names[dim], int32_t(i)}}))
        if (name == block)
          along.push_back(value);
    for (auto [i, number] : llvm::enumerate(next))
      number ^= along[i % size];
    numbers = std::move(next);
  }
  auto made = std::make_shared<std::vector<CTAs>>();
  for (CTAs number : numbers) {
    CTAs owners = 0;
    for (CTAs cta = 0; cta <= all; ++cta)
      if (((cta ^ number) & ~copies) == 0)
        owners |= CTAs{1} << cta;
    made->push_back(owners);
  }
  return made;
}

Owners Planner::owners(Type type) {
  if (plan.ctas == 1)
    return nullptr;
  auto [found, isNew] = ownersOfType.try_emplace(type);
  if (!isNew)
    return found->second;
  Owners made;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    made = ownersOf(tensor.getShape(), tensor.getEncoding());
  else if (auto memory = dyn_cast<ttg::MemDescType>(type))
    made = ownersOf(
        ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
        memory.getEncoding());
  return ownersOfType[type] = made;
}

} // namespace kernelscope::executor
