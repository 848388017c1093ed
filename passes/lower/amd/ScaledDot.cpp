//===- ScaledDot.cpp - tt.dot_scaled by MFMA and WMMA ---------------------===//
//
// CDNA 4 ISA, `V_MFMA_SCALE_F32_*_F8F6F4`: a lane's scale stands for its row
// or column and 32 elements of K, and two bits choose the byte of a register
// that has four. gfx1250's `V_WMMA_SCALE_*`: the bytes are those of four blocks
// along K, and a bit chooses the half of the lanes that gives them.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/ScaledProducts.h"
#include "dialects/ttg/Layouts.h"
#include "passes/analysis/DotPlan.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

std::optional<MatrixElement> elementOf(tt::ScaleDotElemType type) {
  switch (type) {
  case tt::ScaleDotElemType::E4M3:
    return MatrixElement::E4M3;
  case tt::ScaleDotElemType::E5M2:
    return MatrixElement::E5M2;
  case tt::ScaleDotElemType::E2M1:
    return MatrixElement::E2M1;
  default:
    return std::nullopt;
  }
}

int32_t formatOf(MatrixElement element) {
  return static_cast<int32_t>(llvm::find(scaledFormats, element) -
                              std::begin(scaledFormats));
}

/// A and B differ in which dimension is K.
struct Side {
  MatrixElement element;
  unsigned outer, k;
  /// Where elements are; of those that share a byte each has a register.
  LinearLayout layout;

  /// A tensor of `type`, packed in pairs along K if its elements have 4 bits.
  static Side of(RankedTensorType type, MatrixElement element, unsigned k) {
    LinearLayout layout = ttg::toLinearLayout(type);
    if (bitsOf(element) != 4)
      return {element, 1 - k, k, layout};
    ttg::LayoutDims names(type.getContext());
    std::vector<LinearLayout::Bases> bases;
    for (const LinearLayout::Dim &in : layout.getInDims()) {
      std::vector<std::vector<int32_t>> all = layout.getBases(in.name);
      for (std::vector<int32_t> &basis : all)
        basis[k] *= 2;
      if (in.name == names.reg)
        all.insert(all.begin(), k == 0 ? std::vector<int32_t>{1, 0}
                                       : std::vector<int32_t>{0, 1});
      bases.emplace_back(in.name, std::move(all));
    }
    SmallVector<LinearLayout::NamedValue> outs = layout.getOutDimSizes();
    outs[k].second *= 2;
    std::string error;
    return {element, 1 - k, k, *LinearLayout::create(bases, outs, error)};
  }
};

/// Row or column, and element of K.
using Place = std::pair<int32_t, int32_t>;

Place placeOf(const Side &side, unsigned r) {
  ttg::LayoutDims names(side.layout.getOutDims()[0].name.getContext());
  auto at = side.layout.apply({{names.reg, static_cast<int32_t>(r)}});
  return {at[side.outer].second, at[side.k].second};
}

/// Whether the instruction's blocks of K are the tensor's: `registers` are
/// those of a fragment.
bool keepsBlocks(const Side &side, const MatrixFragment &fragment,
                 ArrayRef<unsigned> registers) {
  ttg::LayoutDims names(side.layout.getOutDims()[0].name.getContext());
  auto agrees = [](const FragmentBit &bit, int32_t step) {
    return bit.dim != 'k' ||
           (bit.log2 < elementsPerScaleLog2 ? step < int32_t(elementsPerScale)
                                            : step == int32_t(1) << bit.log2);
  };
  const int32_t first = placeOf(side, registers[0]).second;
  for (auto [i, bit] : llvm::enumerate(fragment.registerBits()))
    if (!agrees(bit, placeOf(side, registers[size_t{1} << i]).second ^ first))
      return false;
  for (auto [i, bit] : llvm::enumerate(fragment.laneBits()))
    if (!agrees(bit, side.layout.getBasis(names.lane, i)[side.k]))
      return false;
  return true;
}

/// What one instruction gets for an operand.
struct ScaleOperand {
  Value word;
  int32_t selection = 0;
};

/// The scales of one operand.
class Scales {
public:
  /// Nothing if lanes do not hold those of the rows and blocks that they must
  /// give.
  static std::optional<Scales> of(lower::Builder &b, Value tensor, Value packed,
                                  const Side &side,
                                  const MatrixFragment &fragment, bool isMfma) {
    Scales scales(isMfma);
    if (!tensor)
      return scales;
    LinearLayout layout =
        ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
    ttg::LayoutDims names(b.getContext());
    int32_t block = 1;
    for (auto [i, bit] : llvm::enumerate(fragment.laneBits())) {
      SmallVector<int32_t> basis = layout.getBasis(names.lane, i);
      if (bit.dim != 'k') {
        if (basis[0] != side.layout.getBasis(names.lane, i)[side.outer] ||
            basis[1] != 0)
          return std::nullopt;
      } else if (isMfma) {
        if (basis[0] != 0 || basis[1] != block)
          return std::nullopt;
        block *= 2;
      } else {
        scales.otherHalf = {basis[0], basis[1]};
      }
    }
    for (StringAttr in : {names.warp, names.block})
      for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
        SmallVector<int32_t> own = layout.getBasis(in, bit),
                             data = side.layout.getBasis(in, bit);
        if (own[0] != data[side.outer] || own[1] != 0 || data[side.k] != 0)
          return std::nullopt;
      }
    for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r) {
      auto at = layout.apply({{names.reg, r}});
      scales.registers.try_emplace({at[0].second, at[1].second}, r);
    }
    scales.elements = unpackElements(b, packed);
    return scales;
  }

  bool areAbsent() const { return elements.empty(); }

  /// Those of an instruction whose part of the operand begins at `place`; null
  /// if this lane lacks one.
  ScaleOperand at(lower::Builder &b, Place place) const {
    if (areAbsent())
      return {b.i32(0x7F7F7F7F)};
    place.second /= int32_t(elementsPerScale);
    return isMfma ? byteAt(b, place) : blocksAt(b, place);
  }

private:
  explicit Scales(bool isMfma) : isMfma(isMfma) {}

  ScaleOperand byteAt(lower::Builder &b, Place place) const {
    auto found = registers.find(place);
    if (found == registers.end())
      return {};
    // Four registers in a row share a word, so that instructions do, too.
    const size_t first = found->second & ~3u;
    return {wordOf(b, ArrayRef(elements).drop_front(first).take_front(4)),
            static_cast<int32_t>(found->second & 3u)};
  }

  ScaleOperand blocksAt(lower::Builder &b, Place place) const {
    constexpr int32_t blocks = 4;
    for (int32_t half : {0, 1}) {
      SmallVector<Value> bytes;
      for (int32_t block = 0; block < blocks; ++block) {
        auto found = registers.find(
            {place.first ^ (half ? otherHalf.first : 0),
             (place.second + block) ^ (half ? otherHalf.second : 0)});
        if (found != registers.end())
          bytes.push_back(elements[found->second]);
      }
      if (bytes.size() == blocks)
        return {wordOf(b, bytes), half};
    }
    return {};
  }

  static Value wordOf(lower::Builder &b, ArrayRef<Value> bytes) {
    SmallVector<Value> all(bytes);
    all.resize(4, b.zero(b.intType(8)));
    return joinBits(b, all, b.intType(32));
  }

  bool isMfma;
  /// From row or column and block, in the first lane.
  std::map<Place, uint32_t> registers;
  SmallVector<Value> elements;
  /// WMMA: how far the lanes from 16 on are from the first ones.
  Place otherHalf{0, 0};
};

/// The elements of a fragment as the vector of words that the intrinsics take.
/// `bytes` are a tensor's, in which each has one element or two.
Value wordsOf(lower::Builder &b, ArrayRef<Value> bytes,
              ArrayRef<unsigned> registers, MatrixElement element) {
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
  Value c = b.makeVector(sums), no = b.i1(false), zero = b.i32(0),
        formatOfX = b.i32(formatOf(ofX)), formatOfY = b.i32(formatOf(ofY)),
        selectionOfX = b.i32(scaleOfX.selection),
        selectionOfY = b.i32(scaleOfY.selection);
  const std::string types = suffixOf(x) + suffixOf(y);
  if (instruction.unit == MatrixUnit::MfmaCdna4)
    return b.splitVector(
        b.intrinsic(instruction.name.str() + types, c.getType(),
                    {x, y, c, formatOfX, formatOfY, selectionOfX, scaleOfX.word,
                     selectionOfY, scaleOfY.word}));
  // C as it is; scales are powers of two; no operand is used again.
  return b.splitVector(b.intrinsic(
      "llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32" + types, c.getType(),
      {formatOfX, x, formatOfY, y, b.zero(b.intType(16)), c, selectionOfX, zero,
       scaleOfX.word, selectionOfY, zero, scaleOfY.word, no, no}));
}

bool hasExponents(Value scale) {
  return !scale ||
         cast<RankedTensorType>(scale.getType()).getElementType().isInteger(8);
}

class AmdDotScaledPattern : public lower::Pattern<tt::DotScaledOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::DotScaledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const std::string &arch = hooks.getTarget().arch;
    auto ofA = elementOf(op.getAElemType()), ofB = elementOf(op.getBElemType());
    if (!ofA || !ofB || !op.getLhsKPack() || !op.getRhsKPack())
      return op.emitOpError("multiplies ")
             << tt::stringifyScaleDotElemType(op.getAElemType()) << " by "
             << tt::stringifyScaleDotElemType(op.getBElemType())
             << ", for which " << arch
             << " has no instruction with scales; it has for e4m3, e5m2, and "
                "e2m1 packed along K";
    if (!hasExponents(op.getAScale()) || !hasExponents(op.getBScale()))
      return op.emitOpError("has scales that are floats, which is not lowered "
                            "on ")
             << arch << " yet; they must be exponents in i8";
    if (op.getA().getType().getRank() != 2)
      return op.emitOpError("has a batch, which is not lowered on ")
             << arch << " yet";
    const Side a = Side::of(op.getA().getType(), *ofA, 1),
               right = Side::of(op.getB().getType(), *ofB, 0);
    auto result = cast<RankedTensorType>(op.getType());
    for (const MatrixInstruction *instruction :
         scaledInstructions(hooks.getTarget())) {
      // The transpose is computed with the operands exchanged, and then the
      // fragments are those of the other's elements.
      for (bool isTransposed : {false, true}) {
        MatrixFragments fragments =
            isTransposed ? scaledFragments(*instruction, *ofB, *ofA)
                         : scaledFragments(*instruction, *ofA, *ofB);
        auto plan = planDot(fragments, a.layout, right.layout,
                            ttg::toLinearLayout(result));
        if (!plan || plan->isTransposed != isTransposed)
          continue;
        if (isTransposed)
          std::swap(fragments.a, fragments.b);
        return emit(op, adaptor, rewriter, *instruction, *plan, fragments, a,
                    right);
      }
    }
    return op.emitOpError("has operands in other layouts than the "
                          "instructions of ")
           << arch << " take";
  }

private:
  /// `fragments` are those that A and B of the op fill.
  LogicalResult emit(tt::DotScaledOp op, OpAdaptor adaptor,
                     ConversionPatternRewriter &rewriter,
                     const MatrixInstruction &instruction, const DotPlan &plan,
                     const MatrixFragments &fragments, const Side &a,
                     const Side &right) const {
    lower::Builder b(op, rewriter);
    const bool isMfma = instruction.unit == MatrixUnit::MfmaCdna4;
    auto ofA = Scales::of(b, op.getAScale(), adaptor.getAScale(), a,
                          fragments.a, isMfma),
         ofB = Scales::of(b, op.getBScale(), adaptor.getBScale(), right,
                          fragments.b, isMfma);
    SmallVector<Value> x = unpackElements(b, adaptor.getA()),
                       y = unpackElements(b, adaptor.getB()),
                       sums = unpackElements(b, adaptor.getC());
    for (SmallVector<Value> *bytes : {&x, &y})
      for (Value &byte : *bytes)
        byte = b.toBits(byte);
    for (const DotStep &step : plan.steps) {
      ScaleOperand scaleOfA, scaleOfB;
      // Blocks matter only with scales.
      if (ofA && (ofA->areAbsent() || keepsBlocks(a, fragments.a, step.a)))
        scaleOfA = ofA->at(b, placeOf(a, step.a[0]));
      if (ofB && (ofB->areAbsent() || keepsBlocks(right, fragments.b, step.b)))
        scaleOfB = ofB->at(b, placeOf(right, step.b[0]));
      if (!scaleOfA.word || !scaleOfB.word)
        return op.emitOpError("has scales in other layouts than the "
                              "instructions of ")
               << hooks.getTarget().arch << " take";
      // With scales of zero MFMA is the instruction without scales.
      if (isMfma && ofA->areAbsent() && ofB->areAbsent())
        scaleOfA.word = scaleOfB.word = b.i32(0);
      Value left = wordsOf(b, x, step.a, a.element),
            other = wordsOf(b, y, step.b, right.element);
      SmallVector<Value> c = pick(sums, step.c);
      SmallVector<Value> added =
          plan.isTransposed
              ? emitScaled(b, instruction, other, left, right.element,
                           a.element, scaleOfB, scaleOfA, c)
              : emitScaled(b, instruction, left, other, a.element,
                           right.element, scaleOfA, scaleOfB, c);
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
