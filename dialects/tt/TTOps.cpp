//===- TTOps.cpp - ops of the tt dialect ----------------------------------===//
//
// Registration, syntax, effects, and the types that ops compute.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tt/ForeignCode.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace kernelscope::tt;

#include "dialects/tt/TTAttrInterfaces.cpp.inc"
#include "dialects/tt/TTEnums.cpp.inc"
#include "dialects/tt/TTOpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/tt/TTOps.cpp.inc"

void TTDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tt/TTOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, ArrayRef<NamedAttribute> attrs,
                   ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
  if (!argAttrs.empty())
    call_interface_impl::addArgAndResultAttrs(
        builder, state, argAttrs, /*resultAttrs=*/{},
        getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto makeType = [](Builder &builder, ArrayRef<Type> args,
                     ArrayRef<Type> results,
                     function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(args, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), makeType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void LoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(),
                       GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

void ExternElementwiseOp::getEffects(Effects &effects) {
  addForeignEffects(getPure(), effects);
}
void ElementwiseInlineAsmOp::getEffects(Effects &effects) {
  addForeignEffects(getPure(), effects);
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getForeignSpeculatability(getPure());
}
Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getForeignSpeculatability(getPure());
}

GlobalAccess LoadOp::getGlobalAccess() {
  return {.addresses = getPtr(),
          .mask = getMask(),
          .other = getOther(),
          .reads = true};
}
GlobalAccess StoreOp::getGlobalAccess() {
  return {.addresses = getPtr(), .mask = getMask(), .writes = true};
}
GlobalAccess AtomicRMWOp::getGlobalAccess() {
  return {.addresses = getPtr(),
          .mask = getMask(),
          .reads = true,
          .writes = true,
          .isAtomic = true};
}
GlobalAccess AtomicCASOp::getGlobalAccess() {
  return {
      .addresses = getPtr(), .reads = true, .writes = true, .isAtomic = true};
}
GlobalAccess AtomicPollOp::getGlobalAccess() {
  return {.addresses = getPtr(), .reads = true, .isAtomic = true};
}
GlobalAccess AtomicLoadOp::getGlobalAccess() {
  return {.addresses = getPtr(),
          .mask = getMask(),
          .reads = true,
          .isAtomic = true};
}
GlobalAccess AtomicStoreOp::getGlobalAccess() {
  return {.addresses = getPtr(),
          .mask = getMask(),
          .writes = true,
          .isAtomic = true};
}

//===----------------------------------------------------------------------===//
// Types that ops compute
//===----------------------------------------------------------------------===//

/// The result of `infer` on the interface of `encoding`; null for no encoding.
static FailureOr<Attribute> inferEncoding(
    Attribute encoding, std::optional<Location> loc,
    function_ref<FailureOr<Attribute>(const LayoutInterface &)> infer) {
  if (!encoding)
    return Attribute();
  const LayoutInterface *layouts = getLayoutInterface(encoding);
  if (!layouts)
    return emitOptionalError(
        loc, "needs an encoding that is a layout, but it is ", encoding);
  return infer(*layouts);
}

/// The source tensor of an op that makes another of it; null after an error.
static RankedTensorType getSource(Value src, std::optional<Location> loc) {
  auto tensor =
      dyn_cast_if_present<RankedTensorType>(src ? src.getType() : Type());
  if (!tensor)
    (void)emitOptionalError(loc, "needs a tensor as its source");
  return tensor;
}

static LogicalResult verifyAxis(int64_t axis, int64_t end,
                                std::optional<Location> loc) {
  if (axis >= 0 && axis < end)
    return success();
  return emitOptionalError(loc, "needs ", kernelscope::describeAxes(end),
                           ", but has ", axis);
}

LogicalResult UnsplatOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType src = getSource(adaptor.getSrc(), loc);
  if (!src)
    return failure();
  types.push_back(src.getElementType());
  return success();
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType src = getSource(adaptor.getSrc(), loc);
  int64_t axis = adaptor.getAxisAttr().getInt();
  if (!src || failed(verifyAxis(axis, src.getRank() + 1, loc)))
    return failure();
  FailureOr<Attribute> encoding = inferEncoding(
      src.getEncoding(), loc, [&](const LayoutInterface &layouts) {
        return layouts.inferExpandDims(src.getEncoding(), axis, loc);
      });
  if (failed(encoding))
    return failure();
  SmallVector<int64_t> shape(src.getShape());
  shape.insert(shape.begin() + axis, 1);
  types.push_back(
      RankedTensorType::get(shape, src.getElementType(), *encoding));
  return success();
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType src = getSource(adaptor.getSrc(), loc);
  if (!src)
    return failure();
  ArrayRef<int32_t> order = adaptor.getOrder();
  if (!isPermutation(order, src.getRank()))
    return emitOptionalError(loc, "needs an order that permutes the source's ",
                             src.getRank(), " dimensions, but has [", order,
                             "]");
  auto shape = llvm::map_to_vector(
      order, [&](int32_t dim) { return src.getDimSize(dim); });
  FailureOr<Attribute> encoding = inferEncoding(
      src.getEncoding(), loc, [&](const LayoutInterface &layouts) {
        return layouts.inferTrans(src.getEncoding(), src.getShape(), order,
                                  loc);
      });
  if (failed(encoding))
    return failure();
  types.push_back(
      RankedTensorType::get(shape, src.getElementType(), *encoding));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType src = getSource(adaptor.getSrc(), loc);
  if (!src)
    return failure();
  if (src.getRank() == 0 || src.getShape().back() != 2)
    return emitOptionalError(
        loc, "needs a source whose last dimension has size 2, but it is ", src);
  FailureOr<Attribute> encoding = inferEncoding(
      src.getEncoding(), loc, [&](const LayoutInterface &layouts) {
        return layouts.inferSplit(src.getEncoding(), src.getShape(), loc);
      });
  if (failed(encoding))
    return failure();
  types.append(2, RankedTensorType::get(src.getShape().drop_back(),
                                        src.getElementType(), *encoding));
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange written) {
  return equivalentTypes(inferred, written, /*ignoreRegisterBroadcast=*/true);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType src = getSource(adaptor.getSrc(), loc),
                   indices = getSource(adaptor.getIndices(), loc);
  if (!src || !indices)
    return failure();
  types.push_back(indices.clone(src.getElementType()));
  return success();
}

LogicalResult DotOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType c = getSource(adaptor.getC(), loc);
  if (!c)
    return failure();
  types.push_back(c);
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  int64_t axis = adaptor.getAxisAttr().getInt();
  for (Value operand : adaptor.getSrcs()) {
    RankedTensorType src = getSource(operand, loc);
    if (!src || failed(verifyAxis(axis, src.getRank(), loc)))
      return failure();
    if (src.getRank() == 1) {
      types.push_back(src.getElementType());
      continue;
    }
    FailureOr<Attribute> encoding = inferEncoding(
        src.getEncoding(), loc, [&](const LayoutInterface &layouts) {
          return layouts.inferReduce(src.getEncoding(), axis, loc);
        });
    if (failed(encoding))
      return failure();
    SmallVector<int64_t> shape(src.getShape());
    shape.erase(shape.begin() + axis);
    types.push_back(
        RankedTensorType::get(shape, src.getElementType(), *encoding));
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getSrcs().getTypes());
  return success();
}

static SmallVector<RankedTensorType> getTensorTypes(TypeRange types) {
  return llvm::map_to_vector(
      types, [](Type type) { return cast<RankedTensorType>(type); });
}

static SmallVector<Type> getElements(TypeRange types) {
  return llvm::map_to_vector(
      types, [](Type type) { return getElementTypeOrSelf(type); });
}

SmallVector<RankedTensorType> ReduceOp::getInputTypes() {
  return getTensorTypes(getOperandTypes());
}
SmallVector<Type> ReduceOp::getElementTypes() {
  return getElements(getOperandTypes());
}
SmallVector<RankedTensorType> ScanOp::getInputTypes() {
  return getTensorTypes(getOperandTypes());
}
SmallVector<Type> ScanOp::getElementTypes() {
  return getElements(getOperandTypes());
}

Operation *ReduceOp::getSingleCombiner() {
  Block &block = getCombineOp().front();
  if (getNumOperands() != 1 || block.getNumArguments() != 2 ||
      !llvm::hasNItems(block, 2))
    return nullptr;
  Operation *combiner = &block.front(), *end = block.getTerminator();
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      end->getNumOperands() != 1 ||
      end->getOperand(0) != combiner->getResult(0))
    return nullptr;
  Value first = combiner->getOperand(0), second = combiner->getOperand(1);
  bool straight =
      first == block.getArgument(0) && second == block.getArgument(1);
  bool swapped =
      first == block.getArgument(1) && second == block.getArgument(0);
  return straight || (swapped && combiner->hasTrait<OpTrait::IsCommutative>())
             ? combiner
             : nullptr;
}

Packing DotScaledOp::getPacking(unsigned index) {
  bool packed =
      (index == 0 ? getAElemType() : getBElemType()) == ScaleDotElemType::E2M1;
  return {packed ? 2 : 1, index == 0 ? getLhsKPack() : getRhsKPack()};
}
