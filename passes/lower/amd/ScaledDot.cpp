//===- ScaledDot.cpp - tt.dot_scaled by MFMA and WMMA ---------------------===//
//
// CDNA 4 ISA, `V_MFMA_SCALE_F32_*_F8F6F4`: a lane's scale stands for its row
// or column and 32 elements of K, and two bits choose the byte of a register
// that has four. gfx1250's `V_WMMA_SCALE_*`: the bytes are those of four blocks
// along K, and a bit chooses the half of the lanes that gives them.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/ScaledProducts.h"
#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "passes/analysis/DotPlan.h"
#include "passes/lower/amd/AccumulatorRegisters.h"
#include "passes/lower/amd/ProductScales.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

int32_t formatOf(MatrixElement element) {
  return static_cast<int32_t>(llvm::find(scaledFormats, element) -
                              std::begin(scaledFormats));
}

/// Elements of 6 bits, each the lower bits of a byte, one after the other.
Value wordsOfSixBits(lower::Builder &b, ArrayRef<Value> bytes,
                     ArrayRef<unsigned> registers) {
  constexpr unsigned width = 6, wordWidth = 32;
  SmallVector<Value> words(registers.size() * width / wordWidth, b.i32(0));
  for (auto [i, r] : llvm::enumerate(registers)) {
    Value bits = b.bitAnd(b.zext(b.intType(32), bytes[r]), b.i32(63));
    const size_t at = i * width, word = at / wordWidth;
    const auto shift = static_cast<int32_t>(at % wordWidth);
    words[word] = b.bitOr(words[word], b.shl(bits, b.i32(shift)));
    if (shift + width > wordWidth)
      words[word + 1] = b.bitOr(
          words[word + 1], b.lshr(bits, b.i32(int32_t(wordWidth) - shift)));
  }
  return b.makeVector(words);
}

/// The elements of a fragment as the vector of words that the intrinsics take.
/// `bytes` are a tensor's, in which each has one element or two.
Value wordsOf(lower::Builder &b, ArrayRef<Value> bytes,
              ArrayRef<unsigned> registers, MatrixElement element) {
  if (bitsOf(element) == 6)
    return wordsOfSixBits(b, bytes, registers);
  SmallVector<Value> joined;
  const unsigned packing = 8 / bitsOf(element);
  for (size_t i = 0; i < registers.size(); i += packing)
    joined.push_back(bytes[registers[i] / packing]);
  return joinBits(b, joined, b.vectorType(b.intType(32), joined.size() / 4));
}

std::string suffixOf(Value words) {
  return ".v" +
         std::to_string(cast<VectorType>(words.getType()).getNumElements()) +
         "i32";
}

SmallVector<Value> emitScaled(lower::Builder &b,
                              const MatrixInstruction &instruction, Value x,
                              Value y, MatrixElement ofX, MatrixElement ofY,
                              const ScaleOperand &scaleOfX,
                              const ScaleOperand &scaleOfY,
                              ArrayRef<Value> sums) {
  Value c = b.makeVector(sums), no = b.i1(false),
        formatOfX = b.i32(formatOf(ofX)), formatOfY = b.i32(formatOf(ofY)),
        selectionOfX = b.i32(scaleOfX.selection),
        selectionOfY = b.i32(scaleOfY.selection);
  const std::string types = suffixOf(x) + suffixOf(y);
  if (instruction.unit == MatrixUnit::MfmaCdna4)
    return b.splitVector(
        b.intrinsic(instruction.name.str() + types, c.getType(),
                    {x, y, c, formatOfX, formatOfY, selectionOfX, scaleOfX.word,
                     selectionOfY, scaleOfY.word}));
  // C as it is; no operand is used again.
  const bool isFp4 = instruction.a == MatrixElement::E2M1,
             isWide = scaleOfX.word.getType().isInteger(64);
  SmallVector<Value> operands{x, y};
  if (!isFp4)
    operands = {formatOfX, x, formatOfY, y};
  operands.append({b.zero(b.intType(16)), c, selectionOfX,
                   b.i32(scaleOfX.format), scaleOfX.word, selectionOfY,
                   b.i32(scaleOfY.format), scaleOfY.word, no, no});
  return b.splitVector(
      b.intrinsic((isWide ? "llvm.amdgcn.wmma.scale16.f32."
                          : "llvm.amdgcn.wmma.scale.f32.") +
                      (isFp4 ? "32x16x128.f4.v16f32" + types
                             : "16x16x128.f8f6f4.v8f32" + types),
                  c.getType(), operands));
}

/// The lanes lack scales that they need: those of `operand`.
LogicalResult reportScales(tt::DotScaledOp op, Value scale,
                           const ScaledOperand &operand,
                           const MatrixFragment &fragment,
                           const MatrixInstruction &instruction,
                           int32_t perScale, const Target &target) {
  auto type = cast<RankedTensorType>(scale.getType());
  InFlightDiagnostic error = op.emitOpError("has scales in the layout ");
  error << type.getEncoding() << ", which does not match the instructions of "
        << target.arch;
  if (auto needed = scaleLayout(operand, fragment, instruction.unit,
                                type.getShape(), perScale))
    error << "; it must be "
          << ttg::LinearEncodingAttr::get(op.getContext(), *needed);
  return error;
}

class AmdDotScaledPattern : public lower::Pattern<tt::DotScaledOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::DotScaledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkSumRegisters(op)))
      return failure();
    if (failed(ttg::verifyScaledProduct(op, hooks.getTarget())))
      return failure();
    const std::string &arch = hooks.getTarget().arch;
    auto ofA = ttg::matrixElement(op.getAElemType()),
         ofB = ttg::matrixElement(op.getBElemType());
    if (!op.getLhsKPack() || !op.getRhsKPack())
      return op.emitOpError("has e2m1 packed along M or N, but the "
                            "instructions of ")
             << arch << " take it packed along K";
    const auto rank = static_cast<unsigned>(op.getA().getType().getRank());
    const ScaledOperand a = ScaledOperand::of(op.getA().getType(), *ofA,
                                              rank - 1),
                        right = ScaledOperand::of(op.getB().getType(), *ofB,
                                                  rank - 2);
    const auto perScale = static_cast<int32_t>(
        op.getElementsPerScale().value_or(elementsPerScale));
    auto result = cast<RankedTensorType>(op.getType());
    SmallVector<const MatrixInstruction *> instructions;
    const MatrixInstruction *fp4 = scaledFp4Instruction(hooks.getTarget());
    // Scales lie as the instruction that the layout names needs them.
    auto layout = dyn_cast<ttg::AMDWmmaEncodingAttr>(result.getEncoding());
    if (fp4 && *ofA == fp4->a && *ofB == fp4->b && layout &&
        layout.getInstrShape()[0] == fp4->m)
      instructions.push_back(fp4);
    llvm::append_range(instructions, scaledInstructions(hooks.getTarget()));
    for (const MatrixInstruction *instruction : instructions) {
      // The transpose is computed with the operands exchanged, and then the
      // fragments are those of the other's elements.
      for (bool isTransposed : {false, true}) {
        MatrixFragments fragments =
            isTransposed ? scaledFragments(*instruction, *ofB, *ofA)
                         : scaledFragments(*instruction, *ofA, *ofB);
        auto plan = planDot(fragments, a.layout, right.layout,
                            ttg::toLinearLayout(result), /*padsDepth=*/true);
        if (!plan || plan->isTransposed != isTransposed)
          continue;
        if (isTransposed)
          std::swap(fragments.a, fragments.b);
        return emit(op, adaptor, rewriter, *instruction, *plan, fragments, a,
                    right, perScale);
      }
    }
    return op.emitOpError("has operands in layouts that do not match the "
                          "instructions of ")
           << arch;
  }

private:
  /// `fragments` are those that A and B of the op fill.
  LogicalResult emit(tt::DotScaledOp op, OpAdaptor adaptor,
                     ConversionPatternRewriter &rewriter,
                     const MatrixInstruction &instruction, const DotPlan &plan,
                     const MatrixFragments &fragments, const ScaledOperand &a,
                     const ScaledOperand &right, int32_t perScale) const {
    lower::Builder b(op, rewriter);
    const bool isMfma = instruction.unit == MatrixUnit::MfmaCdna4;
    auto ofA = Scales::of(b, op.getAScale(), adaptor.getAScale(), a,
                          fragments.a, isMfma, perScale),
         ofB = Scales::of(b, op.getBScale(), adaptor.getBScale(), right,
                          fragments.b, isMfma, perScale);
    SmallVector<Value> x = unpackElements(b, adaptor.getA()),
                       y = unpackElements(b, adaptor.getB()),
                       sums = unpackElements(b, adaptor.getC());
    for (auto [bytes, idleLanes] :
         llvm::zip_equal(std::array{&x, &y}, plan.idleLanes)) {
      for (Value &byte : *bytes)
        byte = b.toBits(byte);
      clearIdleLanes(b, hooks, idleLanes, *bytes);
      // Beyond the end of K.
      bytes->push_back(b.zero(b.intType(8)));
    }
    for (auto [index, step] : llvm::enumerate(plan.steps)) {
      ScaleOperand scaleOfA, scaleOfB;
      // Blocks matter only with scales.
      if (ofA &&
          (ofA->areAbsent() || keepsBlocks(a, fragments.a, step.a, perScale)))
        scaleOfA = ofA->at(b, placeOf(a, step.a[0]));
      if (ofB && (ofB->areAbsent() ||
                  keepsBlocks(right, fragments.b, step.b, perScale)))
        scaleOfB = ofB->at(b, placeOf(right, step.b[0]));
      if (!scaleOfA.word)
        return reportScales(op, op.getAScale(), a, fragments.a, instruction,
                            perScale, hooks.getTarget());
      if (!scaleOfB.word)
        return reportScales(op, op.getBScale(), right, fragments.b, instruction,
                            perScale, hooks.getTarget());
      // With scales of zero MFMA is the instruction without scales.
      if (isMfma && ofA->areAbsent() && ofB->areAbsent())
        scaleOfA.word = scaleOfB.word = b.i32(0);
      Value left = wordsOf(b, x, step.a, a.element),
            other = wordsOf(b, y, step.b, right.element);
      SmallVector<Value> c = pick(sums, step.c);
      if (isMfma && isFirstOfSums(plan, index))
        c = constrainSums(b, op, c);
      SmallVector<Value> added =
          plan.isTransposed
              ? emitScaled(b, instruction, other, left, right.element,
                           a.element, scaleOfB, scaleOfA, c)
              : emitScaled(b, instruction, left, other, a.element,
                           right.element, scaleOfA, scaleOfB, c);
      if (isMfma && isLastOfSums(plan, index))
        added = constrainSums(b, op, added);
      for (auto [r, value] : llvm::zip_equal(step.c, added))
        sums[r] = value;
    }
    rewriter.replaceOp(
        op, packElements(b, converter, pick(sums, plan.sources), op.getType()));
    return success();
  }
};

} // namespace

void lower::populateScaledDotPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<AmdDotScaledPattern>(converter, hooks);
}
