//===- RewriteDescriptorsToPointers.cpp - Descriptors without TMA ---------===//
//
// `rewrite-descriptors-to-pointers`: what goes through a descriptor that the
// kernel itself makes becomes accesses by pointers, with masks for its bounds.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Passes.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_REWRITEDESCRIPTORSTOPOINTERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// Builds the pointers to a block of the tensor that `desc` describes.
class BlockAccess {
public:
  /// For `op`, whose block has the elements of `block`.
  BlockAccess(Operation *op, tt::MakeTensorDescOp desc, RankedTensorType block)
      : b(op), loc(op->getLoc()), desc(desc), block(block) {}

  /// Adds dimension `dim` of the tensor, from `first`, an i32, on.
  void addRange(unsigned dim, Value first) {
    Value index =
        tt::SplatOp::create(b, loc, ofDim(dim, b.getI32Type()), first);
    auto size = static_cast<int32_t>(block.getDimSize(dim));
    if (size > 1)
      index = arith::AddIOp::create(
          b, loc, index,
          tt::MakeRangeOp::create(b, loc, ofDim(dim, b.getI32Type()), 0, size));
    addIndices(dim, index);
  }

  /// The same with an index for each element of the dimension.
  void addIndices(unsigned dim, Value indices) {
    Type wide = ofDim(dim, b.getI64Type());
    indices = arith::ExtSIOp::create(b, loc, wide, indices);
    Value stride = desc.getStrides()[dim];
    Value offset = spread(
        dim, arith::MulIOp::create(b, loc, indices,
                                   tt::SplatOp::create(b, loc, wide, stride)));
    offsets = offsets ? arith::AddIOp::create(b, loc, offsets, offset) : offset;

    Value size =
        arith::ExtSIOp::create(b, loc, b.getI64Type(), desc.getShape()[dim]);
    Value zero = arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(cast<RankedTensorType>(wide),
                               b.getI64IntegerAttr(0)));
    using Predicate = arith::CmpIPredicate;
    Value inside = spread(
        dim,
        arith::AndIOp::create(
            b, loc,
            arith::CmpIOp::create(b, loc, Predicate::sge, indices, zero),
            arith::CmpIOp::create(b, loc, Predicate::slt, indices,
                                  tt::SplatOp::create(b, loc, wide, size))));
    mask = mask ? arith::AndIOp::create(b, loc, mask, inside) : inside;
  }

  Value load(RankedTensorType result, tt::CacheModifier cache,
             tt::EvictionPolicy evict) {
    Type element = block.getElementType();
    TypedAttr filler = b.getZeroAttr(element);
    if (auto type = dyn_cast<FloatType>(element);
        type && desc.getPadding() == tt::PaddingOption::PAD_NAN)
      filler = b.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics()));
    Value other = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(block, filler));
    return reshaped(tt::LoadOp::create(b, loc, block, pointers(), mask, other,
                                       cache, evict, /*isVolatile=*/false),
                    result);
  }

  void store(Value value) {
    tt::StoreOp::create(b, loc, pointers(), reshaped(value, block), mask,
                        tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL,
                        /*ignore_cta=*/false);
  }

  void update(tt::RMWOp operation, Value value) {
    tt::AtomicRMWOp::create(b, loc, block, operation, pointers(),
                            reshaped(value, block), mask,
                            tt::MemSemantic::RELAXED, tt::MemSyncScope::GPU);
  }

private:
  RankedTensorType ofDim(unsigned dim, Type element) const {
    return RankedTensorType::get({block.getDimSize(dim)}, element);
  }

  /// `values` along dimension `dim` of the block, for all of it.
  Value spread(unsigned dim, Value values) {
    SmallVector<int64_t> shape{block.getDimSize(dim)};
    Type element = getElementTypeOrSelf(values);
    for (int64_t axis = 0; axis < block.getRank(); ++axis) {
      if (axis == dim)
        continue;
      shape.insert(shape.begin() + axis, 1);
      values = tt::ExpandDimsOp::create(b, loc,
                                        RankedTensorType::get(shape, element),
                                        values, static_cast<uint32_t>(axis));
    }
    auto all = RankedTensorType::get(block.getShape(), element);
    return values.getType() == all
               ? values
               : tt::BroadcastOp::create(b, loc, all, values);
  }

  Value pointers() {
    auto type =
        RankedTensorType::get(block.getShape(), desc.getBase().getType());
    return tt::AddPtrOp::create(
        b, loc, type, tt::SplatOp::create(b, loc, type, desc.getBase()),
        offsets);
  }

  Value reshaped(Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    return tt::ReshapeOp::create(b, loc, type, value, /*allow_reorder=*/false,
                                 /*efficient_layout=*/false);
  }

  OpBuilder b;
  Location loc;
  tt::MakeTensorDescOp desc;
  RankedTensorType block;
  Value offsets, mask;
};

/// What an atomic operation does for `kind`; nothing if none does it.
std::optional<tt::RMWOp> operationOf(tt::DescriptorReduceKind kind,
                                     Type element) {
  using Kind = tt::DescriptorReduceKind;
  const bool isFloat = isa<FloatType>(element),
             isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case Kind::ADD:
    return isFloat ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  case Kind::AND:
    return tt::RMWOp::AND;
  case Kind::OR:
    return tt::RMWOp::OR;
  case Kind::XOR:
    return tt::RMWOp::XOR;
  case Kind::MIN:
    if (!isFloat)
      return isUnsigned ? tt::RMWOp::UMIN : tt::RMWOp::MIN;
    break;
  case Kind::MAX:
    if (!isFloat)
      return isUnsigned ? tt::RMWOp::UMAX : tt::RMWOp::MAX;
    break;
  case Kind::INC:
  case Kind::DEC:
    break;
  }
  return std::nullopt;
}

class RewriteDescriptorsToPointers
    : public kernelscope::impl::RewriteDescriptorsToPointersBase<
          RewriteDescriptorsToPointers> {
public:
  void runOnOperation() override {
    SmallVector<tt::MakeTensorDescOp> made;
    getOperation().walk([&](tt::MakeTensorDescOp op) { made.push_back(op); });
    for (tt::MakeTensorDescOp desc : made) {
      for (Operation *user :
           llvm::make_early_inc_range(desc.getResult().getUsers()))
        rewrite(user, desc);
      if (desc.use_empty())
        desc.erase();
    }
  }

private:
  static void rewrite(Operation *user, tt::MakeTensorDescOp desc) {
    RankedTensorType block = desc.getType().getSignlessBlockType();
    auto at = [&](Operation *op, ValueRange indices) {
      BlockAccess access(op, desc, block);
      for (auto [dim, index] : llvm::enumerate(indices))
        access.addRange(dim, index);
      return access;
    };
    // Rows by their numbers: as many of the block's one row.
    auto atRows = [&](Operation *op, TypedValue<RankedTensorType> rows,
                      Value column) {
      BlockAccess access(
          op, desc,
          block.clone({rows.getType().getDimSize(0), block.getDimSize(1)}));
      access.addIndices(0, rows);
      access.addRange(1, column);
      return access;
    };
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(user)) {
      load.replaceAllUsesWith(
          at(load, load.getIndices())
              .load(load.getType(), load.getCache(), load.getEvict()));
    } else if (auto store = dyn_cast<tt::DescriptorStoreOp>(user)) {
      at(store, store.getIndices()).store(store.getSrc());
    } else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(user)) {
      auto operation = operationOf(
          reduce.getKind(), desc.getType().getBlockType().getElementType());
      if (!operation)
        return;
      at(reduce, reduce.getIndices()).update(*operation, reduce.getSrc());
    } else if (auto gather = dyn_cast<tt::DescriptorGatherOp>(user)) {
      gather.replaceAllUsesWith(
          atRows(gather, gather.getXOffsets(), gather.getYOffset())
              .load(gather.getType(), tt::CacheModifier::NONE,
                    tt::EvictionPolicy::NORMAL));
    } else if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(user)) {
      atRows(scatter, scatter.getXOffsets(), scatter.getYOffset())
          .store(scatter.getSrc());
    } else {
      return;
    }
    user->erase();
  }
};

} // namespace
