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

/// Whether the magnitude is below infinity, is infinity, or is no number.
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

void populateMathPatterns(const TypeConverter &converter, Patterns &patterns,
                          const TargetHooks &hooks) {
  using B = Builder;
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
