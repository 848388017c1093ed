//===- TTFold.cpp - simplifications of tt ops -----------------------------===//
//
// Folds and canonical forms.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace kernelscope::tt;

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? getSrc() : OpFoldResult();
}

OpFoldResult FpToFpOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  // A zero keeps its sign in every format but the FNUZ ones, which have one
  // zero.
  bool negative = matchPattern(getSrc(), m_NegZeroFloat());
  if (!negative && !matchPattern(getSrc(), m_PosZeroFloat()))
    return {};
  auto element = cast<FloatType>(getElementTypeOrSelf(getType()));
  APFloat zero = APFloat::getZero(element.getFloatSemantics(), negative);
  if (auto tensor = dyn_cast<RankedTensorType>(getType()))
    return DenseElementsAttr::get(tensor, zero);
  return FloatAttr::get(element, zero);
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return adaptor.getOffset() && matchPattern(adaptor.getOffset(), m_Zero())
             ? getPtr()
             : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

OpFoldResult MakeRangeOp::fold(FoldAdaptor adaptor) {
  if (getType().getNumElements() != 1)
    return {};
  return SplatElementsAttr::get(getType(),
                                ArrayRef<Attribute>(adaptor.getStartAttr()));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_present<FloatAttr, IntegerAttr>(adaptor.getSrc()))
    return {};
  return SplatElementsAttr::get(getType(),
                                ArrayRef<Attribute>(adaptor.getSrc()));
}

/// A constant under another shape of as many elements, or a splat under any.
static OpFoldResult foldConstant(Attribute value, RankedTensorType type) {
  auto dense = dyn_cast_if_present<DenseElementsAttr>(value);
  if (!dense)
    return {};
  return dense.isSplat() ? dense.resizeSplat(type) : dense.reshape(type);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldConstant(adaptor.getSrc(), getType());
}

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op,
                                         PatternRewriter &rewriter) {
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  // A broadcast comes last, so that two of them meet.
  auto broadcast = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return failure();
  SmallVector<Type> types;
  ExpandDimsOp::Adaptor adaptor(ValueRange(broadcast.getSrc()),
                                op->getAttrDictionary(), op.getProperties());
  if (failed(ExpandDimsOp::inferReturnTypes(op.getContext(), std::nullopt,
                                            adaptor, types)))
    return failure();
  Value expanded = ExpandDimsOp::create(rewriter, op.getLoc(), types.front(),
                                        broadcast.getSrc(), op.getAxisAttr());
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), expanded);
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(getType());
  return {};
}

static LogicalResult mergeBroadcasts(BroadcastOp op,
                                     PatternRewriter &rewriter) {
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  auto inner = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
  return success();
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(mergeBroadcasts);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getAllowReorder())
    return getSrc();
  return foldConstant(adaptor.getSrc(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (op.getEfficientLayout())
    return failure();
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  auto expand = op.getSrc().getDefiningOp<ExpandDimsOp>();
  if (expand && !op.getAllowReorder() &&
      expand.getSrc().getType() == op.getType()) {
    rewriter.replaceOp(op, expand.getSrc());
    return success();
  }
  auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(),
                                         op.getAllowReorder() ||
                                             inner.getAllowReorder(),
                                         /*efficient_layout=*/false);
  return success();
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool identity = llvm::all_of(llvm::enumerate(getOrder()), [](auto dim) {
    return static_cast<size_t>(dim.value()) == dim.index();
  });
  if (identity && getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// Constants, and masks that are constant
//===----------------------------------------------------------------------===//

std::optional<int64_t> kernelscope::tt::constantOf(Value value) {
  if (!value)
    return std::nullopt;
  if (auto splat = value.getDefiningOp<SplatOp>())
    value = splat.getSrc();
  // Triton casts bounds of loops to the type that they have.
  if (auto cast = value.getDefiningOp<arith::BitcastOp>())
    value = cast.getIn();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.trySExtValue();
  return std::nullopt;
}

static LogicalResult simplifyLoadMask(LoadOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> mask = constantOf(op.getMask());
  if (!mask || (!*mask && !op.getOther()))
    return failure();
  if (!*mask) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getOtherMutable().clear();
    op.getMaskMutable().clear();
  });
  return success();
}

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *) {
  patterns.add(simplifyLoadMask);
}

static LogicalResult simplifyStoreMask(StoreOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> mask = constantOf(op.getMask());
  if (!mask)
    return failure();
  if (*mask)
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
  else
    rewriter.eraseOp(op);
  return success();
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(simplifyStoreMask);
}
