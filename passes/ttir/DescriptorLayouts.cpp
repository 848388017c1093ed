//===- DescriptorLayouts.cpp - Where TMA puts blocks ----------------------===//

#include "passes/ttir/DescriptorLayouts.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

/// The rows after which a swizzle repeats.
static constexpr int64_t repeatedRows = 8;

/// The dimension along which `ctas` CTAs can have parts of `block`, such that
/// TMA moves them; the number of dimensions if there is none.
static unsigned sharedDim(RankedTensorType block, unsigned ctas) {
  constexpr int64_t leastRowBytes = 16;
  const auto rank = static_cast<unsigned>(block.getRank());
  for (unsigned dim = 0; dim < rank; ++dim) {
    const int64_t part = block.getDimSize(dim) / ctas,
                  bytes = part * tt::bytesInMemory(block.getElementType());
    if (part > 0 && (dim + 1 < rank || bytes >= leastRowBytes))
      return dim;
  }
  return rank;
}

/// For TMA: as wide a swizzle as the rows that a CTA has of `block` fill, as
/// Triton chooses, and none if it would not repeat in them. Each CTA has the
/// block, or its part of it along `splitDim`, if the block has so many
/// dimensions.
static Attribute swizzledRows(RankedTensorType block, unsigned ctas,
                              unsigned splitDim) {
  auto rank = static_cast<unsigned>(block.getRank());
  SmallVector<unsigned> split(rank, 1), perCga(rank, 1),
      order(llvm::reverse(llvm::seq(0u, rank)));
  if (splitDim < rank)
    split[splitDim] = perCga[splitDim] = ctas;
  else
    perCga.front() = ctas;
  unsigned bits = 8 * tt::bytesInMemory(block.getElementType());
  const int64_t columns = block.getShape().back() / split.back(),
                rowBytes = columns * bits / 8,
                elements = block.getNumElements() / llvm::product_of(split);
  unsigned swizzle = 0;
  if (elements / columns >= repeatedRows)
    for (unsigned width : {32, 64, 128})
      if (rowBytes >= width)
        swizzle = width;
  MLIRContext *context = block.getContext();
  return ttg::NVMMASharedEncodingAttr::get(
      context, swizzle, /*transposed=*/false, bits, /*fp4Padded=*/false,
      ttg::CGAEncodingAttr::fromSplitParams(context, perCga, split, order));
}

Attribute kernelscope::blockLayout(Value desc, RankedTensorType block,
                                   unsigned ctas) {
  auto described = cast<tt::TensorDescInterface>(desc.getType());
  return described.getShape().size() == block.getShape().size()
             ? described.getSharedLayout()
             : swizzledRows(block, ctas, block.getRank());
}

bool kernelscope::splitsBlock(Value desc, RankedTensorType block,
                              unsigned ctas) {
  auto layout = dyn_cast_or_null<ttg::LayoutEncodingTrait>(
      blockLayout(desc, block, ctas));
  return layout &&
         llvm::product_of(layout.getCGALayout().getCTASplitNum()) == ctas;
}

void kernelscope::layOutDescriptors(
    ModuleOp module,
    llvm::function_ref<Attribute(RankedTensorType, unsigned)> layoutOf) {
  const auto ctas =
      static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1));
  auto withLayout = [&](Type type) -> Type {
    auto desc = dyn_cast<tt::TensorDescType>(type);
    if (!desc || desc.getSharedLayout())
      return type;
    return tt::TensorDescType::get(desc.getShape(), desc.getElementType(),
                                   layoutOf(desc.getSignlessBlockType(), ctas));
  };
  auto all = [&](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, withLayout);
  };
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(withLayout(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(withLayout(argument.getType()));
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      function.setType(function.cloneTypeWith(all(function.getArgumentTypes()),
                                              all(function.getResultTypes())));
  });
}

void kernelscope::layOutDescriptorsForTma(ModuleOp module) {
  // By their types `rows` are of one row; an op moves as many as it names.
  llvm::SmallPtrSet<Type, 4> rows, sums;
  module.walk([&](Operation *op) {
    auto note = [&](llvm::SmallPtrSet<Type, 4> &blocks) {
      blocks.insert(cast<tt::TensorDescInterface>(op->getOperand(0).getType())
                        .getSignlessBlockType());
    };
    if (isa<tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op))
      note(rows);
    else if (isa<tt::DescriptorReduceOp>(op))
      note(sums);
  });
  layOutDescriptors(module, [&](RankedTensorType block, unsigned ctas) {
    auto splitDim = static_cast<unsigned>(block.getRank());
    if (rows.contains(block))
      block = RankedTensorType::get({repeatedRows, block.getShape().back()},
                                    block.getElementType());
    else if (sums.contains(block) && ctas > 1)
      splitDim = sharedDim(block, ctas);
    return swizzledRows(block, ctas, splitDim);
  });
}
