//===- Wgmma.cpp - ttng.warp_group_dot by wgmma ---------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async".
//
//===----------------------------------------------------------------------===//

#include "dialects/target/DescribedProducts.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/WgmmaOperand.h"
#include "passes/lower/nvidia/WgmmaPlan.h"
#include "passes/lower/nvidia/WgmmaRegisters.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MatrixProduct.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// How PTX writes an element's type.
StringRef ptxName(MatrixElement element) {
  return element == MatrixElement::I8    ? "s8"
         : element == MatrixElement::I32 ? "s32"
                                         : nameOf(element);
}

/// Waits until at most `pending` groups are in flight. What is in `elements`
/// may be used only after it.
SmallVector<Value> waitFor(lower::Builder &b, unsigned pending,
                           ArrayRef<Value> elements) {
  Ptx ptx(b);
  if (!elements.empty())
    addChanged(ptx, toRegisters(b, elements));
  SmallVector<Value> words = ptx.emit(
      llvm::formatv("wgmma.wait_group.sync.aligned {0};", pending).str());
  if (elements.empty())
    return {};
  return fromRegisters(b, words, elements.front().getType());
}

class WarpGroupDotPattern : public lower::Pattern<ttng::WarpGroupDotOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::WarpGroupDotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto aType = cast<ShapedType>(op.getA().getType());
    if (failed(checkClusterHasK(op)))
      return failure();
    const Shape shape = shapeOf(op);
    LinearLayout layout = ttg::toLinearLayout(type);
    auto sums = planAccumulators(layout, shape.n);
    if (!sums)
      return op.emitOpError("returns a layout that no wgmma of width ")
             << shape.n << " produces";

    lower::Builder b(op, rewriter);
    auto [groupM, groupN] = placeOfGroup(b, layout);
    Operands operands{shape, std::nullopt, std::nullopt, std::nullopt, {}};
    if (auto tensor = dyn_cast<RankedTensorType>(aType)) {
      operands.registersA =
          planRegistersOfA(ttg::toLinearLayout(tensor), shape.bits);
      if (!operands.registersA)
        return op.emitOpError(
            "has a left operand in a layout that does not match wgmma");
      SmallVector<Value> elements = unpackElements(b, adaptor.getA());
      for (const auto &[tile, registers] : operands.registersA->tiles)
        operands.wordsA[tile] = toRegisters(b, pick(elements, registers));
    } else {
      if (failed(checkInOwnCTA(op, cast<ttg::MemDescType>(aType))))
        return failure();
      operands.a = describe(b, adaptor.getA(), cast<ttg::MemDescType>(aType), 1,
                            groupM, 64, shape.k);
      if (!operands.a)
        return reportOperand(op, op.getA());
    }
    if (failed(checkInOwnCTA(op, op.getB().getType())))
      return failure();
    operands.b = describe(b, adaptor.getB(), op.getB().getType(), 0, groupN,
                          shape.n, shape.k);
    if (!operands.b)
      return reportOperand(op, op.getB());

    SmallVector<Value> c = unpackElements(b, adaptor.getC());
    auto size = static_cast<unsigned>(aType.getDimSize(1));
    std::optional<unsigned> together = summedTogether(op, shape, size);
    bool isInParts = together.has_value();
    if (!isInParts)
      fence(b, operands);
    for (const auto &[place, registers] : sums->tiles) {
      SmallVector<Value> added = pick(c, registers);
      if (isInParts)
        added = addParts(b, operands, place, size, *together, added,
                         adaptor.getUseC());
      else
        added = addRange(b, operands, place, {0, size}, added,
                         adaptor.getUseC() ? adaptor.getUseC() : b.i1(true));
      for (auto [r, value] : llvm::zip_equal(registers, added))
        c[r] = value;
    }
    SmallVector<Value> results = pick(c, sums->sources);
    if (!isInParts) {
      Ptx(b).emit("wgmma.commit_group.sync.aligned;");
      if (!op.getIsAsync())
        results = waitFor(b, 0, results);
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }

private:
  /// One instruction, 64 x n x k, on operands of `bits` each.
  struct Shape {
    unsigned n, k, bits;
    std::string name;
  };
  struct Operands {
    Shape shape;
    std::optional<SharedOperand> a, b;
    std::optional<WarpGroupTiles> registersA;
    /// The left operand's, of each tile.
    std::map<std::pair<unsigned, unsigned>, SmallVector<Value>> wordsA;
  };

  /// Fails with an error where CTAs of the cluster have only part of K, as
  /// Triton's pipeliner leaves operands that it transposes: no instruction adds
  /// what the other CTAs have.
  static LogicalResult checkClusterHasK(ttng::WarpGroupDotOp op) {
    auto block = ttg::LayoutDims(op.getContext()).block;
    for (auto [operand, dimK] : {std::pair<Value, unsigned>(op.getA(), 1),
                                 std::pair<Value, unsigned>(op.getB(), 0)}) {
      Attribute encoding;
      if (auto tensor = dyn_cast<RankedTensorType>(operand.getType()))
        encoding = tensor.getEncoding();
      else
        encoding = cast<ttg::MemDescType>(operand.getType()).getEncoding();
      auto layout = cast<ttg::LayoutEncodingTrait>(encoding).getCGALayout();
      for (const auto &basis : layout.getLinearLayout().getBases(block))
        if (basis[dimK] != 0)
          return op.emitOpError("has the operand ")
                 << operand.getType()
                 << ", of which each CTA of the cluster holds only a part "
                    "along K; each needs all of it";
    }
    return success();
  }

  static Shape shapeOf(ttng::WarpGroupDotOp op) {
    auto mma = cast<ttg::NvidiaMmaEncodingAttr>(
        cast<RankedTensorType>(op.getType()).getEncoding());
    auto left = cast<ShapedType>(op.getA().getType());
    Type a = left.getElementType(), b = op.getB().getType().getElementType(),
         c = cast<RankedTensorType>(op.getType()).getElementType();
    const DescribedProduct *product =
        ttg::findDescribedProduct(MatrixUnit::Wgmma, a, b, c);
    unsigned n = mma.getInstrShape()[1];
    return Shape{n, product->k, a.getIntOrFloatBitWidth(),
                 llvm::formatv("{0}.sync.aligned.m64n{1}k{2}.{3}.{4}.{5}",
                               product->name, n, product->k,
                               ptxName(product->c), ptxName(product->a),
                               ptxName(product->b))
                     .str()};
  }

  /// How many of the `size` products of a sum the unit may add before a thread
  /// adds them to the accumulator; nothing: all, to the accumulator itself. It
  /// adds those of 8-bit floats with fewer bits than f32 has.
  static std::optional<unsigned>
  summedTogether(ttng::WarpGroupDotOp op, const Shape &shape, unsigned size) {
    bool isImprecise =
        shape.bits == 8 &&
        isa<FloatType>(op.getB().getType().getElementType()) &&
        cast<RankedTensorType>(op.getType()).getElementType().isF32();
    uint32_t most = op.getMaxNumImpreciseAcc();
    // As many as there are would be too many with those of the next product.
    if (!isImprecise || most > size)
      return std::nullopt;
    return std::max(shape.k, most / shape.k * shape.k);
  }

  /// The left operand's registers are written before it: ptxas splits a group
  /// of products where one is written between them.
  static void fence(lower::Builder &b, Operands &operands) {
    Ptx ptx(b);
    SmallVector<Value> words;
    for (auto &[tile, ofTile] : operands.wordsA)
      words.append(ofTile);
    if (!words.empty())
      addChanged(ptx, words);
    words = ptx.emit("wgmma.fence.sync.aligned;");
    const Value *next = words.begin();
    for (auto &[tile, ofTile] : operands.wordsA)
      for (Value &word : ofTile)
        word = *next++;
  }

  /// Adds the products of K in `range` to `sums`, or replaces them where
  /// `addsToSums` is false.
  static SmallVector<Value> addRange(lower::Builder &b,
                                     const Operands &operands,
                                     std::pair<unsigned, unsigned> place,
                                     std::pair<unsigned, unsigned> range,
                                     SmallVector<Value> sums,
                                     Value addsToSums) {
    for (unsigned k = range.first; k < range.second; k += operands.shape.k)
      sums = emit(b, operands, place, k, sums,
                  k == range.first ? addsToSums : b.i1(true));
    return sums;
  }

  /// The same for all of K, `together` products at a time in the unit and the
  /// parts by threads.
  static SmallVector<Value> addParts(lower::Builder &b, Operands &operands,
                                     std::pair<unsigned, unsigned> place,
                                     unsigned size, unsigned together,
                                     SmallVector<Value> sums,
                                     Value addsToSums) {
    Value zero = b.zero(sums.front().getType());
    if (addsToSums)
      for (Value &sum : sums)
        sum = b.select(addsToSums, sum, zero);
    for (unsigned k = 0; k < size; k += together) {
      SmallVector<Value> part(sums.size(), zero);
      fence(b, operands);
      part = addRange(b, operands, place, {k, std::min(size, k + together)},
                      part, b.i1(false));
      Ptx(b).emit("wgmma.commit_group.sync.aligned;");
      part = waitFor(b, 0, part);
      for (auto [sum, added] : llvm::zip_equal(sums, part))
        sum = b.fadd(sum, added);
    }
    return sums;
  }

  static LogicalResult reportOperand(ttng::WarpGroupDotOp op, Value operand) {
    return op.emitOpError("has an operand that no matrix descriptor of wgmma "
                          "can describe: ")
           << operand.getType();
  }

  /// Where the part of this warp group begins in the result.
  std::pair<Value, Value> placeOfGroup(lower::Builder &b,
                                       const LinearLayout &layout) const {
    ttg::LayoutDims names(b.getContext());
    Value group = b.bitAnd(hooks.uniformWarpId(b),
                           b.i32(-static_cast<int32_t>(warpsPerGroup)));
    SmallVector<Value> place = applyLayout(b, layout, {{names.warp, group}});
    return {place[0], place[1]};
  }

  static SmallVector<Value> emit(lower::Builder &b, const Operands &operands,
                                 std::pair<unsigned, unsigned> place,
                                 unsigned k, ArrayRef<Value> sums,
                                 Value addsToSums) {
    Ptx ptx(b);
    std::string text = operands.shape.name + " " +
                       addChanged(ptx, toRegisters(b, sums)) + ", ";
    if (operands.registersA) {
      SmallVector<std::string> words;
      for (Value word : operands.wordsA.at({place.first, k}))
        words.push_back(ptx.input(word, "r"));
      text += "{" + llvm::join(words, ", ") + "}";
    } else {
      text += ptx.input(operands.a->at(b, place.first, k), "l");
    }
    text += ", " + ptx.input(operands.b->at(b, place.second, k), "l");
    text += ", " + ptx.input(addsToSums, "b");
    Type element = sums.front().getType();
    // Neither operand is negated.
    if (isa<FloatType>(element))
      text += ", 1, 1";
    if (operands.shape.bits == 16) {
      if (operands.a)
        text += operands.a->mode.isKMajor ? ", 0" : ", 1";
      text += operands.b->mode.isKMajor ? ", 0" : ", 1";
    }
    return fromRegisters(b, ptx.emit(text + ";"), element);
  }
};

/// Results and buffers are passed on, so that their uses stay after the wait.
class WarpGroupDotWaitPattern
    : public lower::Pattern<ttng::WarpGroupDotWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::WarpGroupDotWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    SmallVector<Value> results(adaptor.getInputs());
    bool hasWaited = false;
    for (auto [input, result] : llvm::zip_equal(op.getInputs(), results)) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (!type)
        continue;
      SmallVector<Value> elements =
          waitFor(b, op.getPendings(), unpackElements(b, result));
      result = packElements(b, converter, elements, type);
      hasWaited = true;
    }
    if (!hasWaited)
      waitFor(b, op.getPendings(), {});
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void lower::populateWgmmaPatterns(const TypeConverter &converter,
                                  Patterns &patterns,
                                  const TargetHooks &hooks) {
  patterns.add<WarpGroupDotPattern, WarpGroupDotWaitPattern>(converter, hooks);
}
