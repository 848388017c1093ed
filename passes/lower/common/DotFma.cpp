//===- DotFma.cpp - tt.dot by fused multiply-adds -------------------------===//
//
// For layouts in which each thread holds whole rows of A and columns of B. What
// no pattern for products takes gets its error here.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class DotFmaPattern : public lower::Pattern<tt::DotOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().getEncoding())
      return failure();
    auto plan = planDot({}, ttg::toLinearLayout(op.getA().getType()),
                        ttg::toLinearLayout(op.getB().getType()),
                        ttg::toLinearLayout(op.getType()));
    if (!plan)
      return reportNoInstruction(op);
    lower::Builder b(op, rewriter);
    Type type = converter.convertElement(op.getType().getElementType());
    SmallVector<Value> x = unpackElements(b, adaptor.getA()),
                       y = unpackElements(b, adaptor.getB());
    if (!widen(b, x, op.getA().getType().getElementType(), op.getType()) ||
        !widen(b, y, op.getB().getType().getElementType(), op.getType()))
      return op.emitOpError("multiplies ")
             << op.getA().getType().getElementType() << " by "
             << op.getB().getType().getElementType() << " into "
             << op.getType().getElementType() << ", for which "
             << hooks.getTarget().arch
             << " has no instruction: convert the operands to the type of the "
                "result first, or the result afterwards";
    SmallVector<Value> sums = emitProducts(
        *plan, x, y, unpackElements(b, adaptor.getC()),
        [&](ArrayRef<Value> a, ArrayRef<Value> c, ArrayRef<Value> sum) {
          Value added = isa<FloatType>(type) ? b.fma(a[0], c[0], sum[0])
                                             : b.add(b.mul(a[0], c[0]), sum[0]);
          return SmallVector<Value>{added};
        });
    rewriter.replaceOp(op, packElements(b, converter, sums, op.getType()));
    return success();
  }

private:
  /// Makes `values`, elements of type `from` in the IR, of the type of the sum;
  /// false if that would lose something.
  bool widen(lower::Builder &b, SmallVector<Value> &values, Type from,
             RankedTensorType sum) const {
    Type to = sum.getElementType();
    if (from == to)
      return true;
    bool areFloats = isa<FloatType>(from) && isa<FloatType>(to);
    if (bitWidth(from) >= bitWidth(to) ||
        !(areFloats || (from.isInteger() && to.isInteger())))
      return false;
    SmallVector<Value> wide;
    if (areFloats)
      wide = hooks.convertFloats(b, values, from, to, /*toZero=*/false);
    if (wide.empty())
      wide = llvm::map_to_vector(values, [&](Value value) {
        return areFloats ? convertFloat(b, value, from, to) : b.sext(to, value);
      });
    values = std::move(wide);
    return true;
  }

  /// Of AMD's products: ", in a layout of version 3 and 16x16x16".
  static std::string describeLayout(tt::DotOp op) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    Attribute layout = op.getType().getEncoding();
    auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(layout);
    auto wmma = dyn_cast<ttg::AMDWmmaEncodingAttr>(layout);
    if (!mfma && !wmma)
      return text;
    stream << ", in a layout of version "
           << (mfma ? mfma.getVersion() : wmma.getVersion()) << " and ";
    llvm::interleave(mfma ? mfma.getInstrShape() : wmma.getInstrShape(), stream,
                     "x");
    if (const unsigned bits = bitWidth(op.getType().getElementType());
        mfma && bits > 32 && bits != mfma.getElementBitWidth())
      stream << " with elementBitWidth = " << mfma.getElementBitWidth()
             << ", not " << bits;
    return text;
  }

  LogicalResult reportNoInstruction(tt::DotOp op) const {
    const Target &target = hooks.getTarget();
    if (failed(ttg::verifyProductTypes(op, target)))
      return failure();
    Type x = op.getA().getType().getElementType(),
         y = op.getB().getType().getElementType(),
         sum = op.getType().getElementType();
    InFlightDiagnostic error = op.emitOpError();
    error << "has operand and result layouts that fit no matrix instruction "
             "of "
          << target.arch << " for " << x << " by " << y << " into " << sum
          << describeLayout(op) << "; it has these: ";
    llvm::interleaveComma(ttg::productInstructions(op, target), error,
                          [&](const MatrixInstruction *row) {
                            error << row->m << "x" << row->n << "x" << row->k;
                          });
    return error;
  }
};

} // namespace

void lower::populateDotFmaPatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<DotFmaPattern>(converter, hooks);
}
