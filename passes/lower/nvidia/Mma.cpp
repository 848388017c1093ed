//===- Mma.cpp - tt.dot and tti.dot_i8 by mma.sync ------------------------===//
//
// PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions: mma".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/tti/TTI.h"
#include "passes/analysis/MatrixChoice.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A hardware register of an operand: its type, and its constraint in inline
/// assembly. Elements of up to 16 bits share one.
struct Register {
  Type type;
  StringRef constraint;
  unsigned elements;
};

Register registerFor(lower::Builder &b, MatrixElement element) {
  switch (element) {
  case MatrixElement::F64:
    return {b.getBuilder().getF64Type(), "d", 1};
  case MatrixElement::F32:
    return {b.getBuilder().getF32Type(), "f", 1};
  default:
    return {b.intType(32), "r", 32 / bitsOf(element)};
  }
}

std::string braced(ArrayRef<std::string> names) {
  return "{" + llvm::join(names, ", ") + "}";
}

/// Adds a result of as many registers as hold `elements`.
std::string addOutput(Ptx &ptx, const Register &reg, size_t elements) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < elements; i += reg.elements)
    names.push_back(ptx.output(reg.type, reg.constraint));
  return braced(names);
}

/// Adds an operand of the registers that `elements` fill.
std::string addInput(ProductBuilder &b, Ptx &ptx, const Register &reg,
                     ArrayRef<Value> elements) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < elements.size(); i += reg.elements)
    names.push_back(ptx.input(b.join(elements.slice(i, reg.elements), reg.type),
                              reg.constraint));
  return braced(names);
}

SmallVector<Value> emitNamed(ProductBuilder &b, StringRef name,
                             const MatrixInstruction &instruction,
                             ArrayRef<Value> x, ArrayRef<Value> y,
                             ArrayRef<Value> sum) {
  Register ofA = registerFor(b, instruction.a),
           ofB = registerFor(b, instruction.b),
           ofC = registerFor(b, instruction.c);
  Ptx ptx(b);
  std::string operands = addOutput(ptx, ofC, sum.size());
  for (auto [reg, elements] : {std::pair(&ofA, x), {&ofB, y}, {&ofC, sum}})
    operands += ", " + addInput(b, ptx, *reg, elements);
  SmallVector<Value> results;
  for (Value result : ptx.emit((name + " " + operands + ";").str()))
    results.append(splitBits(b, result, sum.front().getType(), ofC.elements));
  return results;
}

SmallVector<Value> emitMma(ProductBuilder &b,
                           const MatrixInstruction &instruction,
                           ArrayRef<Value> x, ArrayRef<Value> y,
                           ArrayRef<Value> sum) {
  return emitNamed(b, instruction.name, instruction, x, y, sum);
}

/// The product of bytes that fits the layouts of `op`, and its plan.
std::optional<MatrixChoice> chooseBytes(tti::DotI8Op op, const Target &target) {
  const auto rows = findMatrixInstructions(
      target,
      {MatrixElement::I8, MatrixElement::I8, MatrixElement::I32, {}, {}, {}});
  const LinearLayout a = ttg::toLinearLayout(op.getA().getType()),
                     b = ttg::toLinearLayout(op.getB().getType()),
                     d = ttg::toLinearLayout(op.getD().getType());
  for (bool padsDepth : {false, true})
    for (const MatrixInstruction *row : rows)
      if (auto plan = planDot(row->fragments, a, b, d, padsDepth))
        return MatrixChoice{row, std::move(*plan)};
  return std::nullopt;
}

/// tti.dot_i8: a product of bytes, signed or not, whose sums wrap around.
class DotI8Pattern : public lower::Pattern<tti::DotI8Op> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tti::DotI8Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const auto choice = chooseBytes(op, hooks.getTarget());
    if (!choice)
      return op.emitOpError("has layouts that no mma.sync of bytes fits: ")
             << op.getA().getType() << ", " << op.getB().getType() << " and "
             << op.getD().getType();
    // The transpose is computed with the operands exchanged.
    bool isSignedX = op.getASigned(), isSignedY = op.getBSigned();
    const auto &[instruction, plan] = *choice;
    if (plan.isTransposed)
      std::swap(isSignedX, isSignedY);
    const std::string name =
        llvm::formatv("mma.sync.aligned.m{0}n{1}k{2}.row.col.s32.{3}.{4}.s32",
                      instruction->m, instruction->n, instruction->k,
                      isSignedX ? "s8" : "u8", isSignedY ? "s8" : "u8");
    ProductBuilder b(op, rewriter);
    SmallVector<Value> sums = emitProducts(
        b, hooks, plan, adaptor.getA(), adaptor.getB(), adaptor.getC(),
        [&](ArrayRef<Value> x, ArrayRef<Value> y, ArrayRef<Value> sum) {
          return emitNamed(b, name, *choice->instruction, x, y, sum);
        });
    rewriter.replaceOp(op,
                       packElements(b, converter, sums, op.getD().getType()));
    return success();
  }
};

} // namespace

void lower::populateMmaPatterns(const TypeConverter &converter,
                                Patterns &patterns, const TargetHooks &hooks) {
  populateMatrixProductPattern(converter, patterns, hooks, emitMma);
  patterns.add<DotI8Pattern>(converter, hooks);
}
