//===- MatrixChoice.cpp - Which matrix instruction a product takes --------===//

#include "passes/analysis/MatrixChoice.h"
#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;

std::optional<MatrixChoice>
kernelscope::chooseMatrixInstruction(tt::DotOp op, const Target &target) {
  auto a = ttg::matrixElement(op.getA().getType().getElementType());
  auto b = ttg::matrixElement(op.getB().getType().getElementType());
  auto c = ttg::matrixElement(op.getType().getElementType());
  if (!a || !b || !c || !op.getType().getEncoding() ||
      ttg::lacksRoundedProduct(op, target))
    return std::nullopt;
  MatrixQuery query{a, b, c, {}, {}, {}};
  SmallVector<const MatrixInstruction *> rows;
  // The fewer bits are enough, and more do no harm.
  if (*a == MatrixElement::F32 && *b == *a &&
      op.getInputPrecision() == tt::InputPrecision::TF32) {
    MatrixQuery rounded = query;
    rounded.a = rounded.b = MatrixElement::TF32;
    rows = findMatrixInstructions(target, rounded);
  }
  rows.append(findMatrixInstructions(target, query));

  LinearLayout aLayout = ttg::toLinearLayout(op.getA().getType()),
               bLayout = ttg::toLinearLayout(op.getB().getType()),
               cLayout = ttg::toLinearLayout(op.getType());
  for (bool padsDepth : {false, true})
    for (const MatrixInstruction *row : rows)
      if (auto plan =
              planDot(row->fragments, aLayout, bLayout, cLayout, padsDepth)) {
        // Where lanes hold copies along K a thread may have all factors of its
        // elements: then as many multiply-adds do.
        if (auto single = padsDepth ? planDot({}, aLayout, bLayout, cLayout)
                                    : std::nullopt;
            single && single->steps.size() <= plan->steps.size())
          return std::nullopt;
        // The transpose is computed with the operands, and their types,
        // exchanged.
        if (plan->isTransposed && row->a != row->b)
          row = findMatrixInstructions(
                    target, {row->b, row->a, c, row->m, row->n, row->k})
                    .front();
        return MatrixChoice{row, std::move(*plan)};
      }
  return std::nullopt;
}

static std::optional<DescribedChoice> choiceOf(ttng::WarpGroupDotOp op) {
  auto a = cast<ShapedType>(op.getA().getType());
  auto d = cast<RankedTensorType>(op.getType());
  auto mma = cast<ttg::NvidiaMmaEncodingAttr>(d.getEncoding());
  const DescribedProduct *product = ttg::findDescribedProduct(
      MatrixUnit::Wgmma, a.getElementType(),
      op.getB().getType().getElementType(), d.getElementType());
  if (!product)
    return std::nullopt;
  DescribedChoice choice{product, 64, mma.getInstrShape()[1], 0};
  SmallVector<unsigned> split = mma.getCGALayout().getCTASplitNum();
  ArrayRef<unsigned> warps = mma.getWarpsPerCTA();
  // A group's four warps stack along M.
  choice.count =
      llvm::divideCeil(d.getDimSize(0) / split[0], 16 * warps[0]) *
      llvm::divideCeil(d.getDimSize(1) / split[1], choice.columns * warps[1]) *
      llvm::divideCeil(a.getDimSize(1), choice.product->k);
  return choice;
}

static DescribedChoice choiceOf(ttng::TCGen5MMAOp op) {
  ttg::MemDescType a = op.getA().getType(), d = op.getD().getType();
  auto layout = cast<ttng::TensorMemoryEncodingAttr>(d.getEncoding());
  SmallVector<unsigned> split = layout.getCGALayout().getCTASplitNum();
  int64_t rows = d.getDimSize(0) / split[0],
          columns = d.getDimSize(1) / split[1],
          blockN = std::min<int64_t>(layout.getBlockN(), columns);
  unsigned ctas = op.getTwoCtas() ? 2 : 1;
  const DescribedProduct *product =
      describedProductsOf(MatrixUnit::Tcgen05,
                          *ttg::matrixElement(a.getElementType()))
          .front();
  auto times = [](int64_t size, int64_t step) {
    return llvm::divideCeilSigned(size, step);
  };
  return {product, ctas * layout.getBlockM(), static_cast<unsigned>(blockN),
          times(rows, layout.getBlockM()) * times(columns, blockN) *
              times(a.getDimSize(1), product->k)};
}

std::optional<DescribedChoice> kernelscope::findDescribedChoice(Operation *op) {
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    return choiceOf(dot);
  if (auto mma = dyn_cast<ttng::TCGen5MMAOp>(op))
    return choiceOf(mma);
  return std::nullopt;
}
