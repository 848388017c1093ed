//===- AsyncCopy.cpp - Copies that go on by themselves --------------------===//
//
// ttg.async_copy_global_to_local, async_commit_group, async_wait.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "passes/lower/GlobalAccess.h"
#include "passes/lower/MemDesc.h"
#include "passes/lower/Scratch.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// True if an optional operand is absent or all zeros.
bool isAbsentOrZero(Value other) {
  if (!other)
    return true;
  DenseElementsAttr elements;
  if (!matchPattern(other, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return elements.getSplatValue<APInt>().isZero();
}

class AsyncCopyPattern : public lower::Pattern<ttg::AsyncCopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isAbsentOrZero(op.getOther()))
      return op.emitOpError("has an `other` that is not zero; only zeros are "
                            "stored where the mask is false");
    lower::Builder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getSrc().getType();
    Type element =
        converter.convertElement(op.getResult().getType().getElementType());
    unsigned bits = 8 * sharedBytes(element);
    SmallVector<Value> pointers = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    auto places = placesIn(b, op, type, MemDesc::unpack(b, adaptor.getResult()),
                           op.getResult().getType());
    if (failed(places))
      return failure();

    // As many elements as are neighbours in the same registers on both sides.
    SmallVector<unsigned> access = planAccesses(op, type).accesses.front();
    unsigned neighbours = 1;
    for (unsigned bit : vectorBits(*places, access.size())) {
      if (access[neighbours] != 1u << bit)
        break;
      neighbours *= 2;
    }
    unsigned elements = 0;
    for (unsigned width : hooks.asyncCopyBits())
      if (width % bits == 0 && width / bits <= neighbours)
        elements = width / bits;
    if (!elements)
      return reportTooNarrow(op, neighbours * bits);

    MemoryOptions options{op.getCache(), op.getEvict(), op.getIsVolatile(), 0};
    visitShared(b, hooks, *places, element, elements,
                [&](Value destination, const SharedVector &registers) {
                  unsigned first = registers.front();
                  hooks.asyncCopy(
                      b, destination, pointers[first], registers.size() * bits,
                      masks.empty() ? Value() : masks[first], options);
                });
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }

private:
  LogicalResult reportTooNarrow(Operation *op, unsigned found) const {
    InFlightDiagnostic error = op->emitOpError();
    SmallVector<unsigned> widths = hooks.asyncCopyBits();
    if (widths.empty())
      return error << "is not possible on " << hooks.getTarget().arch
                   << ", which has no asynchronous copies to shared memory";
    error << "finds neighbours of " << found << " bits in the pointers and the "
          << "shared layout; " << hooks.getTarget().arch << " copies ";
    llvm::interleave(
        widths, [&](unsigned width) { error << width; },
        [&] { error << " or "; });
    return error << " bits at once";
  }
};

class AsyncCommitGroupPattern : public lower::Pattern<ttg::AsyncCommitGroupOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCommitGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op.getLoc(), rewriter);
    hooks.asyncCommitGroup(b);
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class AsyncWaitPattern : public lower::Pattern<ttg::AsyncWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op.getLoc(), rewriter);
    hooks.asyncWait(b, op.getNum());
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateAsyncCopyPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<AsyncCopyPattern, AsyncCommitGroupPattern, AsyncWaitPattern>(
      converter, hooks);
}
