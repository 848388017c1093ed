//===- DecomposeScaledProducts.cpp - Microscaled products as plain ones ---===//
//
// `decompose-scaled-products`: the operands of tt.dot_scaled become floats of
// 16 bits times their scales, and the product a plain one, where the target has
// no instruction.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/ttgir/ScaledProductLayout.h"
#include "passes/ttgir/TensorCoreProducts.h"
#include <cmath>

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_DECOMPOSESCALEDPRODUCTS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

using Format = tt::ScaleDotElemType;

/// The type of elements of `format` in tensors; null for 4 and 6 bits, which
/// tensors hold in bytes.
Type typeOf(Format format, MLIRContext *context) {
  switch (format) {
  case Format::E4M3:
    return Float8E4M3FNType::get(context);
  case Format::E5M2:
    return Float8E5M2Type::get(context);
  case Format::BF16:
    return BFloat16Type::get(context);
  case Format::FP16:
    return Float16Type::get(context);
  default:
    return {};
  }
}

/// Builds what an operand becomes, in elements of `wide`.
class OperandBuilder {
public:
  OperandBuilder(Operation *op, FloatType wide)
      : b(op), loc(op->getLoc()), wide(wide) {}

  /// The elements of `value`.
  Value elements(Value value, Format format, tt::Packing packing, bool isLeft) {
    if (format == Format::E2M1) {
      // Pairs lie along the last dimension of the tensor or of its transpose.
      return unpackPairs(value, packing.alongK == isLeft ? 1 : 2);
    }
    if (format == Format::E2M3)
      return fromSixBits(value, /*fractionBits=*/3);
    if (format == Format::E3M2)
      return fromSixBits(value, /*fractionBits=*/2);
    Type type = typeOf(format, b.getContext());
    if (elementOf(value) != type)
      value = tt::BitcastOp::create(b, loc, with(value, type), value);
    return converted(value);
  }

  /// `value`, of which the last dimension is K, times `scales`, one for several
  /// neighbours along K.
  Value scaled(Value value, Value scales, bool mayBeNaN) {
    Value factors = isa<FloatType>(elementOf(scales))
                        ? converted(scales)
                        : powers(scales, mayBeNaN);
    auto to = cast<RankedTensorType>(value.getType()),
         from = cast<RankedTensorType>(factors.getType());
    SmallVector<int64_t> shape(from.getShape());
    shape.push_back(1);
    factors = tt::ExpandDimsOp::create(b, loc, from.clone(shape), factors,
                                       static_cast<uint32_t>(from.getRank()));
    shape.back() = to.getShape().back() / from.getShape().back();
    factors = tt::BroadcastOp::create(b, loc, from.clone(shape), factors);
    factors = reshaped(factors, to.getShape());
    return arith::MulFOp::create(b, loc, value, factors);
  }

  /// The last two dimensions exchanged.
  Value transposed(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto rank = static_cast<int32_t>(type.getRank());
    SmallVector<int64_t> shape(type.getShape());
    std::swap(shape[rank - 1], shape[rank - 2]);
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    std::swap(order[rank - 1], order[rank - 2]);
    return tt::TransOp::create(b, loc, type.clone(shape), value, order);
  }

  OpBuilder b;
  Location loc;

private:
  static Type elementOf(Value value) { return getElementTypeOrSelf(value); }
  static RankedTensorType with(Value value, Type element) {
    return cast<RankedTensorType>(value.getType()).clone(element);
  }
  Value constant(Value like, TypedAttr value) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(with(like, value.getType()), value));
  }
  Value reshaped(Value value, ArrayRef<int64_t> shape) {
    return tt::ReshapeOp::create(
        b, loc, cast<RankedTensorType>(value.getType()).clone(shape), value,
        /*allow_reorder=*/false, /*efficient_layout=*/false);
  }

  /// From 8 bits to `wide`, which has all their values, or between floats of 16
  /// bits.
  Value converted(Value value) {
    Type from = elementOf(value);
    if (from == wide)
      return value;
    if (from.getIntOrFloatBitWidth() == 8)
      return tt::FpToFpOp::create(b, loc, with(value, wide), value);
    value = arith::ExtFOp::create(b, loc, with(value, b.getF32Type()), value);
    return arith::TruncFOp::create(b, loc, with(value, wide), value);
  }

  /// The pairs of e2m1 in bytes that lie along a dimension, counted from the
  /// last one, which is 1.
  Value unpackPairs(Value bytes, unsigned fromLast) {
    auto type = cast<RankedTensorType>(bytes.getType());
    const int64_t axis = type.getRank() - fromLast;
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] *= 2;
    return ttg::Fp4ToFpOp::create(
        b, loc, RankedTensorType::get(shape, wide), bytes,
        b.getI32IntegerAttr(static_cast<int32_t>(axis)));
  }

  /// The lower six bits of each byte: a sign, an exponent and `fractionBits` of
  /// fraction, without infinities or NaN. The least of them is a unit of which
  /// all are multiples.
  Value fromSixBits(Value bytes, uint32_t fractionBits) {
    Value bits = words(bytes);
    auto number = [&](uint32_t value) { return word(bits, value); };
    const uint32_t one = 1U << fractionBits, exponents = (32U >> fractionBits);
    Value exponent = arith::AndIOp::create(
        b, loc, arith::ShRUIOp::create(b, loc, bits, number(fractionBits)),
        number(exponents - 1));
    Value fraction = arith::AndIOp::create(b, loc, bits, number(one - 1));
    Value isNormal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                           exponent, number(0));
    Value normal = arith::ShLIOp::create(
        b, loc, arith::OrIOp::create(b, loc, fraction, number(one)),
        arith::SubIOp::create(
            b, loc, arith::MaxUIOp::create(b, loc, exponent, number(1)),
            number(1)));
    Value units = arith::SelectOp::create(b, loc, isNormal, normal, fraction);
    // The smallest exponent is 2 less half of the exponents, as IEEE has it.
    const double unit = std::ldexp(1.0, 2 - int(exponents / 2)) / one;
    return withSign(units, unit, bits, /*sign=*/32);
  }

  /// `count` units, negative if `bits` has the bit `sign`.
  Value withSign(Value count, double unit, Value bits, uint32_t sign) {
    Value isNegative = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, loc, bits, word(bits, sign)), word(bits, 0));
    Value factor = arith::SelectOp::create(
        b, loc, isNegative, constant(bits, b.getFloatAttr(wide, -unit)),
        constant(bits, b.getFloatAttr(wide, unit)));
    return arith::MulFOp::create(
        b, loc, arith::UIToFPOp::create(b, loc, with(bits, wide), count),
        factor);
  }

  Value words(Value bytes) {
    return arith::ExtUIOp::create(b, loc, with(bytes, b.getI32Type()), bytes);
  }
  Value word(Value like, uint32_t value) {
    return constant(like, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  /// 2 to the e8m0 exponents: the exponent of a bf16 has their bias. The least,
  /// 2^-127, is a denormal there, with the bit below the exponent. All ones are
  /// NaN.
  Value powers(Value scales, bool mayBeNaN) {
    Value bits = arith::ShLIOp::create(
        b, loc,
        arith::ExtUIOp::create(b, loc, with(scales, b.getI16Type()), scales),
        constant(scales, b.getI16IntegerAttr(7)));
    bits = arith::MaxUIOp::create(b, loc, bits,
                                  constant(scales, b.getI16IntegerAttr(64)));
    Value power =
        tt::BitcastOp::create(b, loc, with(bits, b.getBF16Type()), bits);
    power = converted(power);
    if (!mayBeNaN)
      return power;
    Value isNaN =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, scales,
                              constant(scales, b.getI8IntegerAttr(-1)));
    return arith::SelectOp::create(
        b, loc, isNaN,
        constant(scales, b.getFloatAttr(
                             wide, APFloat::getNaN(wide.getFloatSemantics()))),
        power);
  }

  FloatType wide;
};

void decompose(tt::DotScaledOp op) {
  auto is = [&](Format format) {
    return op.getAElemType() == format || op.getBElemType() == format;
  };
  MLIRContext *context = op.getContext();
  FloatType wide = is(Format::FP16) ? FloatType(Float16Type::get(context))
                                    : FloatType(BFloat16Type::get(context));
  // One scale for all of a tensor has another shape.
  auto fits = [&](Value scales, Value value, unsigned rowDim) {
    if (!scales)
      return true;
    auto type = cast<RankedTensorType>(scales.getType());
    auto result = op.getType();
    return type.getRank() == result.getRank() &&
           type.getDimSize(type.getRank() - 2) ==
               result.getDimSize(result.getRank() - rowDim);
  };
  if (!fits(op.getAScale(), op.getA(), 2) ||
      !fits(op.getBScale(), op.getB(), 1))
    return;
  OperandBuilder build(op, wide);
  Value a = build.elements(op.getA(), op.getAElemType(), op.getPacking(0),
                           /*isLeft=*/true),
        b = build.elements(op.getB(), op.getBElemType(), op.getPacking(1),
                           /*isLeft=*/false);
  if (Value scales = op.getAScale())
    a = build.scaled(a, scales, !op.getFastMath());
  if (Value scales = op.getBScale())
    b = build.transposed(
        build.scaled(build.transposed(b), scales, !op.getFastMath()));
  Value c = op.getC();
  Type sum = getElementTypeOrSelf(c), f32 = build.b.getF32Type();
  auto type = op.getType();
  if (sum != f32)
    c = arith::ExtFOp::create(build.b, build.loc, type.clone(f32), c);
  Value product = tt::DotOp::create(build.b, build.loc, a, b, c,
                                    tt::InputPrecision::IEEE, 0);
  if (sum != f32)
    product = arith::TruncFOp::create(build.b, build.loc, type, product);
  op.replaceAllUsesWith(product);
  op->erase();
}

class DecomposeScaledProducts
    : public kernelscope::impl::DecomposeScaledProductsBase<
          DecomposeScaledProducts> {
public:
  using DecomposeScaledProductsBase::DecomposeScaledProductsBase;
  void runOnOperation() override {
    std::optional<Target> target;
    if (!arch.empty()) {
      FailureOr<Target> found = parseTarget(getOperation(), arch);
      if (failed(found))
        return signalPassFailure();
      target = *found;
    }
    const ttgir::ThreadCounts threads{numWarps ? numWarps : 4U,
                                      target ? target->warpSize : 32, numCtas};
    SmallVector<tt::DotScaledOp> products;
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      int64_t columns = ttgir::tensorColumnsOf(function);
      function.walk([&](tt::DotScaledOp op) {
        if (!target ||
            !ttgir::chooseScaledLayout(op, threads, *target, columns))
          products.push_back(op);
      });
    }
    llvm::for_each(products, decompose);
  }
};

} // namespace
