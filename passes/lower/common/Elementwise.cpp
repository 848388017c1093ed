//===- Elementwise.cpp - Integer and float arithmetic ---------------------===//
//
// `arith` and the arithmetic of `tt`, on scalars and on each element of
// tensors.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
    // The others are in the order of `FCmp`, behind "always false".
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

/// The high half of the double-width product.
Value mulHigh(Builder &b, Operation *, Elements x) {
  Type type = x[0].getType();
  unsigned bits = bitWidth(type);
  Type wide = b.intType(2 * bits);
  Value product = b.mul(b.zext(wide, x[0]), b.zext(wide, x[1]));
  return b.trunc(type, b.lshr(product, b.intConstant(wide, bits)));
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
  patterns.add<ConstantPattern, PackedArithPattern>(converter, hooks);
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

  p.add<arith::AddIOp>(binary(&B::add));
  p.add<arith::SubIOp>(binary(&B::sub));
  p.add<arith::MulIOp>(binary(&B::mul));
  p.add<arith::DivSIOp>(binary(&B::sdiv));
  p.add<arith::DivUIOp>(binary(&B::udiv));
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
  p.add<arith::CmpIOp>([](B &b, arith::CmpIOp op, Elements x) {
    return b.icmp(lowered(op.getPredicate()), b.toBits(x[0]), b.toBits(x[1]));
  });
  p.add<tt::MulhiUIOp>(mulHigh);

  p.add<arith::AddFOp>(binary(&B::fadd));
  p.add<arith::SubFOp>(binary(&B::fsub));
  p.add<arith::MulFOp>(binary(&B::fmul));
  p.add<arith::RemFOp>(binary(&B::frem));
  p.add<arith::NegFOp>(unary(&B::fneg));
  p.add<arith::DivFOp>([&hooks](B &b, Operation *, Elements x) {
    return hooks.divide(b, x[0], x[1], /*precise=*/false);
  });
  p.add<tt::PreciseDivFOp>([&hooks](B &b, Operation *, Elements x) {
    return hooks.divide(b, x[0], x[1], /*precise=*/true);
  });
  p.add<tt::ApproxDivFOp>(binary(&B::approxDiv));
  p.add<arith::CmpFOp>(compareFloats);
  p.add<arith::MaxNumFOp>(binaryIntrinsic("llvm.maxnum"));
  p.add<arith::MinNumFOp>(binaryIntrinsic("llvm.minnum"));
  p.add<arith::MaximumFOp>(binaryIntrinsic("llvm.maximum"));
  p.add<arith::MinimumFOp>(binaryIntrinsic("llvm.minimum"));
  p.add<tt::ClampFOp>(clamp);

  p.add<arith::SelectOp>(
      [](B &b, Operation *, Elements x) { return b.select(x[0], x[1], x[2]); });

  p.add<arith::ExtSIOp>(castTo<&B::sext>(converter));
  p.add<arith::ExtUIOp>(castTo<&B::zext>(converter));
  p.add<arith::TruncIOp>(castTo<&B::trunc>(converter));
  p.add<arith::IndexCastOp>(castTo<&B::sextOrTrunc>(converter));
  p.add<arith::IndexCastUIOp>(castTo<&B::zextOrTrunc>(converter));
  p.add<arith::SIToFPOp>(castTo<&B::sitofp>(converter));
  p.add<arith::UIToFPOp>(castTo<&B::uitofp>(converter));
  p.add<arith::FPToSIOp>(castTo<&B::fptosi>(converter));
  p.add<arith::FPToUIOp>(castTo<&B::fptoui>(converter));
  p.add<arith::BitcastOp>(recast(converter));
  p.add<tt::BitcastOp>(recast(converter));
  p.add<tt::IntToPtrOp>(castTo<&B::inttoptr>(converter));
  p.add<tt::PtrToIntOp>(castTo<&B::ptrtoint>(converter));
  p.add<tt::AddPtrOp>([&converter](B &b, tt::AddPtrOp op, Elements x) {
    return addPointer(converter, b, op, x);
  });
}

} // namespace kernelscope::lower
