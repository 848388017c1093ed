//===- TTVerify.cpp - rules of the ops of tt ------------------------------===//
//
// One verifier per op. Each message states the rule, the value found and the
// value needed.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/target/ScaledProducts.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope::tt;

//===----------------------------------------------------------------------===//
// Casts and elementwise ops
//===----------------------------------------------------------------------===//

LogicalResult CatOp::verify() {
  RankedTensorType from = getLhs().getType(), to = getType();
  const LayoutInterface *layouts = getLayoutInterface(to.getEncoding());
  if (!layouts || !from.getEncoding())
    return success();
  std::optional<int64_t> each = layouts->elementsPerThread(from),
                         all = layouts->elementsPerThread(to);
  if (!each || !all || *all == 2 * *each)
    return success();
  return emitOpError() << "has a result layout with " << *all
                       << " different elements per thread; each operand has "
                       << *each << ", so it must be " << 2 * *each;
}

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType()),
       to = getElementTypeOrSelf(getType());
  if (isa<PointerType>(from) != isa<PointerType>(to))
    return emitOpError()
           << "must cast a pointer to a pointer or a number to a number, not "
           << from << " to " << to;
  if (isa<PointerType>(from)) {
    if (getAddressSpace(from) != getAddressSpace(to))
      return emitOpError()
             << "needs pointers in the same address space, but casts "
             << getAddressSpace(from) << " to " << getAddressSpace(to);
    return success();
  }
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "needs types of the same width, but casts "
                         << from.getIntOrFloatBitWidth() << " bits to "
                         << to.getIntOrFloatBitWidth();
  return success();
}

LogicalResult FpToFpOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType()),
       to = getElementTypeOrSelf(getType());
  if (to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth() &&
      !getRounding())
    return emitOpError()
           << "needs a rounding (`rounding = rtne` or `rtz`) to narrow " << from
           << " to " << to;
  return success();
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  int64_t pack = getPackedElementAttr().getInt();
  if (pack < 1)
    return emitOpError() << "needs packed_element of at least 1, but has "
                         << pack;
  if (getNumOperands() == 0)
    return success();
  auto tensor = dyn_cast<RankedTensorType>(getOperand(0).getType());
  int64_t count = tensor ? tensor.getNumElements() : 0;
  if (count % pack != 0)
    return emitOpError() << "needs a number of elements that packed_element ("
                         << pack << ") divides, but has " << count;
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  RankedTensorType type = getType();
  if (start >= end)
    return emitOpError() << "needs start below end, but has start " << start
                         << " and end " << end;
  if (type.getRank() != 1 || type.getDimSize(0) != end - start)
    return emitOpError() << "needs a result of rank 1 with "
                         << counted(end - start, "element") << ", but it is "
                         << type;
  if (!type.getElementType().isInteger(32))
    return emitOpError() << "needs a result of i32, but its elements are "
                         << type.getElementType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  RankedTensorType src = getSrc().getType();
  if (src.getNumElements() != 1)
    return emitOpError() << "needs a source of one element, but it is " << src;
  return success();
}

/// Both tensors or neither have an encoding that is a layout. Null without one.
static FailureOr<const LayoutInterface *>
getCommonLayouts(Operation *op, RankedTensorType src, RankedTensorType result) {
  if (!src.getEncoding() != !result.getEncoding())
    return op->emitOpError() << "needs an encoding on both source and result "
                                "or on neither, but they are "
                             << src << " and " << result;
  return getLayoutInterface(result.getEncoding());
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType src = getSrc().getType(), result = getType();
  if (src.getRank() != result.getRank())
    return emitOpError() << "needs a result of the source's rank "
                         << src.getRank() << ", but it has "
                         << result.getRank();
  for (auto [dim, from, to] :
       llvm::enumerate(src.getShape(), result.getShape()))
    if (from != 1 && from != to)
      return emitOpError()
             << "can repeat only dimensions of size 1, but dimension " << dim
             << " goes from " << from << " to " << to;
  // Triton takes a broadcast between TTIR's tensors and TTGIR's, which the
  // forks use halfway through a conversion.
  if (!src.getEncoding() || !result.getEncoding())
    return success();
  const LayoutInterface *layouts = getLayoutInterface(result.getEncoding());
  // Triton 3.9 writes the result in a layout of its own; until then it was the
  // source's.
  if (layouts && !layouts->areEquivalent(src.getShape(), src.getEncoding(),
                                         result.getEncoding(),
                                         /*ignoreRegisterBroadcast=*/true))
    return emitOpError() << "needs a result layout that keeps the source's "
                            "elements on their threads, such as "
                         << src.getEncoding() << ", but it is "
                         << result.getEncoding();
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType src = getSrc().getType(), result = getType();
  if (src.getNumElements() != result.getNumElements())
    return emitOpError() << "needs a result of "
                         << counted(src.getNumElements(), "element")
                         << ", but it has " << result.getNumElements();
  FailureOr<const LayoutInterface *> layouts =
      getCommonLayouts(*this, src, result);
  if (failed(layouts))
    return failure();
  if (!*layouts)
    return success();
  FailureOr<Attribute> inferred = (*layouts)->inferReshape(
      src.getEncoding(), src.getShape(), result.getShape(),
      result.getEncoding(), getAllowReorder(), getLoc());
  if (failed(inferred))
    return failure();
  if (!(*layouts)->areEquivalent(result.getShape(), *inferred,
                                 result.getEncoding(),
                                 /*ignoreRegisterBroadcast=*/true))
    return emitOpError() << "needs a result layout that keeps each element on "
                            "its thread, such as "
                         << *inferred << ", but it is " << result.getEncoding();
  return success();
}

LogicalResult JoinOp::verify() {
  RankedTensorType src = getLhs().getType(), result = getType();
  SmallVector<int64_t> shape(src.getShape());
  shape.push_back(2);
  if (result.getShape() != ArrayRef(shape) ||
      result.getElementType() != src.getElementType())
    return emitOpError() << "needs a result of type "
                         << RankedTensorType::get(shape, src.getElementType())
                         << ", but it is " << result;
  FailureOr<const LayoutInterface *> layouts =
      getCommonLayouts(*this, src, result);
  if (failed(layouts))
    return failure();
  if (!*layouts)
    return success();
  // Many layouts of the result fit a source; one layout of the source fits a
  // result.
  FailureOr<Attribute> half =
      (*layouts)->inferSplit(result.getEncoding(), shape, getLoc());
  if (failed(half))
    return failure();
  if (!(*layouts)->areEquivalent(src.getShape(), *half, src.getEncoding(),
                                 /*ignoreRegisterBroadcast=*/true))
    return emitOpError() << "needs sources laid out like " << *half
                         << " for this result, but they are "
                         << src.getEncoding();
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType src = getSrc().getType(), indices = getIndices().getType();
  int64_t axis = getAxisAttr().getInt();
  if (src.getRank() != indices.getRank())
    return emitOpError() << "needs indices of the source's rank "
                         << src.getRank() << ", but they have "
                         << indices.getRank();
  if (axis < 0 || axis >= src.getRank())
    return emitOpError() << "needs " << describeAxes(src.getRank())
                         << ", but has " << axis;
  for (int64_t dim = 0; dim < src.getRank(); ++dim)
    if (dim != axis && src.getDimSize(dim) != indices.getDimSize(dim))
      return emitOpError() << "needs indices of the source's size "
                           << src.getDimSize(dim) << " in dimension " << dim
                           << ", but they have " << indices.getDimSize(dim);
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(),
                   c = getC().getType();
  if (a.getElementTypeBitWidth() != b.getElementTypeBitWidth())
    return emitOpError()
           << "needs a and b with the same element width, but they have "
           << a.getElementTypeBitWidth() << " and "
           << b.getElementTypeBitWidth() << " bits";
  bool all = a.getEncoding() && b.getEncoding() && c.getEncoding();
  bool none = !a.getEncoding() && !b.getEncoding() && !c.getEncoding();
  if (!all && !none)
    return emitOpError()
           << "needs an encoding on all of a, b and c or on none, but they are "
           << a << ", " << b << " and " << c;
  const LayoutInterface *layouts = getLayoutInterface(c.getEncoding());
  if (!layouts)
    return success();
  if (failed(layouts->verifyDotOperand(a.getEncoding(), 0, c.getEncoding(),
                                       getLoc())) ||
      failed(layouts->verifyDotOperand(b.getEncoding(), 1, c.getEncoding(),
                                       getLoc())))
    return failure();
  return layouts->verifyDotOperands(*this, a.getEncoding(), b.getEncoding());
}

FailureOr<int64_t> kernelscope::tt::getScaleFactor(ArrayRef<int64_t> scaleShape,
                                                   int64_t k) {
  if (llvm::all_of(scaleShape, [](int64_t size) { return size == 1; }))
    return 0;
  int64_t scales = scaleShape.back();
  if (scales <= 0 || (k != scales * 16 && k != scales * elementsPerScale))
    return failure();
  return k / scales;
}

int64_t DotScaledOp::getDepth() {
  const Packing packing = getPacking(0);
  return getA().getType().getShape().back() *
         (packing.alongK ? packing.factor : 1);
}

std::optional<int64_t> DotScaledOp::getElementsPerScale() {
  int64_t perScale = elementsPerScale;
  for (Value value : {getAScale(), getBScale()}) {
    if (!value)
      continue;
    auto scale = cast<RankedTensorType>(value.getType());
    const FailureOr<int64_t> factor =
        getScaleFactor(scale.getShape(), getDepth());
    if (failed(factor) || *factor == 0)
      return std::nullopt;
    perScale = *factor;
  }
  return perScale;
}

LogicalResult DotScaledOp::verify() {
  // Runs after DotOpInterface's rules: ranks and sizes of a, b, c agree.
  int64_t rank = getA().getType().getRank();
  const int64_t k = getDepth();
  int64_t m = getC().getType().getDimSize(rank - 2),
          n = getC().getType().getDimSize(rank - 1);

  int64_t common = 0;
  for (auto [name, value, rows] : {std::tuple("a_scale", getAScale(), m),
                                   std::tuple("b_scale", getBScale(), n)}) {
    if (!value)
      continue;
    auto scale = cast<RankedTensorType>(value.getType());
    if (scale.getRank() != rank)
      return emitOpError() << name << " needs rank " << rank << ", but is "
                           << scale;
    FailureOr<int64_t> factor = getScaleFactor(scale.getShape(), k);
    if (failed(factor))
      return emitOpError() << name
                           << " needs one scale for every 16 or 32 of the "
                           << counted(k, "element") << " along K, so " << k / 16
                           << " or " << k / 32 << ", but has "
                           << scale.getShape().back();
    if (*factor == 0)
      continue;
    if (scale.getDimSize(rank - 2) != rows)
      return emitOpError() << name << " needs " << rows
                           << " rows of scales, but has "
                           << scale.getDimSize(rank - 2);
    if (common && common != *factor)
      return emitOpError() << "needs one scale factor, but a has " << common
                           << " and b has " << *factor;
    common = *factor;
  }
  const LayoutInterface *layouts = getLayoutInterface(getType().getEncoding());
  return layouts
             ? layouts->verifyDotOperands(*this, getA().getType().getEncoding(),
                                          getB().getType().getEncoding())
             : success();
}
