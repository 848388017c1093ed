//===- RescalingFactor.cpp - What sums are rescaled by --------------------===//

#include "passes/ttir/RescalingFactor.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelscope;

Value kernelscope::withoutConversion(Value value) {
  auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>();
  return convert ? convert.getSrc() : value;
}

static bool isSame(Value a, Value b) {
  return withoutConversion(a) == withoutConversion(b);
}

/// The maximum of `value` and another.
static bool isMaximumWith(Value maximum, Value value) {
  Operation *op = withoutConversion(maximum).getDefiningOp();
  return isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp>(op) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return isSame(operand, value); });
}

/// What `select` selects unless it is -inf: a softmax over rows that are masked
/// entirely subtracts a number in its place.
static Value unlessLowest(arith::SelectOp select) {
  auto compare =
      withoutConversion(select.getCondition()).getDefiningOp<arith::CmpFOp>();
  if (!compare || !matchPattern(compare.getRhs(), m_NegInfFloat()))
    return {};
  const Value value = compare.getLhs();
  auto is = [&](Value selected) { return isSame(selected, value); };
  // Only if both of its operands are NaN.
  const bool isRarelyNaN =
      withoutConversion(value).getDefiningOp<arith::MaxNumFOp>() != nullptr;
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::ONE:
    return isRarelyNaN && is(select.getTrueValue()) ? value : Value();
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UNE:
    return is(select.getTrueValue()) ? value : Value();
  case arith::CmpFPredicate::UEQ:
    return isRarelyNaN && is(select.getFalseValue()) ? value : Value();
  case arith::CmpFPredicate::OEQ:
    return is(select.getFalseValue()) ? value : Value();
  default:
    return {};
  }
}

/// Whether `a` - `b` is at most 0, or NaN.
static bool isDifferenceNotPositive(Value a, Value b) {
  if (auto select = withoutConversion(b).getDefiningOp<arith::SelectOp>())
    if (Value value = unlessLowest(select))
      b = value;
  return isMaximumWith(b, a);
}

static bool isPositiveConstant(Value value) {
  APFloat constant(0.0);
  return matchPattern(value, m_ConstantFloat(&constant)) &&
         !constant.isNegative();
}

/// Whether `exponent` is at most 0, or NaN.
static bool isNotPositive(Value exponent) {
  exponent = withoutConversion(exponent);
  if (auto product = exponent.getDefiningOp<arith::MulFOp>()) {
    if (!isPositiveConstant(product.getRhs()))
      return false;
    exponent = withoutConversion(product.getLhs());
  }
  auto difference = exponent.getDefiningOp<arith::SubFOp>();
  return difference &&
         isDifferenceNotPositive(difference.getLhs(), difference.getRhs());
}

bool kernelscope::isAtMostOne(Value factor) {
  Operation *op = withoutConversion(factor).getDefiningOp();
  return isa_and_nonnull<math::ExpOp, math::Exp2Op>(op) &&
         isNotPositive(op->getOperand(0));
}
