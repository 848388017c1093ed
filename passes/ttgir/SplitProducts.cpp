//===- SplitProducts.cpp - Products of f32 in narrower types --------------===//
//
// A number of 24 bits is the sum of two of 11 and a rest, or of three of 8.
// The product of two such sums is that of their parts, of which those that are
// too small for the result are left out.
//
//===----------------------------------------------------------------------===//

#include "passes/ttgir/SplitProducts.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kernelscope;

namespace {

/// How an operand is taken apart, and which parts are multiplied.
struct Splitting {
  unsigned parts;
  bool isBf16;
  /// Parts of the operands, the first the largest, in the order of the sum.
  ArrayRef<std::pair<unsigned, unsigned>> products;
};

class Splitter {
public:
  Splitter(tt::DotOp op, const Splitting &how)
      : op(op), how(how), b(op), loc(op.getLoc()) {}

  Value split() {
    SmallVector<Value> x = parts(op.getA()), y = parts(op.getB());
    Value sum = zeros(op.getType());
    for (auto [index, pair] : llvm::enumerate(how.products)) {
      // An infinite operand has parts that are not numbers; the product of the
      // largest parts alone tells then what the result is.
      if (index + 1 == how.products.size()) {
        Value isNan =
            arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
        sum = arith::SelectOp::create(b, loc, isNan, zeros(op.getType()), sum);
      }
      sum = tt::DotOp::create(b, loc, x[pair.first], y[pair.second], sum,
                              tt::InputPrecision::TF32,
                              op.getMaxNumImpreciseAcc());
    }
    return arith::AddFOp::create(b, loc, sum, op.getC());
  }

private:
  Value zeros(RankedTensorType type) {
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType())));
  }

  SmallVector<Value> parts(Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<Value> result;
    Value rest = operand;
    for (unsigned part = 0; part < how.parts; ++part) {
      if (!how.isBf16) {
        // The unit itself leaves the rest of the last part out.
        bool isLast = part + 1 == how.parts;
        result.push_back(isLast ? rest : cutToTF32(rest));
        if (!isLast)
          rest = arith::SubFOp::create(b, loc, rest, result.back());
        continue;
      }
      Value narrow =
          arith::TruncFOp::create(b, loc, type.clone(b.getBF16Type()), rest);
      result.push_back(narrow);
      if (part + 1 < how.parts)
        rest = arith::SubFOp::create(
            b, loc, rest, arith::ExtFOp::create(b, loc, type, narrow));
    }
    return result;
  }

  /// The upper 19 bits of each number.
  Value cutToTF32(Value x) {
    constexpr uint32_t kept = 0xFFFFE000;
    auto type = cast<RankedTensorType>(x.getType());
    RankedTensorType bits = type.clone(b.getI32Type());
    Value mask = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(bits, APInt(32, kept)));
    Value asBits = arith::BitcastOp::create(b, loc, bits, x);
    return arith::BitcastOp::create(
        b, loc, type, arith::AndIOp::create(b, loc, asBits, mask));
  }

  tt::DotOp op;
  const Splitting &how;
  OpBuilder b;
  Location loc;
};

} // namespace

static std::optional<Splitting> splittingOf(tt::InputPrecision precision) {
  static constexpr std::pair<unsigned, unsigned> three[] = {
      {1, 0}, {0, 1}, {0, 0}};
  static constexpr std::pair<unsigned, unsigned> six[] = {
      {2, 0}, {0, 2}, {1, 1}, {1, 0}, {0, 1}, {0, 0}};
  switch (precision) {
  case tt::InputPrecision::TF32x3:
    return Splitting{2, false, three};
  case tt::InputPrecision::BF16x3:
    return Splitting{2, true, three};
  case tt::InputPrecision::BF16x6:
    return Splitting{3, true, six};
  default:
    return std::nullopt;
  }
}

void ttgir::splitProducts(Operation *root, const Target &target) {
  // sm_80 and later, which are all that have `cp.async`, multiply both types.
  if (!target.isNvidia() || !target.hasCpAsync())
    return;
  SmallVector<tt::DotOp> products;
  root->walk([&](tt::DotOp op) {
    if (op.getA().getType().getElementType().isF32() &&
        op.getType().getElementType().isF32())
      products.push_back(op);
  });
  for (tt::DotOp op : products)
    if (auto how = splittingOf(op.getInputPrecision())) {
      Value sum = Splitter(op, *how).split();
      op.replaceAllUsesWith(sum);
      op->erase();
    }
}
