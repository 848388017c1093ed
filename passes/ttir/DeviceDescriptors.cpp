//===- DeviceDescriptors.cpp - Descriptors that a kernel makes ------------===//
//
// PTX ISA, "tensormap.replace" has the codes; CUDA Driver API,
// "cuTensorMapEncodeTiled" what they mean.
//
//===----------------------------------------------------------------------===//

#include "passes/ttir/DeviceDescriptors.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;

/// The code of an element type; nothing if TMA does not move it.
static std::optional<uint32_t> elementCode(Type type) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 9;
  if (type.isBF16())
    return 10;
  // Of 8 to 64 bits; floats of 8 bits are bytes to it.
  const bool isSigned = type.isSignedInteger() || type.isSignlessInteger();
  switch (8 * tt::bytesInMemory(type)) {
  case 8:
    return 0;
  case 16:
    return 1;
  case 32:
    return isSigned ? 3 : 2;
  case 64:
    return isSigned ? 5 : 4;
  default:
    return std::nullopt;
  }
}

bool kernelscope::isMovedByTma(Type element) {
  return elementCode(element).has_value();
}

/// The elements that one message moves along each dimension, the fastest last:
/// a row is as long as the swizzle.
static SmallVector<int64_t> boxOf(tt::TensorDescType type,
                                  ttg::NVMMASharedEncodingAttr layout) {
  constexpr int64_t most = 256;
  SmallVector<int64_t> box(type.getShape());
  for (auto [size, parts] :
       llvm::zip_equal(box, layout.getCGALayout().getCTASplitNum()))
    size = std::clamp<int64_t>(size / parts, 1, most);
  if (unsigned width = layout.getSwizzlingByteWidth())
    box.back() = std::min<int64_t>(
        box.back(), width / tt::bytesInMemory(type.getElementType()));
  return box;
}

bool kernelscope::writeTensormap(tt::MakeTensorDescOp op) {
  tt::TensorDescType type = op.getType();
  auto layout =
      dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(type.getSharedLayout());
  std::optional<uint32_t> code = elementCode(type.getElementType());
  if (!layout || layout.getTransposed() || layout.getFp4Padded() || !code)
    return false;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto i32 = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  constexpr uint32_t mapBytes = 128;
  Value map = ttg::GlobalScratchAllocOp::create(
      b, loc, tt::PointerType::get(b.getI8Type(), 1), mapBytes, mapBytes,
      /*third_party_allocation=*/false, /*shared_cluster_state=*/false);
  // The fastest dimension first, here; its stride is not told.
  SmallVector<Value> box, strides, sizes(llvm::reverse(op.getShape())),
      steps(sizes.size(), i32(1));
  const SmallVector<int64_t> boxSizes = boxOf(type, layout);
  for (int64_t size : llvm::reverse(boxSizes))
    box.push_back(i32(size));
  Value bytes = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(tt::bytesInMemory(type.getElementType())));
  for (Value stride : llvm::drop_begin(llvm::reverse(op.getStrides())))
    strides.push_back(arith::MulIOp::create(b, loc, stride, bytes));
  // None, 32, 64 and 128 bytes.
  const unsigned swizzle = layout.getSwizzlingByteWidth();
  ttng::TensormapCreateOp::create(
      b, loc, map, op.getBase(), box, sizes, strides, steps, *code,
      /*interleave_layout=*/uint32_t(0),
      /*swizzle_mode=*/swizzle ? llvm::Log2_32(swizzle / 16) : 0u,
      /*fill_mode=*/
      uint32_t(op.getPadding() == tt::PaddingOption::PAD_NAN));
  ttng::TensormapFenceproxyAcquireOp::create(b, loc, map);
  op.getResult().replaceAllUsesWith(
      ttng::ReinterpretTensorDescOp::create(b, loc, type, map).getResult());
  op.erase();
  return true;
}
