//===- OperandMemory.cpp - Operands of products in shared memory ----------===//

#include "passes/ttgir/OperandMemory.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"

using namespace mlir;
using namespace kernelscope;

/// The dimension along which each thread has the longest run of elements.
static unsigned fastestDim(RankedTensorType type) {
  Attribute encoding = type.getEncoding();
  if (auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(encoding))
    return blocked.getOrder()[0];
  const LinearLayout layout = ttg::toLinearLayout(type);
  const auto &registers =
      layout.getBases(ttg::LayoutDims(type.getContext()).reg);
  auto run = [&](unsigned dim) {
    std::vector<int32_t> next(type.getRank());
    for (next[dim] = 1; llvm::is_contained(registers, next); next[dim] *= 2)
      ;
    return next[dim];
  };
  return run(0) > run(1) ? 0 : 1;
}

Value ttgir::moveToMemory(OpBuilder &b, Location loc, Value operand,
                          unsigned depthDim, bool eitherDim) {
  auto type = cast<RankedTensorType>(operand.getType());
  const unsigned bits = type.getElementTypeBitWidth();
  const unsigned fastest = eitherDim ? fastestDim(type) : depthDim;
  auto cluster =
      cast<ttg::LayoutEncodingTrait>(type.getEncoding()).getCGALayout();
  const int64_t rowBytes =
      type.getDimSize(fastest) / cluster.getCTASplitNum()[fastest] * bits / 8;
  unsigned swizzle = 0;
  for (unsigned bytes : {32, 64, 128})
    if (rowBytes >= bytes)
      swizzle = bytes;
  MLIRContext *context = b.getContext();
  auto layout = ttg::NVMMASharedEncodingAttr::get(
      context, swizzle, /*transposed=*/fastest == 0, bits, /*fp4Padded=*/false,
      cluster);
  auto memory = ttg::MemDescType::get(
      type.getShape(), type.getElementType(), layout,
      ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/false);
  // An earlier product may have stored it, such as the high parts of 3xTF32.
  for (Operation *user : operand.getUsers())
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
        alloc && alloc.getType() == memory &&
        alloc->getBlock() == b.getInsertionBlock())
      return alloc;
  return ttg::LocalAllocOp::create(b, loc, memory, operand);
}

bool ttgir::fitMemory(tt::DotOp op, bool eitherDim) {
  RankedTensorType a = op.getA().getType(), b = op.getB().getType();
  const unsigned bits = a.getElementTypeBitWidth();
  // Rows may go along the columns of B then.
  return a.getDimSize(1) * bits / 8 >= leastRowBytes &&
         (!eitherDim || b.getDimSize(1) * bits / 8 >= leastRowBytes);
}
