//===- IntegerArithmetic.cpp - Integers of `arith` ------------------------===//

#include "passes/lower/common/IntegerArithmetic.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kernelscope::lower {

using Elements = ArrayRef<Value>;

namespace {

/// The high half of the double-width product.
Value mulHigh(Builder &b, Operation *, Elements x) {
  Type type = x[0].getType();
  unsigned bits = bitWidth(type);
  Type wide = b.intType(2 * bits);
  Value product = b.mul(b.zext(wide, x[0]), b.zext(wide, x[1]));
  return b.trunc(type, b.lshr(product, b.intConstant(wide, bits)));
}

/// Division rounded up, of unsigned or signed numbers, or down.
Value ceilDivUI(Builder &b, Operation *, Elements x) {
  Value zero = b.intConstant(x[0].getType(), 0),
        one = b.intConstant(x[0].getType(), 1);
  Value above = b.add(b.udiv(b.sub(x[0], one), x[1]), one);
  return b.select(b.icmp(ICmp::eq, x[0], zero), zero, above);
}

/// The quotient rounded to zero, and whether the exact one is another number
/// that is negative (`isNegative`) or positive.
std::pair<Value, Value> inexactQuotient(Builder &b, Elements x,
                                        bool isNegative) {
  Value zero = b.intConstant(x[0].getType(), 0);
  Value quotient = b.sdiv(x[0], x[1]);
  Value isInexact = b.icmp(ICmp::ne, b.mul(quotient, x[1]), x[0]);
  Value sign =
      b.icmp(isNegative ? ICmp::slt : ICmp::sge, b.bitXor(x[0], x[1]), zero);
  return {quotient, b.bitAnd(isInexact, sign)};
}

Value ceilDivSI(Builder &b, Operation *, Elements x) {
  auto [quotient, isBelow] = inexactQuotient(b, x, /*isNegative=*/false);
  return b.add(quotient, b.zextOrTrunc(quotient.getType(), isBelow));
}

Value floorDivSI(Builder &b, Operation *, Elements x) {
  auto [quotient, isAbove] = inexactQuotient(b, x, /*isNegative=*/true);
  return b.sub(quotient, b.zextOrTrunc(quotient.getType(), isAbove));
}

/// arith.mulsi_extended, mului_extended and addui_extended: `emit` gives both
/// results of two elements.
template <typename Op> class ExtendedPattern : public Pattern<Op> {
public:
  using Emit = std::pair<Value, Value> (*)(Builder &, Value, Value);
  ExtendedPattern(const TypeConverter &converter, const TargetHooks &hooks,
                  Emit emit)
      : Pattern<Op>(converter, hooks), emit(emit) {}

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> first, second;
    for (auto [x, y] : llvm::zip_equal(unpackElements(b, adaptor.getLhs()),
                                       unpackElements(b, adaptor.getRhs()))) {
      auto [low, high] = emit(b, x, y);
      first.push_back(low);
      second.push_back(high);
    }
    rewriter.replaceOp(
        op,
        {packElements(b, this->converter, first, op->getResult(0).getType()),
         packElements(b, this->converter, second, op->getResult(1).getType())});
    return success();
  }

private:
  Emit emit;
};

/// Both halves of the product, of operands widened by `widen`.
template <Value (Builder::*widen)(Type, Value)>
std::pair<Value, Value> multiplyExtended(Builder &b, Value x, Value y) {
  Type type = x.getType();
  unsigned bits = bitWidth(type);
  Type wide = b.intType(2 * bits);
  Value product = b.mul((b.*widen)(wide, x), (b.*widen)(wide, y));
  return {b.trunc(type, product),
          b.trunc(type, b.lshr(product, b.intConstant(wide, bits)))};
}

/// The sum, and whether it wrapped.
std::pair<Value, Value> addExtended(Builder &b, Value x, Value y) {
  Value sum = b.add(x, y);
  return {sum, b.icmp(ICmp::ult, sum, x)};
}

} // namespace

void populateIntegerPatterns(const TypeConverter &converter, Patterns &patterns,
                             const TargetHooks &hooks) {
  using B = Builder;
  patterns.add<ExtendedPattern<arith::AddUIExtendedOp>>(converter, hooks,
                                                        addExtended);
  patterns.add<ExtendedPattern<arith::MulSIExtendedOp>>(
      converter, hooks, multiplyExtended<&B::sext>);
  patterns.add<ExtendedPattern<arith::MulUIExtendedOp>>(
      converter, hooks, multiplyExtended<&B::zext>);
  ElementwisePatterns p(converter, patterns, hooks);
  auto binary = [](auto member) {
    return [member](B &b, Operation *, Elements x) {
      return (b.*member)(x[0], x[1]);
    };
  };
  p.add<arith::AddIOp>(binary(&B::add));
  p.add<arith::SubIOp>(binary(&B::sub));
  p.add<arith::MulIOp>(binary(&B::mul));
  p.add<arith::DivSIOp>(binary(&B::sdiv));
  p.add<arith::DivUIOp>(binary(&B::udiv));
  p.add<arith::CeilDivUIOp>(ceilDivUI);
  p.add<arith::CeilDivSIOp>(ceilDivSI);
  p.add<arith::FloorDivSIOp>(floorDivSI);
  p.add<arith::RemSIOp>(binary(&B::srem));
  p.add<arith::RemUIOp>(binary(&B::urem));
  p.add<arith::AndIOp>(binary(&B::bitAnd));
  p.add<arith::OrIOp>(binary(&B::bitOr));
  p.add<arith::XOrIOp>(binary(&B::bitXor));
  p.add<arith::ShLIOp>(binary(&B::shl));
  p.add<arith::ShRSIOp>(binary(&B::ashr));
  p.add<arith::ShRUIOp>(binary(&B::lshr));
  p.add<arith::MinSIOp>(binary(&B::smin));
  p.add<arith::MaxSIOp>(binary(&B::smax));
  p.add<arith::MinUIOp>(binary(&B::umin));
  p.add<arith::MaxUIOp>(binary(&B::umax));
  p.add<tt::MulhiUIOp>(mulHigh);
}

} // namespace kernelscope::lower
