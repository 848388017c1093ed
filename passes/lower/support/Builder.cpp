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
// Integers
//===----------------------------------------------------------------------===//

/// Folds `a op b` when both are constants.
template <typename Fold>
static Value foldConstants(Builder &b, Value lhs, Value rhs, Fold fold) {
  auto x = tt::constantOf(lhs);
  auto y = tt::constantOf(rhs);
  if (!x || !y)
    return {};
  return b.intConstant(lhs.getType(),
                       static_cast<int64_t>(fold(static_cast<uint64_t>(*x),
                                                 static_cast<uint64_t>(*y))));
}

static bool isConstant(Value value, int64_t expected) {
  return tt::constantOf(value) == expected;
}

Value Builder::add(Value a, Value b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  if (Value folded = foldConstants(*this, a, b, std::plus<uint64_t>()))
    return folded;
  return LLVM::AddOp::create(builder, loc, a, b);
}

Value Builder::sub(Value a, Value b) {
  if (isConstant(b, 0))
    return a;
  if (Value folded = foldConstants(*this, a, b, std::minus<uint64_t>()))
    return folded;
  return LLVM::SubOp::create(builder, loc, a, b);
}

Value Builder::mul(Value a, Value b) {
  if (isConstant(a, 0) || isConstant(b, 1))
    return a;
  if (isConstant(b, 0) || isConstant(a, 1))
    return b;
  if (Value folded = foldConstants(*this, a, b, std::multiplies<uint64_t>()))
    return folded;
  return LLVM::MulOp::create(builder, loc, a, b);
}

Value Builder::sdiv(Value a, Value b) {
  return LLVM::SDivOp::create(builder, loc, a, b);
}
Value Builder::udiv(Value a, Value b) {
  return LLVM::UDivOp::create(builder, loc, a, b);
}
Value Builder::srem(Value a, Value b) {
  return LLVM::SRemOp::create(builder, loc, a, b);
}
Value Builder::urem(Value a, Value b) {
  return LLVM::URemOp::create(builder, loc, a, b);
}

Value Builder::bitAnd(Value a, Value b) {
  if (isConstant(a, 0) || isConstant(b, -1))
    return a;
  if (isConstant(b, 0) || isConstant(a, -1))
    return b;
  if (Value folded = foldConstants(*this, a, b, std::bit_and<uint64_t>()))
    return folded;
  return LLVM::AndOp::create(builder, loc, a, b);
}

Value Builder::bitOr(Value a, Value b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  if (Value folded = foldConstants(*this, a, b, std::bit_or<uint64_t>()))
    return folded;
  return LLVM::OrOp::create(builder, loc, a, b);
}

Value Builder::bitXor(Value a, Value b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  if (Value folded = foldConstants(*this, a, b, std::bit_xor<uint64_t>()))
    return folded;
  return LLVM::XOrOp::create(builder, loc, a, b);
}

Value Builder::shl(Value a, Value b) {
  auto x = tt::constantOf(a), y = tt::constantOf(b);
  if (isConstant(b, 0) || isConstant(a, 0))
    return a;
  if (x && y && *y > 0 && *y < 64)
    return intConstant(a.getType(),
                       static_cast<int64_t>(static_cast<uint64_t>(*x) << *y));
  return LLVM::ShlOp::create(builder, loc, a, b);
}

Value Builder::lshr(Value a, Value b) {
  if (isConstant(b, 0) || isConstant(a, 0))
    return a;
  return LLVM::LShrOp::create(builder, loc, a, b);
}

Value Builder::ashr(Value a, Value b) {
  if (isConstant(b, 0) || isConstant(a, 0))
    return a;
  return LLVM::AShrOp::create(builder, loc, a, b);
}

Value Builder::icmp(ICmp predicate, Value a, Value b) {
  auto lower = static_cast<LLVM::ICmpPredicate>(predicate);
  return LLVM::ICmpOp::create(builder, loc, lower, a, b);
}

Value Builder::smin(Value a, Value b) {
  return LLVM::SMinOp::create(builder, loc, a, b);
}
Value Builder::smax(Value a, Value b) {
  return LLVM::SMaxOp::create(builder, loc, a, b);
}
Value Builder::umin(Value a, Value b) {
  return LLVM::UMinOp::create(builder, loc, a, b);
}
Value Builder::umax(Value a, Value b) {
  return LLVM::UMaxOp::create(builder, loc, a, b);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Value Builder::fadd(Value a, Value b) {
  return LLVM::FAddOp::create(builder, loc, a, b);
}
Value Builder::fsub(Value a, Value b) {
  return LLVM::FSubOp::create(builder, loc, a, b);
}
Value Builder::fmul(Value a, Value b) {
  return LLVM::FMulOp::create(builder, loc, a, b);
}
Value Builder::fdiv(Value a, Value b) {
  return LLVM::FDivOp::create(builder, loc, a, b);
}
Value Builder::approxDiv(Value a, Value b) {
  return LLVM::FDivOp::create(builder, loc, a, b, LLVM::FastmathFlags::afn);
}
Value Builder::frem(Value a, Value b) {
  return LLVM::FRemOp::create(builder, loc, a, b);
}
Value Builder::fneg(Value a) { return LLVM::FNegOp::create(builder, loc, a); }
Value Builder::fma(Value a, Value b, Value c) {
  return LLVM::FMAOp::create(builder, loc, a, b, c);
}

Value Builder::fcmp(FCmp predicate, Value a, Value b) {
  static constexpr LLVM::FCmpPredicate predicates[] = {
      LLVM::FCmpPredicate::oeq, LLVM::FCmpPredicate::ogt,
      LLVM::FCmpPredicate::oge, LLVM::FCmpPredicate::olt,
      LLVM::FCmpPredicate::ole, LLVM::FCmpPredicate::one,
      LLVM::FCmpPredicate::ord, LLVM::FCmpPredicate::ueq,
      LLVM::FCmpPredicate::ugt, LLVM::FCmpPredicate::uge,
      LLVM::FCmpPredicate::ult, LLVM::FCmpPredicate::ule,
      LLVM::FCmpPredicate::une, LLVM::FCmpPredicate::uno};
  return LLVM::FCmpOp::create(
      builder, loc, predicates[static_cast<unsigned>(predicate)], a, b);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Builder::trunc(Type type, Value a) {
  if (auto x = tt::constantOf(a))
    return intConstant(type, *x);
  return LLVM::TruncOp::create(builder, loc, type, a);
}

Value Builder::zext(Type type, Value a) {
  APInt bits;
  if (matchPattern(a, m_ConstantInt(&bits)) && bits.getBitWidth() < 64)
    return intConstant(type, static_cast<int64_t>(bits.getZExtValue()));
  return LLVM::ZExtOp::create(builder, loc, type, a);
}

Value Builder::sext(Type type, Value a) {
  if (auto x = tt::constantOf(a))
    return intConstant(type, *x);
  return LLVM::SExtOp::create(builder, loc, type, a);
}

Value Builder::zextOrTrunc(Type type, Value a) {
  unsigned from = bitWidth(a.getType()), to = bitWidth(type);
  return from == to ? a : from < to ? zext(type, a) : trunc(type, a);
}

Value Builder::sextOrTrunc(Type type, Value a) {
  unsigned from = bitWidth(a.getType()), to = bitWidth(type);
  return from == to ? a : from < to ? sext(type, a) : trunc(type, a);
}

Value Builder::fpext(Type type, Value a) {
  return LLVM::FPExtOp::create(builder, loc, type, a);
}
Value Builder::fptrunc(Type type, Value a) {
  return LLVM::FPTruncOp::create(builder, loc, type, a);
}
Value Builder::sitofp(Type type, Value a) {
  return LLVM::SIToFPOp::create(builder, loc, type, a);
}
Value Builder::uitofp(Type type, Value a) {
  return LLVM::UIToFPOp::create(builder, loc, type, a);
}
Value Builder::fptosi(Type type, Value a) {
  return LLVM::FPToSIOp::create(builder, loc, type, a);
}
Value Builder::fptoui(Type type, Value a) {
  return LLVM::FPToUIOp::create(builder, loc, type, a);
}

Value Builder::bitcast(Type type, Value a) {
  if (a.getType() == type)
    return a;
  if (auto cast = a.getDefiningOp<LLVM::BitcastOp>();
      cast && cast.getArg().getType() == type)
    return cast.getArg();
  return LLVM::BitcastOp::create(builder, loc, type, a);
}

Value Builder::inttoptr(Type type, Value a) {
  return LLVM::IntToPtrOp::create(builder, loc, type, a);
}
Value Builder::ptrtoint(Type type, Value a) {
  return LLVM::PtrToIntOp::create(builder, loc, type, a);
}

Value Builder::toBits(Value a) {
  if (a.getType().isInteger())
    return a;
  IntegerType bits = intType(bitWidth(a.getType()));
  if (isa<LLVM::LLVMPointerType>(a.getType()))
    return ptrtoint(bits, a);
  return bitcast(bits, a);
}

Value Builder::fromBits(Type type, Value bits) {
  if (isa<LLVM::LLVMPointerType>(type))
    return inttoptr(type, bits);
  return bitcast(type, bits);
}

Value Builder::select(Value condition, Value a, Value b) {
  if (auto known = tt::constantOf(condition))
    return *known ? a : b;
  if (a == b)
    return a;
  return LLVM::SelectOp::create(builder, loc, condition, a, b);
}

//===----------------------------------------------------------------------===//
// Memory and aggregates
//===----------------------------------------------------------------------===//

Value Builder::gep(Type element, Value pointer, Value index) {
  if (isConstant(index, 0))
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
  std::string bytes = text.str() + '\0';
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
    name = "text_" + std::to_string(i);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    // A location in inlined code would need a function around it.
    LLVM::GlobalOp::create(builder, builder.getUnknownLoc(),
                           LLVM::LLVMArrayType::get(intType(8), bytes.size()),
                           /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           builder.getStringAttr(bytes));
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
