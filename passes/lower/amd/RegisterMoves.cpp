//===- RegisterMoves.cpp - Ops that choose a thread's own registers -------===//
//
// amdg.in_thread_transpose, extract_slice and concat.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/ConversionPlan.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class InThreadTransposePattern
    : public lower::Pattern<amdg::InThreadTransposeOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::InThreadTransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto plan = planConversion(ttg::toLinearLayout(op.getSrc().getType()),
                               ttg::toLinearLayout(op.getType()));
    if (!plan || plan->reach != Reach::Thread)
      return op.emitOpError("moves elements between threads; it may only "
                            "reorder the registers of each");
    lower::Builder b(op, rewriter);
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    rewriter.replaceOp(op, packElements(b, converter,
                                        pick(elements, registerSources(*plan)),
                                        op.getType()));
    return success();
  }
};

/// For each register of a tensor of `type`, its coordinates on the first
/// thread.
SmallVector<SmallVector<int64_t>> placesOf(RankedTensorType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(type.getContext());
  SmallVector<SmallVector<int64_t>> places;
  for (int32_t r = 0, e = layout.getInDimSize(names.reg); r < e; ++r) {
    SmallVector<int64_t> &place = places.emplace_back();
    for (auto [dim, value] : layout.apply({{names.reg, r}}))
      place.push_back(value);
  }
  return places;
}

/// The register of a tensor with `layout` that has the element at `place` on
/// the first thread: the verifier knows that there is one.
unsigned registerAt(const LinearLayout &layout, ArrayRef<int64_t> place) {
  ttg::LayoutDims names(layout.getInDims().front().name.getContext());
  SmallVector<LinearLayout::NamedValue> coordinates;
  for (auto [dim, value] : llvm::zip_equal(layout.getOutDimNames(), place))
    coordinates.push_back({dim, static_cast<int32_t>(value)});
  for (auto [in, value] : layout.pseudoinvert().apply(coordinates))
    if (in == names.reg)
      return static_cast<unsigned>(value);
  llvm_unreachable("a distributed layout has registers");
}

class ExtractSlicePattern : public lower::Pattern<amdg::ExtractSliceOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::ExtractSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<RankedTensorType>(op.getType());
    LinearLayout source =
        ttg::toLinearLayout(cast<RankedTensorType>(op.getSource().getType()));
    SmallVector<Value> elements = unpackElements(b, adaptor.getSource());
    SmallVector<Value> results;
    for (SmallVector<int64_t> &place : placesOf(type)) {
      for (auto [value, offset] : llvm::zip_equal(place, op.getStaticOffsets()))
        value += offset;
      results.push_back(elements[registerAt(source, place)]);
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

class ConcatPattern : public lower::Pattern<amdg::ConcatOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<RankedTensorType>(op.getType()),
         part = cast<RankedTensorType>(op.getSources().front().getType());
    LinearLayout layout = ttg::toLinearLayout(part);
    SmallVector<SmallVector<Value>> parts;
    for (Value source : adaptor.getSources())
      parts.push_back(unpackElements(b, source));
    SmallVector<Value> results;
    for (SmallVector<int64_t> &place : placesOf(type)) {
      int64_t index = 0;
      for (auto [value, size, whole] :
           llvm::zip_equal(place, part.getShape(), type.getShape())) {
        index = index * (whole / size) + value / size;
        value %= size;
      }
      results.push_back(parts[index][registerAt(layout, place)]);
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

} // namespace

void lower::populateRegisterMovePatterns(const TypeConverter &converter,
                                         Patterns &patterns,
                                         const TargetHooks &hooks) {
  patterns.add<InThreadTransposePattern, ExtractSlicePattern, ConcatPattern>(
      converter, hooks);
}
