//===- Builder.cpp - Short names for the LLVM ops we emit -----------------===//
//
// Op creation with folding of integer constants and identities.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/Builder.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace kernelscope::lower {

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

IntegerType Builder::intType(unsigned bits) const {
  return IntegerType::get(getContext(), bits);
}

Type Builder::pointerType(unsigned addressSpace) const {
  return LLVM::LLVMPointerType::get(getContext(), addressSpace);
}

Type Builder::vectorType(Type element, unsigned count) const {
  return VectorType::get(count, element);
}

Type Builder::structType(ArrayRef<Type> elements) const {
  return LLVM::LLVMStructType::getLiteral(getContext(), elements);
}

Value Builder::i1(bool value) { return intConstant(intType(1), value); }
Value Builder::i32(int32_t value) { return intConstant(intType(32), value); }
Value Builder::i64(int64_t value) { return intConstant(intType(64), value); }

Value Builder::intConstant(Type type, int64_t value) {
  APInt bits(64, static_cast<uint64_t>(value));
  return LLVM::ConstantOp::create(
      builder, loc, type,
      IntegerAttr::get(type, bits.sextOrTrunc(type.getIntOrFloatBitWidth())));
}

Value Builder::floatConstant(Type type, double value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  FloatAttr::get(type, value));
}

Value Builder::floatConstant(Type type, const APFloat &value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  FloatAttr::get(type, value));
}

Value Builder::zero(Type type) {
  if (type.isInteger())
    return intConstant(type, 0);
  if (isa<FloatType>(type))
    return floatConstant(type, 0);
  return LLVM::ZeroOp::create(builder, loc, type);
}

Value Builder::undef(Type type) {
  return LLVM::UndefOp::create(builder, loc, type);
}

//===----------------------------------------------------------------------===//
// Memory and aggregates
//===----------------------------------------------------------------------===//

Value Builder::gep(Type element, Value pointer, Value index) {
  if (tt::constantOf(index) == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer,
                             ValueRange{index});
}

Value Builder::load(Type type, Value pointer, unsigned alignment,
                    bool isVolatile) {
  return LLVM::LoadOp::create(builder, loc, type, pointer, alignment,
                              isVolatile);
}

void Builder::store(Value value, Value pointer, unsigned alignment,
                    bool isVolatile) {
  LLVM::StoreOp::create(builder, loc, value, pointer, alignment, isVolatile);
}

Value Builder::maskedLoad(Value pointer, Value condition, Value other,
                          unsigned alignment) {
  auto type = cast<VectorType>(other.getType());
  Value mask = makeVector(SmallVector<Value>(type.getNumElements(), condition));
  return LLVM::MaskedLoadOp::create(builder, loc, type, pointer, mask, other,
                                    alignment);
}

void Builder::maskedStore(Value vector, Value pointer, Value condition,
                          unsigned alignment) {
  auto type = cast<VectorType>(vector.getType());
  Value mask = makeVector(SmallVector<Value>(type.getNumElements(), condition));
  LLVM::MaskedStoreOp::create(builder, loc, vector, pointer, mask, alignment);
}

Value Builder::text(StringRef text) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  const StringAttr bytes = builder.getStringAttr(text.str() + '\0');
  std::string name;
  unsigned number = 0;
  for (auto known : module.getOps<LLVM::GlobalOp>()) {
    if (!known.getSymName().starts_with("text_"))
      continue;
    if (known.getValueOrNull() == bytes && known.getConstant())
      name = known.getSymName();
    ++number;
  }
  if (name.empty()) {
    do
      name = "text_" + std::to_string(number++);
    while (module.lookupSymbol(name));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    // A location in inlined code would need a function around it.
    LLVM::GlobalOp::create(builder, builder.getUnknownLoc(),
                           LLVM::LLVMArrayType::get(intType(8), bytes.size()),
                           /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           bytes);
  }
  return LLVM::AddressOfOp::create(builder, loc, pointerType(Generic), name);
}

Value Builder::onStack(ArrayRef<Value> values) {
  Value packed = makeStruct(values);
  Value place;
  {
    OpBuilder::InsertionGuard guard(builder);
    // In a loop it would take more of the stack each time.
    Operation *function = builder.getBlock()->getParentOp();
    while (!isa<FunctionOpInterface>(function))
      function = function->getParentOp();
    builder.setInsertionPointToStart(&function->getRegion(0).front());
    place = LLVM::AllocaOp::create(builder, loc, pointerType(Generic),
                                   packed.getType(), i32(1));
  }
  LLVM::StoreOp::create(builder, loc, packed, place);
  return place;
}

void Builder::fence(Ordering ordering, StringRef scope) {
  LLVM::AtomicOrdering lowered = LLVM::AtomicOrdering::acq_rel;
  if (ordering == Ordering::Acquire)
    lowered = LLVM::AtomicOrdering::acquire;
  if (ordering == Ordering::Release)
    lowered = LLVM::AtomicOrdering::release;
  LLVM::FenceOp::create(builder, loc, lowered, scope);
}

Value Builder::extractElement(Value vector, unsigned index) {
  return LLVM::ExtractElementOp::create(builder, loc, vector,
                                        i32(static_cast<int32_t>(index)));
}

Value Builder::insertElement(Value vector, Value element, unsigned index) {
  return LLVM::InsertElementOp::create(builder, loc, vector, element,
                                       i32(static_cast<int32_t>(index)));
}

Value Builder::makeVector(ArrayRef<Value> elements) {
  Value vector = undef(vectorType(elements.front().getType(), elements.size()));
  for (auto [index, element] : llvm::enumerate(elements))
    vector = insertElement(vector, element, index);
  return vector;
}

SmallVector<Value> Builder::splitVector(Value vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
       i < e; ++i)
    elements.push_back(extractElement(vector, i));
  return elements;
}

Value Builder::extractValue(Value aggregate, unsigned index) {
  return LLVM::ExtractValueOp::create(builder, loc, aggregate,
                                      static_cast<int64_t>(index));
}

Value Builder::insertValue(Value aggregate, Value element, unsigned index) {
  return LLVM::InsertValueOp::create(builder, loc, aggregate, element,
                                     static_cast<int64_t>(index));
}

Value Builder::makeStruct(ArrayRef<Value> elements) {
  SmallVector<Type> types;
  for (Value element : elements)
    types.push_back(element.getType());
  Value aggregate = undef(structType(types));
  for (auto [index, element] : llvm::enumerate(elements))
    aggregate = insertValue(aggregate, element, index);
  return aggregate;
}

SmallVector<Value> Builder::splitStruct(Value aggregate) {
  auto type = cast<LLVM::LLVMStructType>(aggregate.getType());
  SmallVector<Value> elements(type.getBody().size());
  Value source = aggregate;
  while (auto insert = source.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition().size() != 1)
      break;
    Value &element = elements[insert.getPosition().front()];
    if (!element)
      element = insert.getValue();
    source = insert.getContainer();
  }
  for (auto [index, element] : llvm::enumerate(elements))
    if (!element)
      element = extractValue(source, index);
  return elements;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Builder::intrinsic(StringRef name, Type resultType,
                         ValueRange arguments) {
  auto nameAttr = builder.getStringAttr(name);
  if (!resultType) {
    LLVM::CallIntrinsicOp::create(builder, loc, nameAttr, arguments);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, resultType, nameAttr,
                                       arguments)
      .getResult(0);
}

Value Builder::callFunction(StringRef name, Type resultType,
                            ValueRange arguments) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = LLVM::LLVMFunctionType::get(
      resultType ? resultType : LLVM::LLVMVoidType::get(getContext()),
      llvm::to_vector(arguments.getTypes()));
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::LLVMFuncOp::create(builder, loc, name, type);
  }
  auto call = LLVM::CallOp::create(builder, loc, type, name, arguments);
  return resultType ? call.getResult() : Value();
}

Value Builder::inlineAsm(StringRef assembly, StringRef constraints,
                         Type resultType, ValueRange arguments,
                         bool hasSideEffects) {
  auto op = LLVM::InlineAsmOp::create(
      builder, loc, resultType ? TypeRange(resultType) : TypeRange(), arguments,
      assembly, constraints, hasSideEffects,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return resultType ? op.getResult(0) : Value();
}

unsigned numFields(Type structType) {
  return cast<LLVM::LLVMStructType>(structType).getBody().size();
}

SmallVector<Type> fieldTypes(Type type) {
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return SmallVector<Type>(structType.getBody());
  return {type};
}

unsigned bitWidth(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == Shared ? 32 : 64;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bitWidth(vector.getElementType());
  return type.getIntOrFloatBitWidth();
}

} // namespace kernelscope::lower
