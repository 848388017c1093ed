//===- Indexed.cpp - Elements at computed positions along an axis ---------===//
//
// tt.gather, ttg.local_gather, local_scatter and local_atomic_scatter_rmw. The
// position along the axis comes from a tensor of indices, those along the other
// dimensions are the element's own.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"
#include "passes/lower/support/Scratch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The coordinates that each register of `indices`, whose elements are
/// `positions`, names: its own, but for the one along `axis`.
static SmallVector<SmallVector<Value>>
namedCoordinates(lower::Builder &b, const TargetHooks &hooks,
                 RankedTensorType indices, ArrayRef<Value> positions,
                 unsigned axis) {
  auto all = emitIndices(b, ttg::toLinearLayout(indices), hooks);
  for (auto [coordinates, position] : llvm::zip_equal(all, positions))
    coordinates[axis] = b.sextOrTrunc(b.intType(32), position);
  return all;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The source lies in scratch memory, the last dimension fastest.
static unsigned gatherScratchBytes(tt::GatherOp op) {
  RankedTensorType source = op.getSrc().getType();
  return source.getNumElements() * tt::bytesInMemory(source.getElementType());
}

namespace {

class GatherPattern : public lower::Pattern<tt::GatherOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (hooks.getCtas() > 1)
      return op.emitOpError("gathers from the CTAs of a cluster, which is not "
                            "lowered yet");
    lower::Builder b(op, rewriter);
    RankedTensorType source = op.getSrc().getType(), type = op.getType();
    LinearLayout layout = ttg::toLinearLayout(source);
    SmallVector<StringAttr> dims = layout.getOutDimNames();
    // `flattenOuts` has the first dimension lowest.
    SharedPlaces places{
        layout.transposeOuts(llvm::to_vector(llvm::reverse(dims)))
            .flattenOuts(ttg::LayoutDims(op.getContext()).offset),
        sharedMemoryOf(b, op),
        {},
        0,
        {}};
    storeShared(b, hooks, places, unpackElements(b, adaptor.getSrc()));
    hooks.barrier(b);

    Type element = converter.convertElement(type.getElementType());
    Type stored = memoryType(b, element);
    SmallVector<Value> results;
    for (auto &coordinates : namedCoordinates(
             b, hooks, op.getIndices().getType(),
             unpackElements(b, adaptor.getIndices()), op.getAxis())) {
      Value offset = b.i32(0);
      for (auto [coordinate, size] :
           llvm::zip_equal(coordinates, source.getShape()))
        offset =
            b.add(b.mul(offset, b.i32(static_cast<int32_t>(size))), coordinate);
      Value loaded =
          hooks.loadShared(b, b.gep(stored, places.base, offset), stored, 1)
              .front();
      results.push_back(fromMemory(b, element, loaded));
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// A pointer to the element of `memory` at each of `places`; none, with an
/// error on `op`, where the buffer is not in this CTA alone.
static SmallVector<Value> pointersInto(lower::Builder &b, Operation *op,
                                       const MemDesc &memory,
                                       ttg::MemDescType type, Type element,
                                       ArrayRef<SmallVector<Value>> places) {
  ttg::LayoutDims names(op->getContext());
  LinearLayout buffer = ttg::toLinearLayout(type);
  SmallVector<StringAttr> dims = buffer.getOutDimNames();
  if (isa<ttg::PartitionedSharedEncodingAttr>(type.getEncoding()) ||
      !buffer.sublayoutIsZero({names.block}, dims)) {
    op->emitOpError("indexes a buffer in several pieces or CTAs, which is not "
                    "lowered yet");
    return {};
  }
  LinearLayout toOffset = buffer.pseudoinvert().sublayout(dims, {names.offset});
  SmallVector<std::pair<unsigned, unsigned>> gaps;
  if (auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(type.getEncoding()))
    for (auto [interval, padding] :
         llvm::zip_equal(padded.getIntervals(), padded.getPaddings()))
      gaps.push_back({llvm::Log2_32(interval), llvm::Log2_32(padding)});

  SmallVector<Value> pointers;
  for (const SmallVector<Value> &coordinates : places) {
    SmallVector<std::pair<StringAttr, Value>> inputs;
    for (auto [dim, coordinate, window] :
         llvm::zip_equal(dims, coordinates, memory.offsets))
      inputs.push_back({dim, b.add(coordinate, window)});
    Value offset = applyLayout(b, toOffset, inputs).front();
    Value withGaps = offset;
    for (auto [interval, padding] : gaps)
      withGaps = b.add(
          withGaps, b.shl(b.lshr(offset, b.i32(static_cast<int32_t>(interval))),
                          b.i32(static_cast<int32_t>(padding))));
    pointers.push_back(b.gep(element, memory.base, withGaps));
  }
  return pointers;
}

namespace {

class LocalGatherPattern : public lower::Pattern<ttg::LocalGatherOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalGatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<RankedTensorType>(op.getType());
    Type element = converter.convertElement(type.getElementType());
    Type stored = memoryType(b, element);
    SmallVector<Value> results;
    for (Value pointer : pointersInto(
             b, op, MemDesc::unpack(b, adaptor.getSrc()), op.getSrc().getType(),
             stored,
             namedCoordinates(
                 b, hooks, cast<RankedTensorType>(op.getIndices().getType()),
                 unpackElements(b, adaptor.getIndices()), op.getAxis())))
      results.push_back(fromMemory(
          b, element, hooks.loadShared(b, pointer, stored, 1).front()));
    if (results.empty())
      return failure();
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

class LocalScatterPattern : public lower::Pattern<ttg::LocalScatterOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    SmallVector<Value> values =
        toMemory(b, unpackElements(b, adaptor.getValues()));
    SmallVector<Value> pointers = pointersInto(
        b, op, MemDesc::unpack(b, adaptor.getDst()), op.getDst().getType(),
        values.front().getType(),
        namedCoordinates(
            b, hooks, cast<RankedTensorType>(op.getIndices().getType()),
            unpackElements(b, adaptor.getIndices()), op.getAxis()));
    if (pointers.empty())
      return failure();
    // Threads that hold copies store the same value.
    for (ArrayRef<unsigned> access :
         planAccesses(op, op.getValues().getType()).accesses)
      for (unsigned r : access)
        hooks.storeShared(b, pointers[r], values[r]);
    rewriter.eraseOp(op);
    return success();
  }
};

class LocalAtomicScatterPattern
    : public lower::Pattern<ttg::LocalAtomicScatterRMWOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::LocalAtomicScatterRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder outer(op, rewriter);
    SmallVector<Value> values = unpackElements(outer, adaptor.getValues());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    SmallVector<Value> pointers = pointersInto(
        outer, op, MemDesc::unpack(outer, adaptor.getDst()),
        op.getDst().getType(), values.front().getType(),
        namedCoordinates(
            outer, hooks, cast<RankedTensorType>(op.getIndices().getType()),
            unpackElements(outer, adaptor.getIndices()), op.getAxis()));
    if (pointers.empty())
      return failure();
    replaceAtomic(op, rewriter, converter, hooks, masks,
                  [&](lower::Builder &b, unsigned r) {
                    return emitAtomicRMW(
                        b, hooks, op.getAtomicRmwOp(),
                        {tt::MemSemantic::RELAXED, tt::MemSyncScope::CTA},
                        pointers[r], values[r]);
                  });
    return success();
  }
};

} // namespace

void lower::attachIndexedScratch(DialectRegistry &registry) {
  attachScratch<tt::TTDialect, tt::GatherOp, gatherScratchBytes>(registry);
  attachScratch<ttg::TTGDialect, ttg::LocalAtomicScatterRMWOp,
                atomicScratchBytes>(registry);
}

void lower::populateIndexedPatterns(const TypeConverter &converter,
                                    Patterns &patterns,
                                    const TargetHooks &hooks) {
  patterns.add<GatherPattern, LocalGatherPattern, LocalScatterPattern,
               LocalAtomicScatterPattern>(converter, hooks);
}
