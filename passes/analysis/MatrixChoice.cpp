//===- MatrixChoice.cpp - Which matrix instruction a product takes --------===//

#include "passes/analysis/MatrixChoice.h"
#include "dialects/ttg/Layouts.h"

using namespace mlir;
using namespace kernelscope;

std::optional<MatrixElement> kernelscope::matrixElement(Type type) {
  using enum MatrixElement;
  if (type.isF64())
    return F64;
  if (type.isF32())
    return F32;
  if (type.isF16())
    return F16;
  if (type.isBF16())
    return BF16;
  if (isa<Float8E4M3FNType>(type))
    return E4M3;
  if (isa<Float8E5M2Type>(type))
    return E5M2;
  if (isa<Float8E4M3FNUZType>(type))
    return E4M3FNUZ;
  if (isa<Float8E5M2FNUZType>(type))
    return E5M2FNUZ;
  if (type.isInteger(8))
    return I8;
  if (type.isInteger(32))
    return I32;
  return std::nullopt;
}

std::optional<MatrixChoice>
kernelscope::chooseMatrixInstruction(tt::DotOp op, const Target &target) {
  auto a = matrixElement(op.getA().getType().getElementType());
  auto b = matrixElement(op.getB().getType().getElementType());
  auto c = matrixElement(op.getType().getElementType());
  if (!a || !b || !c || !op.getType().getEncoding())
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
  for (const MatrixInstruction *row : rows)
    if (auto plan = planDot(row->fragments, aLayout, bLayout, cLayout))
      return MatrixChoice{row, std::move(*plan)};
  return std::nullopt;
}
