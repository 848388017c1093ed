//===- IndexedBuffers.cpp - Gather and scatter in shared memory -----------===//
//
// ttg.local_gather, local_scatter and local_atomic_scatter_rmw.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/common/IndexedBuffers.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// Whether an index along `axis` may name an element that is in another CTA's
/// part of a buffer.
static bool reachesOtherCtas(ttg::MemDescType type, RankedTensorType indices,
                             unsigned axis) {
  ttg::LayoutDims names(type.getContext());
  LinearLayout buffer = ttg::toLinearLayout(type),
               registers = ttg::toLinearLayout(indices);
  SmallVector<StringAttr> dims = buffer.getOutDimNames();
  if (buffer.sublayoutIsZero({names.block}, dims))
    return false;
  LinearLayout owners = buffer.pseudoinvert().sublayout(dims, {names.block});
  // A window may begin in another CTA, too.
  if (!owners.sublayoutIsZero({dims[axis]}, {names.block}) ||
      type.getShape() != type.getAllocShape().take_back(type.getRank()))
    return true;
  const int32_t copies = buffer.getZeroMask(names.block);
  for (StringAttr in : registers.getInDimNames())
    for (unsigned bit = 0; bit < registers.getInDimSizeLog2(in); ++bit) {
      SmallVector<LinearLayout::NamedValue> coordinates;
      for (auto [index, dim] : llvm::enumerate(dims))
        coordinates.push_back(
            {dim, index == axis ? 0 : registers.getBasis(in, bit, dim)});
      const int32_t own = in == names.block ? int32_t(1) << bit : 0;
      if (owners.apply(coordinates).front().second != (own & ~copies))
        return true;
    }
  return false;
}

/// A pointer to the element of `memory` at each of `places`, in the CTA that
/// has it if `isInOthers`; none, with an error on `op`, where the buffer is in
/// several pieces.
static SmallVector<Value>
pointersInto(lower::Builder &b, const TargetHooks &hooks, Operation *op,
             const MemDesc &memory, ttg::MemDescType type, Type element,
             ArrayRef<SmallVector<Value>> places, bool isInOthers) {
  ttg::LayoutDims names(op->getContext());
  LinearLayout buffer = ttg::toLinearLayout(type);
  SmallVector<StringAttr> dims = buffer.getOutDimNames();
  if (isa<ttg::PartitionedSharedEncodingAttr>(type.getEncoding())) {
    op->emitOpError("indexes a buffer in several pieces, which is not lowered "
                    "yet");
    return {};
  }
  LinearLayout inverse = buffer.pseudoinvert(),
               toOffset = inverse.sublayout(dims, {names.offset});
  auto gaps = ttg::gapsOf(type.getEncoding());
  // Of CTAs that hold copies, each has the ones with its own bits.
  Value copy;
  if (isInOthers)
    copy = b.bitAnd(hooks.ctaId(b), b.i32(buffer.getZeroMask(names.block)));

  SmallVector<Value> pointers;
  for (const SmallVector<Value> &coordinates : places) {
    SmallVector<std::pair<StringAttr, Value>> inputs;
    for (auto [dim, coordinate, window] :
         llvm::zip_equal(dims, coordinates, memory.offsets))
      inputs.push_back({dim, b.add(coordinate, window)});
    Value base = memory.base;
    if (isInOthers) {
      Value owner =
          applyLayout(b, inverse.sublayout(dims, {names.block}), inputs)
              .front();
      base = hooks.cluster()->sharedOf(b, base, b.bitXor(owner, copy));
    }
    Value offset = applyLayout(b, toOffset, inputs).front();
    pointers.push_back(b.gep(element, base, lower::withGaps(b, offset, gaps)));
  }
  return pointers;
}

/// Calls `access` with a pointer to each element of `memory` that `indices`,
/// whose elements are `positions`, name along the op's axis. Fails with an
/// error on `op` where it cannot.
template <typename Op>
static LogicalResult
accessIndexed(lower::Builder &b, const TargetHooks &hooks, Op op, Value memory,
              ttg::MemDescType type, Value positions, Type element,
              llvm::function_ref<void(ArrayRef<Value>)> access) {
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  const bool isInOthers = reachesOtherCtas(type, indices, op.getAxis());
  bool isDone = false;
  LogicalResult made = amongCtas(b, hooks, op, isInOthers, [&] {
    SmallVector<Value> pointers = pointersInto(
        b, hooks, op, MemDesc::unpack(b, memory), type, element,
        namedCoordinates(b, hooks, indices, unpackElements(b, positions),
                         op.getAxis()),
        isInOthers);
    isDone = !pointers.empty();
    if (isDone)
      access(pointers);
  });
  return success(succeeded(made) && isDone);
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
    if (failed(accessIndexed(
            b, hooks, op, adaptor.getSrc(), op.getSrc().getType(),
            adaptor.getIndices(), stored, [&](ArrayRef<Value> pointers) {
              for (Value pointer : pointers)
                results.push_back(fromMemory(
                    b, element,
                    hooks.loadShared(b, pointer, stored, 1).front()));
            })))
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
    // Threads that hold copies store the same value.
    if (failed(accessIndexed(
            b, hooks, op, adaptor.getDst(), op.getDst().getType(),
            adaptor.getIndices(), values.front().getType(),
            [&](ArrayRef<Value> pointers) {
              for (ArrayRef<unsigned> access :
                   planAccesses(op, op.getValues().getType()).accesses)
                for (unsigned r : access)
                  hooks.storeShared(b, pointers[r], values[r]);
            })))
      return failure();
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
    if (failed(checkAtomic(op, hooks, op.getAtomicRmwOp(),
                           op.getValues().getType().getElementType())))
      return failure();
    lower::Builder outer(op, rewriter);
    SmallVector<Value> values = unpackElements(outer, adaptor.getValues());
    SmallVector<Value> masks = unpackOptional(outer, adaptor.getMask());
    // Of LLVM's scopes, the next larger one than a cluster is the GPU.
    const auto scope =
        hooks.getCtas() == 1 ? tt::MemSyncScope::CTA : tt::MemSyncScope::GPU;
    LogicalResult replaced = failure();
    if (failed(accessIndexed(
            outer, hooks, op, adaptor.getDst(), op.getDst().getType(),
            adaptor.getIndices(), values.front().getType(),
            [&](ArrayRef<Value> pointers) {
              replaced = replaceAtomic(op, rewriter, converter, hooks, masks,
                                       [&](lower::Builder &b, unsigned r) {
                                         return emitAtomicRMW(
                                             b, hooks, op.getAtomicRmwOp(),
                                             {tt::MemSemantic::RELAXED, scope},
                                             pointers[r], values[r]);
                                       });
            })))
      return failure();
    return replaced;
  }
};

} // namespace

void lower::addIndexedBufferPatterns(const TypeConverter &converter,
                                     Patterns &patterns,
                                     const TargetHooks &hooks) {
  patterns
      .add<LocalGatherPattern, LocalScatterPattern, LocalAtomicScatterPattern>(
          converter, hooks);
}
