//===- BlockAccess.cpp - A block of a tensor, by pointers -----------------===//

#include "passes/ttir/BlockAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttir;

BlockAccess::BlockAccess(Operation *op, TensorView view, RankedTensorType block)
    : b(op), loc(op->getLoc()), view(std::move(view)), block(block) {}

void BlockAccess::addRange(unsigned dim, Value first, bool isChecked) {
  Type type = ofDim(dim, first.getType());
  Value index = tt::SplatOp::create(b, loc, type, first);
  auto size = static_cast<int32_t>(block.getDimSize(dim));
  if (size > 1) {
    Value range =
        tt::MakeRangeOp::create(b, loc, ofDim(dim, b.getI32Type()), 0, size);
    if (range.getType() != type)
      range = arith::ExtSIOp::create(b, loc, type, range);
    index = arith::AddIOp::create(b, loc, index, range);
  }
  addIndices(dim, index, isChecked);
}

void BlockAccess::addIndices(unsigned dim, Value indices, bool isChecked) {
  Type wide = ofDim(dim, b.getI64Type());
  if (indices.getType() != wide)
    indices = arith::ExtSIOp::create(b, loc, wide, indices);
  Value stride = view.strides[dim];
  Value offset = spread(
      dim, arith::MulIOp::create(b, loc, indices,
                                 tt::SplatOp::create(b, loc, wide, stride)));
  offsets = offsets ? arith::AddIOp::create(b, loc, offsets, offset) : offset;
  if (!isChecked)
    return;

  Value size = view.shape[dim];
  if (!size.getType().isInteger(64))
    size = arith::ExtSIOp::create(b, loc, b.getI64Type(), size);
  Value zero = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(cast<RankedTensorType>(wide),
                             b.getI64IntegerAttr(0)));
  using Predicate = arith::CmpIPredicate;
  Value inside = spread(
      dim,
      arith::AndIOp::create(
          b, loc, arith::CmpIOp::create(b, loc, Predicate::sge, indices, zero),
          arith::CmpIOp::create(b, loc, Predicate::slt, indices,
                                tt::SplatOp::create(b, loc, wide, size))));
  mask = mask ? arith::AndIOp::create(b, loc, mask, inside) : inside;
}

Value BlockAccess::load(RankedTensorType result,
                        std::optional<tt::PaddingOption> padding,
                        tt::CacheModifier cache, tt::EvictionPolicy evict,
                        bool isVolatile) {
  Value other;
  if (mask && padding) {
    Type element = block.getElementType();
    TypedAttr filler = b.getZeroAttr(element);
    if (auto type = dyn_cast<FloatType>(element);
        type && *padding == tt::PaddingOption::PAD_NAN)
      filler = b.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics()));
    other = arith::ConstantOp::create(b, loc,
                                      DenseElementsAttr::get(block, filler));
  }
  return reshaped(tt::LoadOp::create(b, loc, block, pointers(), mask, other,
                                     cache, evict, isVolatile,
                                     /*cachePolicy=*/Attribute()),
                  result);
}

void BlockAccess::store(Value value, tt::CacheModifier cache,
                        tt::EvictionPolicy evict) {
  tt::StoreOp::create(b, loc, pointers(), reshaped(value, block), mask, cache,
                      evict, /*ignore_cta=*/false, /*cachePolicy=*/Attribute());
}

void BlockAccess::update(tt::RMWOp operation, Value value) {
  tt::AtomicRMWOp::create(b, loc, block, operation, pointers(),
                          reshaped(value, block), mask,
                          tt::MemSemantic::RELAXED, tt::MemSyncScope::GPU);
}

RankedTensorType BlockAccess::ofDim(unsigned dim, Type element) const {
  return RankedTensorType::get({block.getDimSize(dim)}, element);
}

/// `values` along dimension `dim` of the block, for all of it.
Value BlockAccess::spread(unsigned dim, Value values) {
  SmallVector<int64_t> shape{block.getDimSize(dim)};
  Type element = getElementTypeOrSelf(values);
  for (int64_t axis = 0; axis < block.getRank(); ++axis) {
    if (axis == dim)
      continue;
    shape.insert(shape.begin() + axis, 1);
    values =
        tt::ExpandDimsOp::create(b, loc, RankedTensorType::get(shape, element),
                                 values, static_cast<uint32_t>(axis));
  }
  auto all = RankedTensorType::get(block.getShape(), element);
  return values.getType() == all ? values
                                 : tt::BroadcastOp::create(b, loc, all, values);
}

Value BlockAccess::pointers() {
  auto type = RankedTensorType::get(block.getShape(), view.base.getType());
  return tt::AddPtrOp::create(
      b, loc, type, tt::SplatOp::create(b, loc, type, view.base), offsets);
}

Value BlockAccess::reshaped(Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return tt::ReshapeOp::create(b, loc, type, value, /*allow_reorder=*/false,
                               /*efficient_layout=*/false);
}
