//===- Reduce.cpp - tt.reduce ---------------------------------------------===//
//
// First the registers of a thread, then the lanes of a warp by a butterfly of
// shuffles, then the warps through shared memory, where every thread reads the
// partial results that it needs. Which bits of a place move along the axis says
// who takes part in which step.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "passes/lower/CombineRegion.h"
#include "passes/lower/Scratch.h"
#include "passes/lower/SharedAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// The parts of a reduction, from the layout of what it reduces.
struct ReducePlan {
  /// By in-dim: the bits that move along the axis, and those that move along
  /// other dimensions. Bits that move along neither hold copies.
  struct Bits {
    uint32_t along = 0, across = 0;
  };
  Bits registers, lanes, warps, blocks;
  /// True if no bit moves along the axis and across it at once.
  bool isSeparable = true;
  /// Where partial results of warps are kept: (register, lane, warp) -> offset,
  /// stored at the registers of the result, and loaded with those of the warps
  /// along the axis in front.
  LinearLayout store, load;

  bool isAcrossWarps() const { return warps.along; }
};

} // namespace

static ReducePlan planReduce(tt::ReduceOp op) {
  RankedTensorType type = op.getInputTypes().front();
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(op.getContext());
  StringAttr axis = layout.getOutDims()[op.getAxis()].name;
  ReducePlan plan;

  auto bitsOf = [&](StringAttr in) {
    ReducePlan::Bits bits;
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      bool along = layout.getBasis(in, bit, axis);
      bool across = false;
      for (StringAttr out : layout.getOutDimNames())
        across |= out != axis && layout.getBasis(in, bit, out);
      plan.isSeparable &= !(along && across);
      bits.along |= uint32_t(along) << bit;
      bits.across |= uint32_t(across) << bit;
    }
    return bits;
  };
  plan.registers = bitsOf(names.reg);
  plan.lanes = bitsOf(names.lane);
  plan.warps = bitsOf(names.warp);
  plan.blocks = bitsOf(names.block);

  // The warps along the axis are neighbours in memory, so that one load takes
  // several of them.
  unsigned partials = llvm::popcount(plan.warps.along), next = partials;
  SmallVector<uint64_t> store, load;
  for (unsigned i = 0; i < partials; ++i)
    load.push_back(uint64_t(1) << i);
  for (int i = 0, e = llvm::popcount(plan.registers.across); i < e; ++i, ++next)
    for (auto *columns : {&store, &load})
      columns->push_back(uint64_t(1) << next);
  unsigned partial = 0;
  for (auto [in, bits] :
       {std::pair(names.lane, plan.lanes), std::pair(names.warp, plan.warps)})
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      uint64_t column = 0;
      if (bits.across >> bit & 1)
        column = uint64_t(1) << next++;
      load.push_back(column);
      if (in == names.warp && bits.along >> bit & 1)
        column = uint64_t(1) << partial++;
      store.push_back(column);
    }
  LinearLayout::NamedValue memory{names.offset, int32_t(1) << next};
  auto dims = [&](unsigned registerBits) {
    return SmallVector<LinearLayout::NamedValue>{
        {names.reg, int32_t(1) << registerBits},
        {names.lane, layout.getInDimSize(names.lane)},
        {names.warp, layout.getInDimSize(names.warp)}};
  };
  int across = llvm::popcount(plan.registers.across);
  plan.store = LinearLayout::fromColumns(dims(across), {memory}, store);
  plan.load =
      LinearLayout::fromColumns(dims(across + partials), {memory}, load);
  return plan;
}

/// Bytes of the partial results of one operand.
static unsigned partialBytes(const ReducePlan &plan, Type element) {
  unsigned bytes = plan.store.getTotalOutDimSize() * storedBits(element) / 8;
  return llvm::alignTo(bytes, 16);
}

unsigned lower::scratchBytes(tt::ReduceOp op) {
  ReducePlan plan = planReduce(op);
  unsigned bytes = 0;
  if (plan.isAcrossWarps())
    for (RankedTensorType type : op.getInputTypes())
      bytes += partialBytes(plan, type.getElementType());
  return bytes;
}

namespace {

class ReducePattern : public lower::Pattern<tt::ReduceOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ReducePlan plan = planReduce(op);
    if (!plan.isSeparable)
      return op.emitOpError("has a layout with bits that move along the "
                            "reduced axis and across it at once; convert the "
                            "layout first");
    if (plan.blocks.along)
      return op.emitOpError("reduces along an axis that the CTAs of a cluster "
                            "share, which is not lowered yet");
    lower::Builder b(op.getLoc(), rewriter);
    auto combine = [&](const Tuple &first, const Tuple &second) {
      return emitCombination(rewriter, converter, op.getCombineOp(), first,
                             second);
    };

    std::vector<Tuple> elements = unpackTuples(b, adaptor.getSrcs());
    std::vector<Tuple> results = withinThread(plan, elements, combine);
    for (Tuple &result : results)
      withinWarp(b, plan, result, combine);
    if (plan.isAcrossWarps())
      results = acrossWarps(b, plan, op, results, combine);

    SmallVector<Value> packed;
    for (auto [index, type] : llvm::enumerate(op.getResultTypes()))
      packed.push_back(packElements(
          b, converter,
          llvm::map_to_vector(
              results, [&](const Tuple &result) { return result[index]; }),
          type));
    rewriter.replaceOp(op, packed);
    return success();
  }

private:
  using Combine = llvm::function_ref<Tuple(const Tuple &, const Tuple &)>;

  /// One tuple for each register of the result.
  static std::vector<Tuple> withinThread(const ReducePlan &plan,
                                         ArrayRef<Tuple> elements,
                                         Combine combine) {
    std::vector<Tuple> results;
    for (unsigned r = 0; r < elements.size(); ++r) {
      if (r & ~plan.registers.across)
        continue;
      Tuple &result = results.emplace_back(elements[r]);
      for (unsigned other = r + 1; other < elements.size(); ++other)
        if ((other & plan.registers.across) == r &&
            !(other & ~(plan.registers.across | plan.registers.along)))
          result = combine(result, elements[other]);
    }
    return results;
  }

  void withinWarp(lower::Builder &b, const ReducePlan &plan, Tuple &result,
                  Combine combine) const {
    for (uint32_t rest = plan.lanes.along; rest; rest &= rest - 1) {
      unsigned mask = rest & -rest;
      Tuple other = llvm::map_to_vector(result, [&](Value value) {
        return hooks.shuffleXor(b, value, mask);
      });
      result = combine(result, other);
    }
  }

  std::vector<Tuple> acrossWarps(lower::Builder &b, const ReducePlan &plan,
                                 tt::ReduceOp op, ArrayRef<Tuple> results,
                                 Combine combine) const {
    // One region of the scratch for each operand.
    std::vector<SharedPlaces> loads;
    Value base = sharedMemoryOf(b, op);
    for (auto [index, type] : llvm::enumerate(op.getInputTypes())) {
      SmallVector<Value> partials = llvm::map_to_vector(
          results, [&](const Tuple &result) { return result[index]; });
      storeShared(b, hooks, {plan.store, base, {}, 0, {}}, partials);
      loads.push_back({plan.load, base, {}, 0, {}});
      base = b.gep(b.intType(8), base,
                   b.i32(partialBytes(plan, type.getElementType())));
    }
    hooks.barrier(b);
    SmallVector<SmallVector<Value>> partials;
    for (auto [index, places] : llvm::enumerate(loads))
      partials.push_back(
          loadShared(b, hooks, places, results.front()[index].getType()));

    unsigned count = 1u << llvm::popcount(plan.warps.along);
    std::vector<Tuple> combined;
    for (unsigned r = 0; r < results.size(); ++r) {
      auto partial = [&](unsigned i) {
        return llvm::map_to_vector(partials, [&](ArrayRef<Value> values) {
          return values[r * count + i];
        });
      };
      Tuple &result = combined.emplace_back(partial(0));
      for (unsigned i = 1; i < count; ++i)
        result = combine(result, partial(i));
    }
    return combined;
  }
};

} // namespace

void lower::populateReducePatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<ReducePattern>(converter, hooks);
}
