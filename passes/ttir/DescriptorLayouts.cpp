//===- DescriptorLayouts.cpp - Where TMA puts blocks ----------------------===//

#include "passes/ttir/DescriptorLayouts.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelscope;

/// The rows after which a swizzle repeats.
static constexpr int64_t repeatedRows = 8;

/// For TMA: as wide a swizzle as the rows of `block` fill, as Triton chooses,
/// and none for blocks in which it would not repeat.
static Attribute swizzledRows(RankedTensorType block, unsigned ctas) {
  unsigned bits = 8 * tt::bytesInMemory(block.getElementType());
  const int64_t columns = block.getShape().back(),
                rowBytes = columns * bits / 8;
  unsigned swizzle = 0;
  if (block.getNumElements() / columns >= repeatedRows)
    for (unsigned width : {32, 64, 128})
      if (rowBytes >= width)
        swizzle = width;
  MLIRContext *context = block.getContext();
  auto rank = static_cast<unsigned>(block.getRank());
  SmallVector<unsigned> split(rank, 1), perCga(rank, 1),
      order(llvm::reverse(llvm::seq(0u, rank)));
  perCga.front() = ctas;
  return ttg::NVMMASharedEncodingAttr::get(
      context, swizzle, /*transposed=*/false, bits, /*fp4Padded=*/false,
      ttg::CGAEncodingAttr::fromSplitParams(context, perCga, split, order));
}

Attribute kernelscope::blockLayout(Value desc, RankedTensorType block,
                                   unsigned ctas) {
  auto described = cast<tt::TensorDescInterface>(desc.getType());
  return described.getShape().size() == block.getShape().size()
             ? described.getSharedLayout()
             : swizzledRows(block, ctas);
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
  // By their types these are of one row; an op moves as many as it names.
  llvm::SmallPtrSet<Type, 4> rows;
  module.walk([&](Operation *op) {
    if (isa<tt::DescriptorGatherOp, tt::DescriptorScatterOp>(op))
      rows.insert(cast<tt::TensorDescInterface>(op->getOperand(0).getType())
                      .getSignlessBlockType());
  });
  layOutDescriptors(module, [&](RankedTensorType block, unsigned ctas) {
    if (rows.contains(block))
      block = RankedTensorType::get({repeatedRows, block.getShape().back()},
                                    block.getElementType());
    return swizzledRows(block, ctas);
  });
}
