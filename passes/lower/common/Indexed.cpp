//===- Indexed.cpp - tt.gather --------------------------------------------===//
//
// From other lanes, or through shared memory.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/common/IndexedBuffers.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/Scratch.h"
#include "passes/lower/support/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

SmallVector<SmallVector<Value>>
lower::namedCoordinates(lower::Builder &b, const TargetHooks &hooks,
                        RankedTensorType indices, ArrayRef<Value> positions,
                        unsigned axis) {
  auto all = emitIndices(b, ttg::toLinearLayout(indices), hooks);
  for (auto [coordinates, position] : llvm::zip_equal(all, positions))
    coordinates[axis] = b.sextOrTrunc(b.intType(32), position);
  return all;
}

/// Real Triton takes shuffles however many they are; more than these are slow
/// to compile.
static constexpr size_t maxGatherShuffles = 1024;

namespace {

/// A gather within warps.
struct WarpGather {
  /// Where the first holder of each element of the source is.
  LinearLayout holders;
  /// For each register of the indices, those of the source that may hold its
  /// element.
  SmallVector<SmallVector<uint32_t>> candidates;
};

} // namespace

/// The registers in which each register of `indices` may find its element: only
/// the coordinates that are not known yet tell them apart.
static SmallVector<SmallVector<uint32_t>>
candidatesOf(const LinearLayout &holders, const LinearLayout &indices,
             StringAttr axis) {
  ttg::LayoutDims names(axis.getContext());
  SmallVector<StringAttr> dims = holders.getInDimNames(), known;
  llvm::copy_if(dims, std::back_inserter(known),
                [&](StringAttr dim) { return dim != axis; });
  const F2Matrix byIndex = holders.sublayout({axis}, {names.reg}).getMatrix();
  const LinearLayout byPlace =
      indices.sublayout(indices.getInDimNames(), known)
          .compose(holders.sublayout(known, {names.reg}));
  F2Matrix unknown{byIndex.rows, byIndex.columns};
  for (StringAttr in : {names.lane, names.warp, names.block})
    for (unsigned bit = 0; bit < byPlace.getInDimSizeLog2(in); ++bit)
      unknown.columns.push_back(byPlace.getBasis(in, bit, names.reg));
  SmallVector<SmallVector<uint32_t>> candidates;
  for (int32_t r = 0; r < indices.getInDimSize(names.reg); ++r) {
    auto &some = candidates.emplace_back();
    some.push_back(byPlace.apply({{names.reg, r}}).front().second);
    for (uint64_t step : unknown.image())
      for (size_t i = 0, count = some.size(); i < count; ++i)
        some.push_back(some[i] ^ static_cast<uint32_t>(step));
  }
  return candidates;
}

/// How `op` gathers if each element is in the warp that asks for it, and
/// shuffles are few enough.
static std::optional<WarpGather> planWarpGather(tt::GatherOp op) {
  RankedTensorType type = op.getSrc().getType();
  LinearLayout source = ttg::toLinearLayout(type),
               indices = ttg::toLinearLayout(op.getIndices().getType()),
               holders = source.pseudoinvert();
  ttg::LayoutDims names(op.getContext());
  SmallVector<StringAttr> dims = source.getOutDimNames();
  StringAttr axis = dims[op.getAxis()];
  if (!holders.sublayoutIsZero({axis}, {names.warp, names.block}))
    return std::nullopt;
  // What a warp or block holds is its own, or a copy that it has itself.
  for (StringAttr in : indices.getInDimNames())
    for (unsigned bit = 0; bit < indices.getInDimSizeLog2(in); ++bit) {
      SmallVector<LinearLayout::NamedValue> coordinates;
      for (StringAttr dim : dims)
        coordinates.push_back(
            {dim, dim == axis ? 0 : indices.getBasis(in, bit, dim)});
      for (auto [out, value] : holders.apply(coordinates)) {
        if (out != names.warp && out != names.block)
          continue;
        uint64_t own = in == out ? uint64_t(1) << bit : 0;
        if (uint64_t(value) != (own & ~source.getZeroMask(out)))
          return std::nullopt;
      }
    }
  // All warps of the indices must be of the source, too.
  for (StringAttr in : {names.warp, names.block})
    if (indices.getInDimSizeLog2(in) != source.getInDimSizeLog2(in))
      return std::nullopt;
  WarpGather plan{holders, candidatesOf(holders, indices, axis)};
  const size_t words =
      llvm::divideCeil(tt::bytesInMemory(type.getElementType()), 4u);
  if (plan.candidates.size() * plan.candidates.front().size() * words >
      maxGatherShuffles)
    return std::nullopt;
  return plan;
}

/// The source lies in scratch memory, the last dimension fastest.
static unsigned gatherScratchBytes(tt::GatherOp op) {
  if (planWarpGather(op))
    return 0;
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
    lower::Builder b(op, rewriter);
    if (auto plan = planWarpGather(op)) {
      rewriter.replaceOp(op, packElements(b, converter,
                                          gatherInWarp(b, op, adaptor, *plan),
                                          op.getType()));
      return success();
    }
    RankedTensorType source = op.getSrc().getType(), type = op.getType();
    LinearLayout layout = ttg::toLinearLayout(source);
    SmallVector<StringAttr> dims = layout.getOutDimNames();
    ttg::LayoutDims names(op.getContext());
    // Each CTA has its part of the source at the place that it has in all.
    const bool isShared = !layout.sublayoutIsZero({names.block}, dims);
    if (isShared && failed(checkClusterExchange(b, hooks, op)))
      return failure();
    LinearLayout owners = layout.pseudoinvert().sublayout(dims, {names.block});
    // `flattenOuts` has the first dimension lowest.
    SharedPlaces places{
        layout.transposeOuts(llvm::to_vector(llvm::reverse(dims)))
            .flattenOuts(names.offset),
        sharedMemoryOf(b, op),
        {},
        0,
        {}};
    storeShared(b, hooks, places, unpackElements(b, adaptor.getSrc()));
    if (isShared)
      hooks.cluster()->barrier(b);
    else
      hooks.barrier(b);

    Type element = converter.convertElement(type.getElementType());
    Type stored = memoryType(b, element);
    SmallVector<Value> results;
    for (auto &coordinates : namedCoordinates(
             b, hooks, op.getIndices().getType(),
             unpackElements(b, adaptor.getIndices()), op.getAxis())) {
      Value offset = b.i32(0), base = places.base;
      SmallVector<std::pair<StringAttr, Value>> place;
      for (auto [dim, coordinate, size] :
           llvm::zip_equal(dims, coordinates, source.getShape())) {
        offset =
            b.add(b.mul(offset, b.i32(static_cast<int32_t>(size))), coordinate);
        place.push_back({dim, coordinate});
      }
      if (isShared)
        base = hooks.cluster()->sharedOf(b, base,
                                         applyLayout(b, owners, place).front());
      Value loaded =
          hooks.loadShared(b, b.gep(stored, base, offset), stored, 1).front();
      results.push_back(fromMemory(b, element, loaded));
    }
    if (isShared)
      hooks.cluster()->barrier(b); // before any CTA stores there again, or ends
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }

private:
  /// Each element by a shuffle for each register that it may be in.
  SmallVector<Value> gatherInWarp(lower::Builder &b, tt::GatherOp op,
                                  OpAdaptor adaptor,
                                  const WarpGather &plan) const {
    ttg::LayoutDims names(op.getContext());
    SmallVector<StringAttr> dims = plan.holders.getInDimNames();
    LinearLayout lanes = plan.holders.sublayout(dims, {names.lane}),
                 registers = plan.holders.sublayout(dims, {names.reg});
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> results;
    auto wanted =
        namedCoordinates(b, hooks, op.getIndices().getType(),
                         unpackElements(b, adaptor.getIndices()), op.getAxis());
    for (auto [coordinates, candidates] :
         llvm::zip_equal(wanted, plan.candidates)) {
      SmallVector<std::pair<StringAttr, Value>> place;
      for (auto [dim, coordinate] : llvm::zip_equal(dims, coordinates))
        place.push_back({dim, coordinate});
      Value lane = applyLayout(b, lanes, place).front(),
            in = applyLayout(b, registers, place).front(), result;
      for (uint32_t candidate : candidates) {
        Value value = hooks.shuffleIdx(b, elements[candidate], lane);
        Value isThere =
            b.icmp(ICmp::eq, in, b.i32(static_cast<int32_t>(candidate)));
        result = result ? b.select(isThere, value, result) : value;
      }
      results.push_back(result);
    }
    return results;
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
  patterns.add<GatherPattern>(converter, hooks);
  addIndexedBufferPatterns(converter, patterns, hooks);
}
