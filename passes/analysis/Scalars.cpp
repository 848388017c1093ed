//===- Scalars.cpp - integers while a program runs ------------------------===//

#include "passes/analysis/Scalars.h"

#include "dialects/tt/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using llvm::APIntOps::RoundingSDiv;
using llvm::APIntOps::RoundingUDiv;

/// The bits of an integer; an index has 64. 0 for anything that is not a
/// scalar.
static unsigned scalarBits(Type type) {
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

bool kernelscope::isScalarOp(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         scalarBits(op->getResult(0).getType()) != 0 &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return scalarBits(type) != 0; }) &&
         isa_and_nonnull<arith::ArithDialect>(op->getDialect());
}

using Integers = std::optional<APInt>;

/// Nothing where the divisor is zero or the quotient overflows.
template <auto quotient>
static Integers divide(const APInt &a, const APInt &b) {
  if (b.isZero() || (a.isMinSignedValue() && b.isAllOnes()))
    return std::nullopt;
  return quotient(a, b);
}

/// Nothing where all bits are shifted out.
template <auto shifted> static Integers shift(const APInt &a, const APInt &b) {
  if (b.uge(a.getBitWidth()))
    return std::nullopt;
  return shifted(a, unsigned(b.getZExtValue()));
}

template <auto result> static Integers plain(const APInt &a, const APInt &b) {
  return result(a, b);
}

template <arith::CmpIPredicate predicate>
static Integers compare(const APInt &a, const APInt &b) {
  return APInt(1, arith::applyCmpPredicate(predicate, a, b));
}

using CombineFunction = Integers (*)(const APInt &, const APInt &);

static CombineFunction comparisonOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return compare<P::eq>;
  case P::ne:
    return compare<P::ne>;
  case P::slt:
    return compare<P::slt>;
  case P::sle:
    return compare<P::sle>;
  case P::sgt:
    return compare<P::sgt>;
  case P::sge:
    return compare<P::sge>;
  case P::ult:
    return compare<P::ult>;
  case P::ule:
    return compare<P::ule>;
  case P::ugt:
    return compare<P::ugt>;
  case P::uge:
    return compare<P::uge>;
  }
  return nullptr;
}

ScalarOp::Combine ScalarOp::combineOf(Operation *op) {
  using A = const APInt &;
  using llvm::APInt;
  constexpr auto up = APInt::Rounding::UP, down = APInt::Rounding::DOWN;
  auto is = [&](auto function) {
    return [=](auto) -> Combine { return function; };
  };
  return TypeSwitch<Operation *, Combine>(op)
      .Case<arith::AddIOp>(is(plain<[](A a, A b) { return a + b; }>))
      .Case<arith::SubIOp>(is(plain<[](A a, A b) { return a - b; }>))
      .Case<arith::MulIOp>(is(plain<[](A a, A b) { return a * b; }>))
      .Case<arith::AndIOp>(is(plain<[](A a, A b) { return a & b; }>))
      .Case<arith::OrIOp>(is(plain<[](A a, A b) { return a | b; }>))
      .Case<arith::XOrIOp>(is(plain<[](A a, A b) { return a ^ b; }>))
      .Case<arith::MinSIOp>(is(plain<llvm::APIntOps::smin>))
      .Case<arith::MaxSIOp>(is(plain<llvm::APIntOps::smax>))
      .Case<arith::MinUIOp>(is(plain<llvm::APIntOps::umin>))
      .Case<arith::MaxUIOp>(is(plain<llvm::APIntOps::umax>))
      .Case<arith::ShLIOp>(is(shift<[](A a, unsigned n) { return a.shl(n); }>))
      .Case<arith::ShRSIOp>(
          is(shift<[](A a, unsigned n) { return a.ashr(n); }>))
      .Case<arith::ShRUIOp>(
          is(shift<[](A a, unsigned n) { return a.lshr(n); }>))
      .Case<arith::DivSIOp>(is(divide<[](A a, A b) { return a.sdiv(b); }>))
      .Case<arith::DivUIOp>(is(divide<[](A a, A b) { return a.udiv(b); }>))
      .Case<arith::RemSIOp>(is(divide<[](A a, A b) { return a.srem(b); }>))
      .Case<arith::RemUIOp>(is(divide<[](A a, A b) { return a.urem(b); }>))
      .Case<arith::CeilDivSIOp>(
          is(divide<[](A a, A b) { return RoundingSDiv(a, b, up); }>))
      .Case<arith::CeilDivUIOp>(
          is(divide<[](A a, A b) { return RoundingUDiv(a, b, up); }>))
      .Case<arith::FloorDivSIOp>(
          is(divide<[](A a, A b) { return RoundingSDiv(a, b, down); }>))
      .Case<arith::CmpIOp>([](arith::CmpIOp compared) {
        return comparisonOf(compared.getPredicate());
      })
      .Default([](Operation *) { return nullptr; });
}

ScalarOp::ScalarOp(Operation *op) {
  bits = scalarBits(op->getResult(0).getType());
  operandBits =
      op->getNumOperands() ? scalarBits(op->getOperand(0).getType()) : bits;
  APInt value;
  if (matchPattern(op, m_ConstantInt(&value))) {
    kind = Constant;
    constant = value.trySExtValue();
  } else if (isa<arith::SelectOp>(op)) {
    kind = Select;
  } else if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
    kind = ZeroExtend;
  } else if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp,
                 arith::BitcastOp>(op)) {
    kind = SignExtend;
  } else if (op->getNumOperands() == 2) {
    combine = combineOf(op);
    kind = combine ? Two : Unknown;
    // Nothing and something is nothing.
    if (isa<arith::AndIOp, arith::MulIOp>(op))
      decider = 0;
    else if (isa<arith::OrIOp>(op))
      decider = -1;
  }
}

Scalar ScalarOp::compute(ArrayRef<Scalar> operands) const {
  switch (kind) {
  case Unknown:
    return std::nullopt;
  case Constant:
    return constant;
  case Select:
    if (operands[0])
      return *operands[0] ? operands[1] : operands[2];
    return operands[1] == operands[2] ? operands[1] : std::nullopt;
  case ZeroExtend:
    return operands[0]
               ? Scalar(operand(operands[0]).zextOrTrunc(bits).getSExtValue())
               : std::nullopt;
  case SignExtend:
    return operands[0]
               ? Scalar(operand(operands[0]).sextOrTrunc(bits).getSExtValue())
               : std::nullopt;
  case Two:
    break;
  }
  if (!operands[0] || !operands[1]) {
    Scalar known = operands[0] ? operands[0] : operands[1];
    return decider && known == decider ? decider : std::nullopt;
  }
  Integers result = combine(operand(operands[0]), operand(operands[1]));
  return result ? result->trySExtValue() : std::nullopt;
}

static Scalar knownScalar(Value value, unsigned depth) {
  if (auto constant = tt::constantOf(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 6)
    return std::nullopt;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Scalar condition = knownScalar(branch.getCondition(), depth + 1);
    if (!condition)
      return std::nullopt;
    scf::YieldOp end = *condition ? branch.thenYield() : branch.elseYield();
    return knownScalar(end.getOperand(cast<OpResult>(value).getResultNumber()),
                       depth + 1);
  }
  if (!isScalarOp(op))
    return std::nullopt;
  SmallVector<Scalar, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(knownScalar(operand, depth + 1));
  return ScalarOp(op).compute(operands);
}

Scalar kernelscope::knownScalar(Value value) { return ::knownScalar(value, 0); }

/// What `value` is where `leaf`, the only thing that it depends on besides
/// constants, is `number`; nothing where it depends on something else.
static Scalar valueAt(Value value, Value &leaf, int64_t number,
                      unsigned depth = 0) {
  if (auto constant = tt::constantOf(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (value != leaf && op && isScalarOp(op) && depth < 5) {
    SmallVector<Scalar, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(valueAt(operand, leaf, number, depth + 1));
    return ScalarOp(op).compute(operands);
  }
  if (leaf && leaf != value)
    return std::nullopt;
  leaf = value;
  return number;
}

bool kernelscope::differAlways(Value a, Value b) {
  Value leaf;
  for (int64_t number = 0; number < 8; ++number) {
    Scalar ofA = valueAt(a, leaf, number), ofB = valueAt(b, leaf, number);
    if (!ofA || !ofB || *ofA == *ofB)
      return false;
  }
  return true;
}
