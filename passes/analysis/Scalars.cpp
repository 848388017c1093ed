//===- Scalars.cpp - integers while a program runs ------------------------===//

#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;

/// The bits of an integer; an index has 64. 0 for what is no scalar.
static unsigned bitsOf(Type type) {
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

bool kernelscope::isScalarOp(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         bitsOf(op->getResult(0).getType()) != 0 &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return bitsOf(type) != 0; }) &&
         isa_and_nonnull<arith::ArithDialect>(op->getDialect());
}

static bool compare(arith::CmpIPredicate predicate, const APInt &a,
                    const APInt &b) {
  return arith::applyCmpPredicate(predicate, a, b);
}

/// Of an op whose divisor is not zero and whose quotient does not overflow.
static std::optional<APInt> divide(Operation *op, const APInt &a,
                                   const APInt &b) {
  if (b.isZero() || (a.isMinSignedValue() && b.isAllOnes()))
    return std::nullopt;
  using Rounding = APInt::Rounding;
  return TypeSwitch<Operation *, std::optional<APInt>>(op)
      .Case([&](arith::DivSIOp) { return a.sdiv(b); })
      .Case([&](arith::DivUIOp) { return a.udiv(b); })
      .Case([&](arith::RemSIOp) { return a.srem(b); })
      .Case([&](arith::RemUIOp) { return a.urem(b); })
      .Case([&](arith::CeilDivSIOp) {
        return llvm::APIntOps::RoundingSDiv(a, b, Rounding::UP);
      })
      .Case([&](arith::CeilDivUIOp) {
        return llvm::APIntOps::RoundingUDiv(a, b, Rounding::UP);
      })
      .Case([&](arith::FloorDivSIOp) {
        return llvm::APIntOps::RoundingSDiv(a, b, Rounding::DOWN);
      })
      .Default([](Operation *) { return std::optional<APInt>(); });
}

static std::optional<APInt> combine(Operation *op, const APInt &a,
                                    const APInt &b) {
  auto shift = [&](auto shifted) -> std::optional<APInt> {
    if (b.uge(a.getBitWidth()))
      return std::nullopt;
    return shifted(unsigned(b.getZExtValue()));
  };
  using Result = std::optional<APInt>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::MinSIOp) { return llvm::APIntOps::smin(a, b); })
      .Case([&](arith::MaxSIOp) { return llvm::APIntOps::smax(a, b); })
      .Case([&](arith::MinUIOp) { return llvm::APIntOps::umin(a, b); })
      .Case([&](arith::MaxUIOp) { return llvm::APIntOps::umax(a, b); })
      .Case([&](arith::ShLIOp) {
        return shift([&](unsigned n) { return a.shl(n); });
      })
      .Case([&](arith::ShRSIOp) {
        return shift([&](unsigned n) { return a.ashr(n); });
      })
      .Case([&](arith::ShRUIOp) {
        return shift([&](unsigned n) { return a.lshr(n); });
      })
      .Case([&](arith::CmpIOp compared) {
        return APInt(1, compare(compared.getPredicate(), a, b));
      })
      .Default([&](Operation *other) { return divide(other, a, b); });
}

/// What one known operand decides: nothing and something is nothing.
static Scalar decidedBy(Operation *op, Scalar known) {
  if (isa<arith::AndIOp, arith::MulIOp>(op) && known == 0)
    return 0;
  if (isa<arith::OrIOp>(op) && known == -1)
    return -1;
  return std::nullopt;
}

Scalar kernelscope::evaluateScalar(Operation *op, ArrayRef<Scalar> operands) {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return constant.trySExtValue();
  if (isa<arith::SelectOp>(op)) {
    if (operands[0])
      return *operands[0] ? operands[1] : operands[2];
    return operands[1] == operands[2] ? operands[1] : std::nullopt;
  }
  unsigned bits = bitsOf(op->getResult(0).getType());
  auto valueOf = [&](unsigned i) {
    return APInt(bitsOf(op->getOperand(i).getType()), *operands[i],
                 /*isSigned=*/true, /*implicitTrunc=*/true);
  };
  if (operands.size() == 1) {
    if (!operands[0])
      return std::nullopt;
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
      return valueOf(0).zextOrTrunc(bits).getSExtValue();
    if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
      return valueOf(0).sextOrTrunc(bits).getSExtValue();
    return std::nullopt;
  }
  if (operands.size() != 2)
    return std::nullopt;
  if (!operands[0] || !operands[1])
    return decidedBy(op, operands[0] ? operands[0] : operands[1]);
  std::optional<APInt> result = combine(op, valueOf(0), valueOf(1));
  return result ? result->trySExtValue() : std::nullopt;
}
