//===- ScaledMma.cpp - tt.dot_scaled by mma.sync with block scales --------===//
//
// Microscaled products of workstation Blackwell. Bytes of A, B and C are where
// the mma of 8-bit elements has them; each lane gives the scales of its row of
// A and of its column of B. PTX ISA, "Block Scaling for mma.sync".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/analysis/DotPlan.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// What an instruction of 16 x 8 and 32 bytes of K multiplies.
struct Form {
  /// Elements in a byte.
  unsigned packing;
  /// Elements that share a scale, and what a scale of one is.
  unsigned block, one;
  std::string name;

  unsigned scales() const { return 32 * packing / block; }
};

StringRef ptxName(tt::ScaleDotElemType type) {
  switch (type) {
  case tt::ScaleDotElemType::E4M3:
    return "e4m3";
  case tt::ScaleDotElemType::E5M2:
    return "e5m2";
  case tt::ScaleDotElemType::E2M1:
    return "e2m1";
  default:
    return "";
  }
}

/// The form for these types; nothing if the unit does not multiply them as they
/// are.
std::optional<Form> formOf(tt::DotScaledOp op) {
  StringRef a = ptxName(op.getAElemType()), b = ptxName(op.getBElemType());
  bool isFp4 = op.getAElemType() == tt::ScaleDotElemType::E2M1;
  if (a.empty() || b.empty() ||
      isFp4 != (op.getBElemType() == tt::ScaleDotElemType::E2M1) ||
      !op.getLhsKPack() || !op.getRhsKPack())
    return std::nullopt;
  bool isFloat = false;
  for (Value scale : {op.getAScale(), op.getBScale()})
    isFloat |=
        scale && isa<FloatType>(
                     cast<RankedTensorType>(scale.getType()).getElementType());
  if (isFloat && !isFp4)
    return std::nullopt;
  Form form{isFp4 ? 2u : 1u, isFloat ? 16u : 32u, isFloat ? 0x38u : 0x7fu, {}};
  form.name = llvm::formatv(
      "mma.sync.aligned.m16n8k{0}.row.col.kind::{1}.block_scale.scale_vec::{2}X"
      ".f32.{3}.{4}.f32.{5}",
      32 * form.packing, isFp4 ? "mxf4nvf4" : "mxf8f6f4", form.scales(), a, b,
      isFloat ? "ue4m3" : "ue8m0");
  return form;
}

using Place = std::pair<int32_t, int32_t>;

/// The first lane's place of register `r`.
Place placeOf(const LinearLayout &layout, unsigned r) {
  ttg::LayoutDims names(layout.getOutDims()[0].name.getContext());
  auto at = layout.apply({{names.reg, static_cast<int32_t>(r)}});
  return {at[0].second, at[1].second};
}

/// The scales of one operand.
class Scales {
public:
  /// Along `dim` of the operand's layout `data` lie its rows (A) or columns
  /// (B). `other` is how far the lanes with an odd number are along it; they
  /// give the scales of A's lower eight rows. Nothing if lanes do not hold what
  /// they must give.
  static std::optional<Scales> of(lower::Builder &b, const Form &form,
                                  Value tensor, Value packed,
                                  const LinearLayout &data, unsigned dim,
                                  std::optional<int32_t> other) {
    Scales scales(form);
    if (!tensor)
      return scales;
    LinearLayout layout =
        ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
    ttg::LayoutDims names(b.getContext());
    auto agrees = [&](StringAttr in, unsigned bit) {
      SmallVector<int32_t> basis = layout.getBasis(in, bit);
      return basis[0] == data.getBasis(in, bit)[dim] && basis[1] == 0;
    };
    for (unsigned bit : {2, 3, 4})
      if (!agrees(names.lane, bit))
        return std::nullopt;
    for (StringAttr in : {names.warp, names.block})
      for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
        if (!agrees(in, bit))
          return std::nullopt;
    SmallVector<int32_t> odd = layout.getBasis(names.lane, 0);
    if (other && (odd[0] != *other || odd[1] != 0))
      return std::nullopt;
    for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r)
      scales.registers.try_emplace(placeOf(layout, r), r);
    for (Value element : unpackElements(b, packed))
      scales.elements.push_back(b.toBits(element));
    return scales;
  }

  /// The word with the scales of an instruction whose part of the operand
  /// begins at row or column `outer` and byte `k`; null if this lane lacks one.
  Value at(lower::Builder &b, int32_t outer, int32_t k) const {
    SmallVector<Value> bytes;
    for (unsigned i = 0; i < 4; ++i) {
      if (i >= form.scales() || elements.empty()) {
        bytes.push_back(b.intConstant(b.intType(8), form.one));
        continue;
      }
      auto column = static_cast<int32_t>(k * form.packing / form.block + i);
      auto found = registers.find({outer, column});
      if (found == registers.end())
        return {};
      bytes.push_back(elements[found->second]);
    }
    return joinBits(b, bytes, b.intType(32));
  }

private:
  explicit Scales(const Form &form) : form(form) {}

  Form form;
  std::map<Place, int32_t> registers;
  SmallVector<Value> elements;
};

/// The words of 32 bits that `bytes` fill.
std::string addWords(lower::Builder &b, Ptx &ptx, ArrayRef<Value> bytes) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < bytes.size(); i += 4)
    names.push_back(
        ptx.input(joinBits(b, bytes.slice(i, 4), b.intType(32)), "r"));
  return "{" + llvm::join(names, ", ") + "}";
}

SmallVector<Value> emitMma(lower::Builder &b, const Form &form,
                           ArrayRef<Value> left, ArrayRef<Value> right,
                           ArrayRef<Value> sums, Value leftScale,
                           Value rightScale) {
  Ptx ptx(b);
  SmallVector<std::string> results, added;
  for (Value sum : sums)
    results.push_back(ptx.output(sum.getType(), "f"));
  std::string a = addWords(b, ptx, left), c = addWords(b, ptx, right);
  for (Value sum : sums)
    added.push_back(ptx.input(sum, "f"));
  std::string scaleA = ptx.input(leftScale, "r"),
              scaleB = ptx.input(rightScale, "r");
  return ptx.emit(llvm::formatv("{0} {{{1}}, {2}, {3}, {{{4}}, {5}, {{0, 0}, "
                                "{6}, {{0, 0};",
                                form.name, llvm::join(results, ", "), a, c,
                                llvm::join(added, ", "), scaleA, scaleB)
                      .str());
}

class DotScaledPattern : public lower::Pattern<tt::DotScaledOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::DotScaledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<Form> form = formOf(op);
    if (!form)
      return op.emitOpError("multiplies ")
             << tt::stringifyScaleDotElemType(op.getAElemType()) << " by "
             << tt::stringifyScaleDotElemType(op.getBElemType())
             << ", which is not lowered yet; both must be of 8 bits with e8m0 "
                "scales, or both e2m1 packed along K";
    LinearLayout a = ttg::toLinearLayout(op.getA().getType()),
                 right = ttg::toLinearLayout(op.getB().getType());
    auto instructions =
        findMatrixInstructions(hooks.getTarget(), {.a = MatrixElement::E4M3,
                                                   .b = MatrixElement::E4M3,
                                                   .c = MatrixElement::F32,
                                                   .m = 16,
                                                   .n = 8,
                                                   .k = 32});
    std::optional<DotPlan> plan;
    if (!instructions.empty() && a.getOutDims().size() == 2)
      plan = planDot(instructions.front()->fragments, a, right,
                     ttg::toLinearLayout(cast<RankedTensorType>(op.getType())));
    if (!plan || plan->isTransposed)
      return op.emitOpError(
          "has operands in layouts that do not match mma.sync");

    lower::Builder b(op, rewriter);
    // Bit 2 of a register of A chooses the lower eight rows.
    ArrayRef<unsigned> first = plan->steps.front().a;
    int32_t lower = placeOf(a, first[4]).first ^ placeOf(a, first[0]).first;
    auto scalesA =
        Scales::of(b, *form, op.getAScale(), adaptor.getAScale(), a, 0, lower);
    auto scalesB = Scales::of(b, *form, op.getBScale(), adaptor.getBScale(),
                              right, 1, std::nullopt);
    SmallVector<Value> x = unpackElements(b, adaptor.getA()),
                       y = unpackElements(b, adaptor.getB()),
                       sums = unpackElements(b, adaptor.getC());
    for (SmallVector<Value> *bytes : {&x, &y})
      for (Value &byte : *bytes)
        byte = b.toBits(byte);
    for (const DotStep &step : plan->steps) {
      Place ofA = placeOf(a, step.a[0]), ofB = placeOf(right, step.b[0]);
      Value scaleA = scalesA ? scalesA->at(b, ofA.first, ofA.second) : Value(),
            scaleB = scalesB ? scalesB->at(b, ofB.second, ofB.first) : Value();
      if (!scaleA || !scaleB)
        return op.emitOpError(
            "has scales in layouts that do not match mma.sync");
      SmallVector<Value> added =
          emitMma(b, *form, pick(x, step.a), pick(y, step.b),
                  pick(sums, step.c), scaleA, scaleB);
      for (auto [r, value] : llvm::zip_equal(step.c, added))
        sums[r] = value;
    }
    rewriter.replaceOp(op, packElements(b, converter, pick(sums, plan->sources),
                                        op.getType()));
    return success();
  }
};

} // namespace

void lower::populateScaledMmaPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<DotScaledPattern>(converter, hooks);
}
