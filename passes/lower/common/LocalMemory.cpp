//===- LocalMemory.cpp - Buffers in shared memory and views of them -------===//
//
// ttg.local_alloc, local_load, local_store, local_dealloc, and the memdesc ops.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/MemDesc.h"
#include "passes/lower/support/RelaxedLoads.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class LocalAllocPattern : public lower::Pattern<ttg::LocalAllocOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalAllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getAllocSpace() != ttg::MemorySpace::Shared)
      return failure();
    lower::Builder b(op, rewriter);
    MemDesc memory{sharedMemoryOf(b, op),
                   SmallVector<Value>(op.getType().getRank(), b.i32(0))};
    if (op.getSrc()) {
      auto places =
          placesIn(b, op, op.getSrc().getType(), memory, op.getType());
      if (failed(places))
        return failure();
      if (failed(amongCtas(b, hooks, op, places->isInOtherCtas(), [&] {
            storeShared(b, hooks, *places, unpackElements(b, adaptor.getSrc()));
          })))
        return failure();
    }
    rewriter.replaceOp(op, memory.pack(b));
    return success();
  }
};

class LocalDeallocPattern : public lower::Pattern<ttg::LocalDeallocOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalDeallocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

class LocalLoadPattern : public lower::Pattern<ttg::LocalLoadOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    RankedTensorType type = op.getType();
    auto places = placesIn(b, op, type, MemDesc::unpack(b, adaptor.getSrc()),
                           op.getSrc().getType());
    if (failed(places))
      return failure();
    Operation *before = op->getPrevNode();
    SmallVector<Value> elements;
    if (failed(amongCtas(b, hooks, op, places->isInOtherCtas(), [&] {
          elements =
              loadShared(b, hooks, *places,
                         converter.convertElement(type.getElementType()));
        })))
      return failure();
    // An async_wait has waited for what it reads.
    if (op->hasAttr(relaxedLoadName))
      for (Operation *made = before ? before->getNextNode()
                                    : &op->getBlock()->front();
           made != op; made = made->getNextNode())
        if (made->getName().getStringRef() == "llvm.load")
          made->setAttr(relaxedLoadName, rewriter.getUnitAttr());
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }
};

class LocalStorePattern : public lower::Pattern<ttg::LocalStoreOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto places =
        placesIn(b, op, op.getSrc().getType(),
                 MemDesc::unpack(b, adaptor.getDst()), op.getDst().getType());
    if (failed(places))
      return failure();
    if (failed(amongCtas(b, hooks, op, places->isInOtherCtas(), [&] {
          storeShared(b, hooks, *places, unpackElements(b, adaptor.getSrc()));
        })))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Replaces a view by what `view` makes of the source's descriptor; a null base
/// is a failure that it has reported.
template <typename Op> class ViewPattern : public lower::Pattern<Op> {
public:
  using View = MemDesc (*)(lower::Builder &, Op, MemDesc, typename Op::Adaptor);
  ViewPattern(const lower::TypeConverter &converter, const TargetHooks &hooks,
              View view)
      : lower::Pattern<Op>(converter, hooks), view(view) {}

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // In tensor memory an address is all there is.
    if (adaptor.getSrc().getType().isInteger())
      return failure();
    lower::Builder b(op, rewriter);
    MemDesc memory = view(b, op, MemDesc::unpack(b, adaptor.getSrc()), adaptor);
    if (!memory.base)
      return failure();
    rewriter.replaceOp(op, memory.pack(b));
    return success();
  }

private:
  View view;
};

} // namespace

/// One buffer of a ring.
static MemDesc viewOf(lower::Builder &b, ttg::MemDescIndexOp op, MemDesc memory,
                      ttg::MemDescIndexOp::Adaptor adaptor) {
  ttg::MemDescType type = op.getType();
  // The linear part of a padded layout gives the stride; gaps follow from it.
  Value elements = b.mul(b.add(memory.offsets.front(), adaptor.getIndex()),
                         b.i32(ttg::toLinearLayout(type).getInDimSize(
                             ttg::LayoutDims(op.getContext()).offset)));
  Value start = lower::withGaps(b, elements, ttg::gapsOf(type.getEncoding()));
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  memory.base = b.gep(b.intType(8 * bytes), memory.base, start);
  memory.offsets.erase(memory.offsets.begin());
  return memory;
}

static MemDesc viewOf(lower::Builder &b, ttg::MemDescSubsliceOp op,
                      MemDesc memory, ttg::MemDescSubsliceOp::Adaptor) {
  for (auto [offset, step] : llvm::zip_equal(memory.offsets, op.getOffsets()))
    offset = b.add(offset, b.i32(step));
  return memory;
}

static MemDesc viewOf(lower::Builder &, ttg::MemDescTransOp op,
                      const MemDesc &memory, ttg::MemDescTransOp::Adaptor) {
  SmallVector<Value> offsets;
  for (int32_t dim : op.getOrder())
    offsets.push_back(memory.offsets[dim]);
  return {memory.base, offsets};
}

// A whole buffer, as the op's verifier says, wherever its descriptor comes
// from.
static MemDesc viewOf(lower::Builder &b, ttg::MemDescReshapeOp op,
                      const MemDesc &memory, ttg::MemDescReshapeOp::Adaptor) {
  return {memory.base, SmallVector<Value>(op.getType().getRank(), b.i32(0))};
}

static MemDesc viewOf(lower::Builder &b, ttg::MemDescReinterpretOp op,
                      const MemDesc &memory,
                      ttg::MemDescReinterpretOp::Adaptor) {
  ttg::MemDescType source = op.getSrc().getType();
  Value base = b.gep(b.intType(8 * tt::bytesInMemory(source.getElementType())),
                     memory.base, lower::windowStart(b, memory, source));
  return {base, SmallVector<Value>(op.getType().getRank(), b.i32(0))};
}

template <typename... Ops>
static void addViews(Patterns &patterns, const lower::TypeConverter &converter,
                     const TargetHooks &hooks) {
  (patterns.add(std::make_unique<ViewPattern<Ops>>(
       converter, hooks,
       [](lower::Builder &b, Ops op, MemDesc memory, Ops::Adaptor adaptor) {
         return viewOf(b, op, std::move(memory), adaptor);
       })),
   ...);
}

void lower::populateLocalMemoryPatterns(const TypeConverter &converter,
                                        Patterns &patterns,
                                        const TargetHooks &hooks) {
  patterns.add<LocalAllocPattern, LocalDeallocPattern, LocalLoadPattern,
               LocalStorePattern>(converter, hooks);
  addViews<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
           ttg::MemDescReshapeOp, ttg::MemDescReinterpretOp>(patterns,
                                                             converter, hooks);
}
