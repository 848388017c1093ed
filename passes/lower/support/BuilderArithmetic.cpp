//===- BuilderArithmetic.cpp - The arithmetic that a Builder emits -------===//
//
// Integer ops fold constants and identities.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/lower/support/Builder.h"

using namespace mlir;

namespace kernelscope::lower {

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

} // namespace kernelscope::lower
