//===- Math.cpp - Functions of floats and of bits -------------------------===//
//
// `math` and the precise roots of `tt`. Each becomes, by preference, the
// target's instruction, an LLVM intrinsic that both vendors select, or a call
// of the device library (`passes/emit/DeviceLibrary.h` says which one is
// linked).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "dialects/tt/TT.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

using Elements = ArrayRef<Value>;

/// Computes narrower types in f32.
template <typename Compute>
static Value inWideType(Builder &b, Operation *op, Elements x,
                        Compute compute) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (type.isF32() || type.isF64())
    return compute(x);
  Type f32 = b.getBuilder().getF32Type();
  SmallVector<Value> wide = llvm::map_to_vector(
      x, [&](Value value) { return convertFloat(b, value, type, f32); });
  Value result = compute(wide);
  return result.getType() == f32 ? convertFloat(b, result, f32, type) : result;
}

/// The magnitude: of an 8-bit float all bits but the sign, whose pattern alone
/// is a NaN in the formats without a negative zero.
static Value magnitude(Builder &b, math::AbsFOp op, Elements x) {
  Type type = getElementTypeOrSelf(op.getType());
  if (isa<FloatType>(x[0].getType()))
    return b.intrinsic("llvm.fabs", type, x);
  Value bits = b.bitAnd(x[0], b.intConstant(x[0].getType(), 0x7F));
  if (!isa<Float8E5M2FNUZType, Float8E4M3FNUZType>(type))
    return bits;
  Value nan = b.intConstant(x[0].getType(), 0x80);
  return b.select(b.icmp(ICmp::eq, x[0], nan), nan, bits);
}

/// Whether the magnitude is below infinity, is infinity, or is not a number.
template <FCmp predicate>
static Value classify(Builder &b, Operation *, Elements x) {
  Type type = x[0].getType();
  auto infinity = APFloat::getInf(cast<FloatType>(type).getFloatSemantics());
  return b.fcmp(predicate, b.intrinsic("llvm.fabs", type, x),
                b.floatConstant(type, infinity));
}

static Value callLibrary(Builder &b, const TargetHooks &hooks, StringRef name,
                         Elements x) {
  Type type = x[0].getType();
  return b.callFunction(hooks.libraryFunction(name, type.isF64()), type, x);
}

/// Whether it has the full precision of its format: no zero, no subnormal.
static Value isNormal(Builder &b, Operation *op, Elements x) {
  Type type = x[0].getType();
  const llvm::fltSemantics &format = cast<FloatType>(type).getFloatSemantics();
  Value least = b.floatConstant(type, APFloat::getSmallestNormalized(format));
  return b.bitAnd(classify<FCmp::olt>(b, op, x),
                  b.fcmp(FCmp::oge, b.intrinsic("llvm.fabs", type, x), least));
}

/// A power with an integer as exponent, of any width.
static Value powerOfFloat(Builder &b, const TargetHooks &hooks, Operation *op,
                          Elements x) {
  Type i32 = b.intType(32);
  Value exponent = x[1];
  Type type = exponent.getType();
  if (bitWidth(type) > 32) {
    // What is beyond 32 bits saturates, and stays odd or even.
    Value one = b.intConstant(type, 1);
    Value limited = b.smin(b.smax(exponent, b.intConstant(type, -0x7FFFFFFE)),
                           b.intConstant(type, 0x7FFFFFFE));
    exponent = b.bitOr(limited, b.bitAnd(exponent, one));
  }
  exponent = b.sextOrTrunc(i32, exponent);
  return inWideType(b, op, x[0], [&](Elements wide) {
    Type result = wide[0].getType();
    return b.callFunction(hooks.libraryFunction("powi", result.isF64()), result,
                          {wide[0], exponent});
  });
}

/// A power of integers, from our own library: the vendors have none.
static Value powerOfInteger(Builder &b, Operation *, Elements x) {
  Type i64 = b.intType(64);
  Value power =
      b.callFunction("__kernelscope_powi", i64,
                     {b.sextOrTrunc(i64, x[0]), b.sextOrTrunc(i64, x[1])});
  return b.sextOrTrunc(x[0].getType(), power);
}

namespace {

class SincosPattern : public Pattern<math::SincosOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(math::SincosOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    SmallVector<Value> elements = unpackElements(b, adaptor.getOperand());
    auto compute = [&](StringRef name, unsigned result) {
      SmallVector<Value> results = llvm::map_to_vector(elements, [&](Value x) {
        return inWideType(b, op, x, [&](Elements wide) {
          return callLibrary(b, hooks, name, wide);
        });
      });
      return packElements(b, converter, results,
                          op->getResult(result).getType());
    };
    rewriter.replaceOp(op, {compute("sin", 0), compute("cos", 1)});
    return success();
  }
};

} // namespace

void populateMathPatterns(const TypeConverter &converter, Patterns &patterns,
                          const TargetHooks &hooks) {
  using B = Builder;
  patterns.add<SincosPattern>(converter, hooks);
  ElementwisePatterns p(converter, patterns, hooks);

  auto intrinsic = [](StringRef name) {
    return [name](B &b, Operation *, Elements x) {
      return b.intrinsic(name, x[0].getType(), x);
    };
  };
  auto library = [&hooks](StringRef name) {
    return [&hooks, name](B &b, Operation *op, Elements x) {
      return inWideType(b, op, x, [&](Elements wide) {
        return callLibrary(b, hooks, name, wide);
      });
    };
  };
  // An instruction for f32; `name` in the library for f64.
  auto instruction = [&hooks](MathFunction function, StringRef name) {
    return [&hooks, function, name](B &b, Operation *op, Elements x) {
      return inWideType(b, op, x, [&](Elements wide) {
        Value native = hooks.math(b, function, wide[0]);
        return native ? native : callLibrary(b, hooks, name, wide);
      });
    };
  };

  // Of floats; 8-bit ones are integers in LLVM.
  auto onFloats = [](auto emit) {
    return [emit](B &b, Operation *op, Elements x) -> Value {
      if (isa<FloatType>(x[0].getType()))
        return emit(b, op, x);
      return inWideType(b, op, x,
                        [&](Elements wide) { return emit(b, op, wide); });
    };
  };
  p.add<math::AbsFOp>(magnitude);
  p.add<math::IsNaNOp>(onFloats([](B &b, Operation *, Elements x) {
    return b.fcmp(FCmp::uno, x[0], x[0]);
  }));
  p.add<math::IsInfOp>(onFloats(classify<FCmp::oeq>));
  p.add<math::IsFiniteOp>(onFloats(classify<FCmp::olt>));
  p.add<math::IsNormalOp>(onFloats(isNormal));
  p.add<math::ClampFOp>(onFloats([](B &b, Operation *, Elements x) {
    Type type = x[0].getType();
    Value low = b.intrinsic("llvm.maxnum", type, {x[0], x[1]});
    return b.intrinsic("llvm.minnum", type, {low, x[2]});
  }));
  p.add<math::FPowIOp>([&hooks](B &b, Operation *op, Elements x) {
    return powerOfFloat(b, hooks, op, x);
  });
  p.add<math::IPowIOp>(powerOfInteger);
  p.add<math::FloorOp>(onFloats(intrinsic("llvm.floor")));
  p.add<math::CeilOp>(onFloats(intrinsic("llvm.ceil")));
  p.add<math::TruncOp>(onFloats(intrinsic("llvm.trunc")));
  p.add<math::RoundEvenOp>(onFloats(intrinsic("llvm.roundeven")));
  p.add<math::CopySignOp>(onFloats(intrinsic("llvm.copysign")));
  p.add<math::FmaOp>(onFloats(intrinsic("llvm.fma")));
  p.add<math::CtPopOp>(intrinsic("llvm.ctpop"));
  p.add<math::AbsIOp>([](B &b, Operation *, Elements x) {
    return b.intrinsic("llvm.abs", x[0].getType(), {x[0], b.i1(false)});
  });
  p.add<math::CountLeadingZerosOp>([](B &b, Operation *, Elements x) {
    return b.intrinsic("llvm.ctlz", x[0].getType(), {x[0], b.i1(false)});
  });
  p.add<math::CountTrailingZerosOp>([](B &b, Operation *, Elements x) {
    return b.intrinsic("llvm.cttz", x[0].getType(), {x[0], b.i1(false)});
  });

  auto squareRoot = [&hooks](MathFunction function) {
    return [&hooks, function](B &b, Operation *op, Elements x) {
      return inWideType(b, op, x, [&](Elements wide) {
        Value native = hooks.math(b, function, wide[0]);
        return native ? native
                      : b.intrinsic("llvm.sqrt", wide[0].getType(), wide);
      });
    };
  };
  p.add<math::SqrtOp>(squareRoot(MathFunction::Sqrt));
  p.add<tt::PreciseSqrtOp>(squareRoot(MathFunction::PreciseSqrt));

  p.add<math::ExpOp>(instruction(MathFunction::Exp, "exp"));
  p.add<math::Exp2Op>(instruction(MathFunction::Exp2, "exp2"));
  p.add<math::LogOp>(instruction(MathFunction::Log, "log"));
  p.add<math::Log2Op>(instruction(MathFunction::Log2, "log2"));
  p.add<math::RsqrtOp>(instruction(MathFunction::Rsqrt, "rsqrt"));

  p.add<math::SinOp>(library("sin"));
  p.add<math::CosOp>(library("cos"));
  p.add<math::TanOp>(library("tan"));
  p.add<math::TanhOp>(library("tanh"));
  p.add<math::ErfOp>(library("erf"));
  p.add<math::ExpM1Op>(library("expm1"));
  p.add<math::Log1pOp>(library("log1p"));
  p.add<math::Log10Op>(library("log10"));
  p.add<math::RoundOp>(library("round"));
  p.add<math::AsinOp>(library("asin"));
  p.add<math::AcosOp>(library("acos"));
  p.add<math::AtanOp>(library("atan"));
  p.add<math::Atan2Op>(library("atan2"));
  p.add<math::SinhOp>(library("sinh"));
  p.add<math::CoshOp>(library("cosh"));
  p.add<math::PowFOp>(library("pow"));
  p.add<math::CbrtOp>(library("cbrt"));
  p.add<math::ErfcOp>(library("erfc"));
  p.add<math::AsinhOp>(library("asinh"));
  p.add<math::AcoshOp>(library("acosh"));
  p.add<math::AtanhOp>(library("atanh"));
}

} // namespace kernelscope::lower
