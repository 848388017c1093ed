//===- Elementwise.cpp - Constants, comparisons, casts, floats ------------===//
//
// `arith` and the arithmetic of `tt`, on scalars and on each element of
// tensors.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/lower/common/IntegerArithmetic.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

using Elements = ArrayRef<Value>;

namespace {

/// arith.constant, of a scalar or of equal elements.
class ConstantPattern : public Pattern<arith::ConstantOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    Attribute value = op.getValue();
    if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
      if (!dense.isSplat())
        return op.emitOpError("has elements that differ, which is not lowered; "
                              "load them, or compute them from tt.make_range");
      value = dense.getSplatValue<Attribute>();
    }
    Value scalar = constant(b, value);
    auto tensor = dyn_cast<RankedTensorType>(op.getType());
    if (!tensor) {
      rewriter.replaceOp(op, scalar);
      return success();
    }
    Type packed = converter.convertType(tensor);
    if (!packed)
      return failure();
    SmallVector<Value> elements(numFields(packed), scalar);
    rewriter.replaceOp(op, packElements(b, converter, elements, tensor));
    return success();
  }

private:
  Value constant(Builder &b, Attribute value) const {
    if (auto number = dyn_cast<FloatAttr>(value)) {
      Type type = converter.convertElement(number.getType());
      // 8-bit floats are integers in LLVM.
      if (isa<IntegerType>(type))
        return b.intConstant(type,
                             number.getValue().bitcastToAPInt().getSExtValue());
      return b.floatConstant(type, number.getValue());
    }
    auto number = cast<IntegerAttr>(value);
    return b.intConstant(converter.convertElement(number.getType()),
                         number.getValue().getSExtValue());
  }
};

/// ttng.packed_arith, on a vector of as many elements as fill a register, or of
/// two f32: LLVM selects the packed instruction for those.
class PackedArithPattern : public Pattern<ttng::PackedArithOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::PackedArithOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType().getElementType();
    // A narrower operand is widened exactly; a wider one would round twice.
    for (Value operand : op.getOperands()) {
      Type from = getElementTypeOrSelf(operand);
      bool isWidened = type.isF32() && (from.isF16() || from.isBF16());
      if (bitWidth(type) < 16 || (from != type && !isWidened))
        return rewriter.notifyMatchFailure(op, "converts its operands");
    }
    Builder b(op, rewriter);
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : adaptor.getOperands()) {
      operands.push_back(unpackElements(b, operand));
      for (Value &x : operands.back())
        if (x.getType() != type)
          x = b.fpext(type, x);
    }
    // The verifier has seen that pairs are different elements.
    SmallVector<Value> results;
    for (size_t i = 0; i < operands.front().size(); i += 2) {
      SmallVector<Value> x =
          llvm::map_to_vector(operands, [&](ArrayRef<Value> elements) {
            return b.makeVector(elements.slice(i, 2));
          });
      results.append(b.splitVector(emit(b, op.getOpKind(), x)));
    }
    rewriter.replaceOp(op, packElements(b, converter, results, op.getType()));
    return success();
  }

private:
  static Value emit(Builder &b, ttng::PackedArithOpKind kind, Elements x) {
    switch (kind) {
    case ttng::PackedArithOpKind::ADD:
      return b.fadd(x[0], x[1]);
    case ttng::PackedArithOpKind::SUB:
      return b.fsub(x[0], x[1]);
    case ttng::PackedArithOpKind::MUL:
      return b.fmul(x[0], x[1]);
    case ttng::PackedArithOpKind::FMA:
      return b.intrinsic("llvm.fma", x[0].getType(), x);
    case ttng::PackedArithOpKind::MIN:
      return b.intrinsic("llvm.minnum", x[0].getType(), x);
    case ttng::PackedArithOpKind::MAX:
      return b.intrinsic("llvm.maxnum", x[0].getType(), x);
    }
    llvm_unreachable("every kind is above");
  }
};

ICmp lowered(arith::CmpIPredicate predicate) {
  return static_cast<ICmp>(predicate);
}

Value compareFloats(Builder &b, arith::CmpFOp op, Elements x) {
  switch (op.getPredicate()) {
  case arith::CmpFPredicate::AlwaysFalse:
    return b.i1(false);
  case arith::CmpFPredicate::AlwaysTrue:
    return b.i1(true);
  default:
    // The others are in the order of `FCmp`, after "always false".
    return b.fcmp(
        static_cast<FCmp>(static_cast<unsigned>(op.getPredicate()) - 1), x[0],
        x[1]);
  }
}

/// A binary LLVM intrinsic on floats, "llvm.maxnum".
auto binaryIntrinsic(StringRef name) {
  return [name](Builder &b, Operation *, Elements x) {
    return b.intrinsic(name, x[0].getType(), x);
  };
}

Value clamp(Builder &b, tt::ClampFOp op, Elements x) {
  bool propagates = op.getPropagateNan() == tt::PropagateNan::ALL;
  Type type = x[0].getType();
  Value low = b.intrinsic(propagates ? "llvm.maximum" : "llvm.maxnum", type,
                          {x[0], x[1]});
  return b.intrinsic(propagates ? "llvm.minimum" : "llvm.minnum", type,
                     {low, x[2]});
}

class PoisonPattern : public Pattern<ub::PoisonOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = converter.convertType(op.getType());
    if (!type)
      return failure();
    Builder b(op, rewriter);
    rewriter.replaceOp(op, b.undef(type));
    return success();
  }
};

/// `emit` on floats. 8-bit ones, which are integers in LLVM, go through f32.
template <typename Emit> auto onFloats(Emit emit) {
  return [emit](Builder &b, auto op, Elements x) -> Value {
    Type type = getElementTypeOrSelf(op->getOperand(0));
    if (isa<FloatType>(x[0].getType()))
      return emit(b, op, x);
    Type f32 = b.getBuilder().getF32Type();
    SmallVector<Value> wide = llvm::map_to_vector(
        x, [&](Value value) { return convertFloat(b, value, type, f32); });
    Value result = emit(b, op, wide);
    return result.getType() == f32 ? convertFloat(b, result, f32, type)
                                   : result;
  };
}

/// An integer as a float, by `cast`.
template <Value (Builder::*cast)(Type, Value)> auto castToFloat() {
  return [](Builder &b, Operation *op, Elements x) {
    Type type = getElementTypeOrSelf(op->getResult(0));
    if (bitWidth(type) > 8)
      return (b.*cast)(type, x[0]);
    Type f32 = b.getBuilder().getF32Type();
    return convertFloat(b, (b.*cast)(f32, x[0]), f32, type);
  };
}

/// A cast whose result type is that of the op's elements.
template <Value (Builder::*cast)(Type, Value)>
auto castTo(const TypeConverter &converter) {
  return [&converter](Builder &b, Operation *op, Elements x) {
    Type type =
        converter.convertElement(getElementTypeOrSelf(op->getResult(0)));
    return (b.*cast)(type, x[0]);
  };
}

/// A float as an integer, by `cast`. LLVM cannot select conversions to i1 on
/// AMD.
template <Value (Builder::*cast)(Type, Value)>
auto castToInteger(const TypeConverter &converter) {
  return [&converter](Builder &b, Operation *op, Elements x) {
    Type type =
        converter.convertElement(getElementTypeOrSelf(op->getResult(0)));
    if (bitWidth(type) > 1)
      return (b.*cast)(type, x[0]);
    return b.trunc(type, (b.*cast)(b.intType(32), x[0]));
  };
}

/// Bits as another type: also between pointers, and floats held as integers.
auto recast(const TypeConverter &converter) {
  return [&converter](Builder &b, Operation *op, Elements x) {
    Type type =
        converter.convertElement(getElementTypeOrSelf(op->getResult(0)));
    if (x[0].getType() == type)
      return x[0];
    return b.fromBits(type, b.toBits(x[0]));
  };
}

Value addPointer(const TypeConverter &converter, Builder &b, tt::AddPtrOp op,
                 Elements x) {
  auto pointer = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
  Type element = converter.convertElement(pointer.getPointeeType());
  // An i1 takes a byte.
  if (element.isInteger(1))
    element = b.intType(8);
  return b.gep(element, x[0], x[1]);
}

} // namespace

void populateElementwisePatterns(const TypeConverter &converter,
                                 Patterns &patterns, const TargetHooks &hooks) {
  using B = Builder;
  patterns.add<ConstantPattern, PackedArithPattern, PoisonPattern>(converter,
                                                                   hooks);
  populateIntegerPatterns(converter, patterns, hooks);
  ElementwisePatterns p(converter, patterns, hooks);

  auto unary = [](auto member) {
    return
        [member](B &b, Operation *, Elements x) { return (b.*member)(x[0]); };
  };
  auto binary = [](auto member) {
    return [member](B &b, Operation *, Elements x) {
      return (b.*member)(x[0], x[1]);
    };
  };

  p.add<arith::CmpIOp>([](B &b, arith::CmpIOp op, Elements x) {
    return b.icmp(lowered(op.getPredicate()), b.toBits(x[0]), b.toBits(x[1]));
  });

  p.add<arith::AddFOp>(onFloats(binary(&B::fadd)));
  p.add<arith::SubFOp>(onFloats(binary(&B::fsub)));
  p.add<arith::MulFOp>(onFloats(binary(&B::fmul)));
  p.add<arith::RemFOp>(onFloats([&hooks](B &b, Operation *, Elements x) {
    Type type = x[0].getType(), f32 = b.getBuilder().getF32Type();
    if (!type.isBF16())
      return b.frem(x[0], x[1]);
    // Which AMD's code generator has no remainder for; LLVM would narrow one of
    // f32 to it.
    return b.fptrunc(type,
                     b.callFunction(hooks.libraryFunction("fmod", false), f32,
                                    {b.fpext(f32, x[0]), b.fpext(f32, x[1])}));
  }));
  p.add<arith::NegFOp>(onFloats(unary(&B::fneg)));
  p.add<arith::DivFOp>(onFloats([&hooks](B &b, Operation *, Elements x) {
    return hooks.divide(b, x[0], x[1], /*precise=*/false);
  }));
  p.add<tt::PreciseDivFOp>([&hooks](B &b, Operation *, Elements x) {
    return hooks.divide(b, x[0], x[1], /*precise=*/true);
  });
  p.add<tt::ApproxDivFOp>(binary(&B::approxDiv));
  p.add<arith::CmpFOp>(onFloats(compareFloats));
  p.add<arith::MaxNumFOp>(onFloats(binaryIntrinsic("llvm.maxnum")));
  p.add<arith::MinNumFOp>(onFloats(binaryIntrinsic("llvm.minnum")));
  p.add<arith::MaximumFOp>(onFloats(binaryIntrinsic("llvm.maximum")));
  p.add<arith::MinimumFOp>(onFloats(binaryIntrinsic("llvm.minimum")));
  p.add<tt::ClampFOp>(onFloats(clamp));

  p.add<arith::SelectOp>(
      [](B &b, Operation *, Elements x) { return b.select(x[0], x[1], x[2]); });

  p.add<arith::ExtSIOp>(castTo<&B::sext>(converter));
  p.add<arith::ExtUIOp>(castTo<&B::zext>(converter));
  p.add<arith::TruncIOp>(castTo<&B::trunc>(converter));
  p.add<arith::IndexCastOp>(castTo<&B::sextOrTrunc>(converter));
  p.add<arith::IndexCastUIOp>(castTo<&B::zextOrTrunc>(converter));
  p.add<arith::SIToFPOp>(castToFloat<&B::sitofp>());
  p.add<arith::UIToFPOp>(castToFloat<&B::uitofp>());
  p.add<arith::FPToSIOp>(onFloats(castToInteger<&B::fptosi>(converter)));
  p.add<arith::FPToUIOp>(onFloats(castToInteger<&B::fptoui>(converter)));
  p.add<arith::BitcastOp>(recast(converter));
  p.add<tt::BitcastOp>(recast(converter));
  p.add<tt::IntToPtrOp>(castTo<&B::inttoptr>(converter));
  p.add<tt::PtrToIntOp>(castTo<&B::ptrtoint>(converter));
  p.add<tt::AddPtrOp>([&converter](B &b, tt::AddPtrOp op, Elements x) {
    return addPointer(converter, b, op, x);
  });
}

} // namespace kernelscope::lower
