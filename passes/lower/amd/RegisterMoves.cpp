//===- RegisterMoves.cpp - Ops that choose a thread's own registers -------===//
//
// amdg.in_thread_transpose, extract_slice and concat.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/amd/RegistersAt.h"
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
                            "reorder the registers of each thread");
    lower::Builder b(op, rewriter);
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    rewriter.replaceOp(op, packElements(b, converter,
                                        pick(elements, registerSources(*plan)),
                                        op.getType()));
    return success();
  }
};

class ExtractSlicePattern : public lower::Pattern<amdg::ExtractSliceOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::ExtractSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<RankedTensorType>(op.getType());
    auto source = registersAt(cast<RankedTensorType>(op.getSource().getType()));
    SmallVector<Value> elements = unpackElements(b, adaptor.getSource());
    SmallVector<Value> results;
    for (SmallVector<int32_t> &place : registerCoordinates(type)) {
      for (auto [value, offset] : llvm::zip_equal(place, op.getStaticOffsets()))
        value += static_cast<int32_t>(offset);
      results.push_back(elements[source.at(place)]);
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
    auto registers = registersAt(part);
    SmallVector<SmallVector<Value>> parts;
    for (Value source : adaptor.getSources())
      parts.push_back(unpackElements(b, source));
    SmallVector<Value> results;
    for (SmallVector<int32_t> &place : registerCoordinates(type)) {
      int64_t index = 0;
      for (auto [value, size, whole] :
           llvm::zip_equal(place, part.getShape(), type.getShape())) {
        index = index * (whole / size) + value / size;
        value %= static_cast<int32_t>(size);
      }
      results.push_back(parts[index][registers.at(place)]);
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
