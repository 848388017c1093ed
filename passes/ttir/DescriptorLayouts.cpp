//===- DescriptorLayouts.cpp - Where TMA puts blocks ----------------------===//

#include "passes/ttir/DescriptorLayouts.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelscope;

Attribute kernelscope::swizzledRows(RankedTensorType block, unsigned ctas) {
  unsigned bits = 8 * tt::bytesInMemory(block.getElementType());
  int64_t rowBytes = block.getShape().back() * bits / 8;
  unsigned swizzle = 0;
  for (unsigned width : {32, 64, 128})
    if (rowBytes >= width && block.getRank() > 1)
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
