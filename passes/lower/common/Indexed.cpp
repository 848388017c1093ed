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
/// to compile, and slower than shared memory.
static constexpr unsigned maxGatherShuffles = 256;

/// Where the first holder of each element of the source is, if that is always
/// in the warp that asks for it, and shuffles are few enough.
static std::optional<LinearLayout> planWarpGather(tt::GatherOp op) {
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
  const unsigned candidates =
      1u << holders.sublayout(dims, {names.reg}).getMatrix().rank();
  const unsigned words =
      llvm::divideCeil(tt::bytesInMemory(type.getElementType()), 4u);
  if (indices.getInDimSize(names.reg) * candidates * words > maxGatherShuffles)
    return std::nullopt;
  return holders;
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
    if (auto holders = planWarpGather(op)) {
      rewriter.replaceOp(
          op, packElements(b, converter, gatherInWarp(b, op, adaptor, *holders),
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
                                  const LinearLayout &holders) const {
    ttg::LayoutDims names(op.getContext());
    SmallVector<StringAttr> dims = holders.getInDimNames();
    LinearLayout lanes = holders.sublayout(dims, {names.lane}),
                 registers = holders.sublayout(dims, {names.reg});
    SmallVector<unsigned> candidates{0};
    for (uint64_t step : registers.getMatrix().image())
      for (size_t i = 0, count = candidates.size(); i < count; ++i)
        candidates.push_back(candidates[i] ^ static_cast<unsigned>(step));
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> results;
    for (auto &coordinates : namedCoordinates(
             b, hooks, op.getIndices().getType(),
             unpackElements(b, adaptor.getIndices()), op.getAxis())) {
      SmallVector<std::pair<StringAttr, Value>> place;
      for (auto [dim, coordinate] : llvm::zip_equal(dims, coordinates))
        place.push_back({dim, coordinate});
      Value lane = applyLayout(b, lanes, place).front(),
            in = applyLayout(b, registers, place).front(), result;
      for (unsigned candidate : candidates) {
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
