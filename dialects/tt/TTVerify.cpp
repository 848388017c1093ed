//===- TTVerify.cpp - rules of the ops of tt ------------------------------===//
//
// One verifier an op. Each message gives the rule, the value found and the
// value needed.
//
//===----------------------------------------------------------------------===//

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
// Memory
//===----------------------------------------------------------------------===//

/// A load has nothing to release, a store nothing to acquire.
static LogicalResult verifyOrder(Operation *op, MemSemantic order,
                                 MemSemantic strongest) {
  if (order == strongest || order == MemSemantic::RELAXED)
    return success();
  return op->emitOpError() << "needs the memory order "
                           << stringifyMemSemantic(strongest)
                           << " or relaxed, but has "
                           << stringifyMemSemantic(order);
}

LogicalResult AtomicLoadOp::verify() {
  return verifyOrder(*this, getSem(), MemSemantic::ACQUIRE);
}

LogicalResult AtomicStoreOp::verify() {
  return verifyOrder(*this, getSem(), MemSemantic::RELEASE);
}

LogicalResult AtomicPollOp::verify() {
  if (failed(verifyOrder(*this, getSem(), MemSemantic::ACQUIRE)))
    return failure();
  unsigned width =
      getElementTypeOrSelf(getExpected().getType()).getIntOrFloatBitWidth();
  if (width != 16 && width != 32 && width != 64)
    return emitOpError() << "needs an integer of 16, 32 or 64 bits, but has "
                         << width;
  return success();
}

LogicalResult kernelscope::tt::verifyBlockAccess(Operation *op,
                                                 TensorDescInterface desc,
                                                 ShapedType tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getElementType() != tensor.getElementType())
    return op->emitOpError()
           << "needs a tensor with the block's element type, "
           << block.getElementType() << ", but has " << tensor.getElementType();
  if (ShapedType::isDynamicShape(tensor.getShape()) ||
      block.getNumElements() != tensor.getNumElements())
    return op->emitOpError()
           << "needs a tensor with the " << block.getNumElements()
           << " elements of the descriptor's block, but it is " << tensor;
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getType());
}
LogicalResult DescriptorStoreOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getSrc().getType());
}
LogicalResult DescriptorReduceOp::verify() {
  return verifyBlockAccess(*this, getDesc().getType(), getSrc().getType());
}

LogicalResult kernelscope::tt::verifyGatherScatter(Operation *op,
                                                   RankedTensorType block,
                                                   RankedTensorType tensor,
                                                   RankedTensorType indices) {
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError() << "needs a descriptor whose block is one row "
                                "(1xN), but the block is "
                             << block;
  if (indices.getRank() != 1)
    return op->emitOpError()
           << "needs row indices of rank 1, but they are " << indices;
  if (tensor.getRank() != 2 || tensor.getDimSize(0) != indices.getDimSize(0) ||
      tensor.getDimSize(1) != block.getDimSize(1))
    return op->emitOpError() << "needs a tensor of " << indices.getDimSize(0)
                             << "x" << block.getDimSize(1)
                             << ", a row for each index, but it is " << tensor;
  if (tensor.getElementType() != block.getElementType())
    return op->emitOpError()
           << "needs a tensor with the block's element type, "
           << block.getElementType() << ", but has " << tensor.getElementType();
  // The hardware moves 8 rows of 32 bytes at the least.
  unsigned width = tensor.getElementType().getIntOrFloatBitWidth();
  if (width > 32)
    return op->emitOpError()
           << "needs elements of at most 32 bits, but they have " << width;
  if (tensor.getDimSize(0) < 8)
    return op->emitOpError()
           << "needs at least 8 rows, but has " << tensor.getDimSize(0);
  if (int64_t columns = 256 / width; tensor.getDimSize(1) < columns)
    return op->emitOpError()
           << "needs at least " << columns << " columns of "
           << tensor.getElementType() << ", but has " << tensor.getDimSize(1);
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(),
                             getType(), getXOffsets().getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(),
                             getSrc().getType(), getXOffsets().getType());
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
    return emitOpError() << "needs a result of rank 1 with " << end - start
                         << " elements, but it is " << type;
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
    return emitOpError() << "needs a result of " << src.getNumElements()
                         << " elements, but it has " << result.getNumElements();
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
    return emitOpError() << "needs an axis from 0 to " << src.getRank() - 1
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
  if (scales <= 0 || (k != scales * 16 && k != scales * 32))
    return failure();
  return k / scales;
}

LogicalResult DotScaledOp::verify() {
  // Runs after DotOpInterface's rules: ranks and sizes of a, b, c agree.
  int64_t rank = getA().getType().getRank();
  int64_t k = getA().getType().getDimSize(rank - 1) *
              (getPacking(0).alongK ? getPacking(0).factor : 1);
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
                           << " needs one scale for every 16 or 32 of the " << k
                           << " elements along K, so " << k / 16 << " or "
                           << k / 32 << ", but has " << scale.getShape().back();
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
  return success();
}

//===----------------------------------------------------------------------===//
// Ops with a region
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult verifyCombining(Op op) {
  if (op.getNumOperands() == 0)
    return op.emitOpError("needs at least one source");
  if (op.getNumOperands() != op.getNumResults())
    return op.emitOpError()
           << "needs a result for each of its " << op.getNumOperands()
           << " sources, but has " << op.getNumResults();
  int64_t axis = op.getAxisAttr().getInt();
  for (RankedTensorType type : op.getInputTypes())
    if (axis < 0 || axis >= type.getRank())
      return op.emitOpError() << "needs an axis from 0 to "
                              << type.getRank() - 1 << ", but has " << axis;
  return success();
}

/// The list `found` must be `needed`; `what` names it.
static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange found,
                                 TypeRange needed) {
  if (llvm::equal(found, needed))
    return success();
  return op->emitOpError() << "needs " << what << " (" << needed
                           << "), but has (" << found << ")";
}

template <typename Return, typename Op>
static LogicalResult verifyCombination(Op op) {
  SmallVector<Type> elements = op.getElementTypes(), accumulators(elements);
  accumulators.append(elements);
  Block &block = op.getCombineOp().front();
  if (failed(verifyTypes(op, "a region whose arguments are two accumulators",
                         block.getArgumentTypes(), accumulators)))
    return failure();
  auto end = dyn_cast<Return>(block.getTerminator());
  if (!end)
    return op.emitOpError()
           << "needs a region that ends in " << Return::getOperationName()
           << ", but it ends in " << block.getTerminator()->getName();
  return verifyTypes(op, "a region that returns one accumulator",
                     end->getOperandTypes(), elements);
}

LogicalResult ReduceOp::verify() { return verifyCombining(*this); }
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombination<ReduceReturnOp>(*this);
}
LogicalResult ScanOp::verify() { return verifyCombining(*this); }
LogicalResult ScanOp::verifyRegions() {
  return verifyCombination<ScanReturnOp>(*this);
}

LogicalResult MapElementwiseOp::verify() {
  int64_t pack = getPackAttr().getInt();
  if (getNumOperands() == 0)
    return emitOpError("needs at least one source");
  if (pack < 1 || pack > maxTensorElements || !llvm::isPowerOf2_64(pack))
    return emitOpError() << "needs a pack that is a power of two, but it is "
                         << pack;
  if (getScalarOp().empty())
    return emitOpError("needs a non-empty region");
  return success();
}

LogicalResult MapElementwiseOp::verifyRegions() {
  auto packed = [&](TypeRange types) {
    SmallVector<Type> scalars;
    for (Type type : types)
      scalars.append(getPackAttr().getInt(), getElementTypeOrSelf(type));
    return scalars;
  };
  if (failed(verifyTypes(*this, "a region that takes the scalars",
                         getScalarOp().front().getArgumentTypes(),
                         packed(getOperandTypes()))))
    return failure();
  SmallVector<Type> results = packed(getResultTypes());
  WalkResult walk = getScalarOp().walk([&](Operation *op) -> WalkResult {
    // A store would run once for each copy of an element.
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.hasEffect<MemoryEffects::Write>())
      return op->emitOpError(
          "writes memory, which the region of tt.map_elementwise must not do");
    if (isa<MapElementwiseReturnOp>(op))
      return verifyTypes(op, "the scalars of the results",
                         op->getOperandTypes(), results);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  return verifyTypes(*this, "the result types of the function",
                     getOperandTypes(), function.getResultTypes());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", but the module has no tt.func of that name";
  if (failed(verifyTypes(*this, "operands of the callee's argument types",
                         getOperandTypes(), callee.getArgumentTypes())))
    return failure();
  return verifyTypes(*this, "results of the callee's result types",
                     getResultTypes(), callee.getResultTypes());
}
