//===- DotFma.cpp - tt.dot by fused multiply-adds -------------------------===//
//
// For layouts in which each thread holds whole rows of A and columns of B. What
// no pattern for products takes gets its error here.
//
//===----------------------------------------------------------------------===//

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
             << op.getType().getElementType()
             << ", which needs a matrix instruction: convert the operands "
                "first";
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

  /// The chip multiplies no such types: which it does, by what they are added
  /// in; of the operands' own, if there are any.
  LogicalResult reportTypes(tt::DotOp op) const {
    Type x = op.getA().getType().getElementType(),
         y = op.getB().getType().getElementType(),
         sum = op.getType().getElementType();
    const Target &target = hooks.getTarget();
    auto a = ttg::matrixElement(x), b = ttg::matrixElement(y);
    SmallVector<const MatrixInstruction *> rows;
    if (a && b)
      rows = findMatrixInstructions(target, {a, b, {}, {}, {}, {}});
    if (rows.empty())
      rows = findMatrixInstructions(target);
    llvm::MapVector<StringRef, SmallVector<StringRef>> factors;
    for (const MatrixInstruction *row : rows)
      if (auto &names = factors[nameOf(row->c)];
          row->a == row->b || (a && b && row->a == *a && row->b == *b))
        if (StringRef name = nameOf(row->a); !is_contained(names, name))
          names.push_back(name);
    InFlightDiagnostic error = op.emitOpError("of ");
    error << x << " by " << y << " into " << sum
          << " has no matrix instruction on " << target.arch
          << ", which has them ";
    if (factors.empty())
      return error << "for no type";
    error << "for ";
    llvm::interleave(
        factors, error,
        [&](auto &entry) {
          llvm::interleaveComma(entry.second, error);
          error << " into " << entry.first;
        },
        "; ");
    return error;
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
    Type x = op.getA().getType().getElementType(),
         y = op.getB().getType().getElementType(),
         sum = op.getType().getElementType();
    const std::string &arch = hooks.getTarget().arch;
    auto a = ttg::matrixElement(x), b = ttg::matrixElement(y),
         c = ttg::matrixElement(sum);
    SmallVector<const MatrixInstruction *> rows;
    if (a && b && c)
      rows = findMatrixInstructions(hooks.getTarget(), {a, b, c, {}, {}, {}});
    if (rows.empty())
      return reportTypes(op);
    InFlightDiagnostic error = op.emitOpError();
    if (lacksRoundedProduct(op, hooks.getTarget())) {
      auto mfma = cast<ttg::AMDMfmaEncodingAttr>(op.getType().getEncoding());
      error << "multiplies " << x << " as tf32 in ";
      llvm::interleave(mfma.getInstrShape(), error, "x");
      error << ", which " << arch
            << " has no instruction for; it has these for " << x << ": ";
    } else {
      error << "has operand and result layouts that fit no matrix instruction "
               "of "
            << arch << " for " << x << " by " << y << " into " << sum
            << describeLayout(op) << "; it has these: ";
    }
    llvm::interleaveComma(rows, error, [&](const MatrixInstruction *row) {
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
