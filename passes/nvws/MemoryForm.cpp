//===- MemoryForm.cpp - Values as shared memory holds them ----------------===//

#include "passes/nvws/MemoryForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kernelscope;

/// A tensor of one element, which all threads hold.
static RankedTensorType tensorOf(Type scalar, Operation *at) {
  MLIRContext *context = at->getContext();
  auto warps = static_cast<unsigned>(ttg::lookupNumWarps(at).value_or(4));
  auto ctas = static_cast<unsigned>(ttg::lookupNumCTAs(at).value_or(1));
  auto layout = ttg::BlockedEncodingAttr::get(
      context, {1}, {32}, {warps}, {0},
      ttg::CGAEncodingAttr::fromSplitParams(context, {ctas}, {1}, {0}));
  return RankedTensorType::get({1}, scalar, layout);
}

std::optional<nvws::MemoryForm> nvws::MemoryForm::of(Type type, Operation *at) {
  MemoryForm form;
  form.type = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    form.tensor = tensor;
  else if (type.isIntOrFloat() || isa<tt::PointerType>(type))
    form.tensor = tensorOf(type, at);
  else
    return std::nullopt;
  if (!isa_and_nonnull<ttg::LayoutEncodingTrait>(form.tensor.getEncoding()))
    return std::nullopt;
  Type element = form.tensor.getElementType();
  form.held = form.tensor;
  if (element.isInteger() && element.getIntOrFloatBitWidth() % 8 != 0)
    form.held = cast<RankedTensorType>(form.tensor.clone(
        IntegerType::get(type.getContext(), 8 * tt::bytesInMemory(element))));
  return form;
}

ttg::MemDescType nvws::MemoryForm::memory() const {
  MLIRContext *context = held.getContext();
  SmallVector<unsigned> order(
      llvm::reverse(llvm::seq(0u, static_cast<unsigned>(held.getRank()))));
  auto cga = cast<ttg::LayoutEncodingTrait>(held.getEncoding()).getCGALayout();
  return ttg::MemDescType::get(
      held.getShape(), held.getElementType(),
      ttg::SwizzledSharedEncodingAttr::get(context, 1, 1, 1, order, cga),
      ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

Value nvws::MemoryForm::toHeld(MarkedBuilder &at, Value value) const {
  if (tensor != type)
    value = at.make<tt::SplatOp>(tensor, value);
  if (held != tensor)
    value = at.make<arith::ExtUIOp>(held, value);
  return value;
}

Value nvws::MemoryForm::alloc(MarkedBuilder &at, Value value) const {
  return at.make<ttg::LocalAllocOp>(memory(), toHeld(at, value));
}

void nvws::MemoryForm::store(MarkedBuilder &at, Value value,
                             Value buffer) const {
  at.make<ttg::LocalStoreOp>(toHeld(at, value), buffer);
}

Value nvws::MemoryForm::load(MarkedBuilder &at, Value buffer) const {
  Value value = at.make<ttg::LocalLoadOp>(held, buffer);
  if (held != tensor)
    value = at.make<arith::TruncIOp>(tensor, value);
  if (tensor != type)
    value = at.make<tt::UnsplatOp>(value);
  return value;
}
