//===- WarpPartials.cpp - Partial results of warps, exchanged -------------===//

#include "passes/lower/support/WarpPartials.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/SharedExchangePlan.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

AxisSplit lower::splitAlong(const LinearLayout &layout, StringAttr axis) {
  ttg::LayoutDims names(axis.getContext());
  AxisSplit split;
  for (auto [in, bits] : {std::pair(names.reg, &split.registers),
                          std::pair(names.lane, &split.lanes),
                          std::pair(names.warp, &split.warps),
                          std::pair(names.block, &split.blocks)})
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      bool along = layout.getBasis(in, bit, axis) != 0;
      bool across = false;
      for (StringAttr out : layout.getOutDimNames())
        across |= out != axis && layout.getBasis(in, bit, out) != 0;
      split.isSeparable &= !(along && across);
      bits->along |= uint32_t(along) << bit;
      bits->across |= uint32_t(across) << bit;
    }
  const unsigned bitsAlong = llvm::popcount(split.registers.along) +
                             llvm::popcount(split.lanes.along) +
                             llvm::popcount(split.warps.along) +
                             llvm::popcount(split.blocks.along);
  split.isSeparable &= bitsAlong == layout.getOutDimSizeLog2(axis);
  return split;
}

LogicalResult lower::checkSplit(Operation *op, const AxisSplit &split) {
  if (!split.isSeparable)
    return op->emitOpError("has a layout with bases that move both along the "
                           "axis and across it, or that reach a position along "
                           "it twice; run convert-combined-operands first");
  return success();
}

WarpPartials::WarpPartials(const LinearLayout &layout, unsigned registers,
                           uint32_t lanes, const AxisBits &warps,
                           const AxisBits &blocks, uint32_t spread)
    : numAlong(spread ? 0
                      : llvm::popcount(warps.along) +
                            llvm::popcount(blocks.along)) {
  ttg::LayoutDims names(layout.getInDims().front().name.getContext());
  const unsigned warpsAlong = llvm::popcount(warps.along);
  unsigned next = warpsAlong, partial = 0, spreadPartial = 0;
  SmallVector<uint64_t> stored, loaded;
  for (unsigned i = 0; i < numAlong; ++i)
    loaded.push_back(i < warpsAlong ? uint64_t(1) << i : 0);
  for (unsigned i = 0; i < registers; ++i, ++next)
    for (auto *columns : {&stored, &loaded})
      columns->push_back(uint64_t(1) << next);
  for (auto [in, kept] :
       {std::pair(names.lane, lanes), std::pair(names.warp, warps.across)})
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      uint64_t column = kept >> bit & 1 ? uint64_t(1) << next++ : 0;
      const bool isSpread = in == names.lane && spread >> bit & 1;
      loaded.push_back(isSpread ? uint64_t(1) << spreadPartial++ : column);
      if (in == names.warp && warps.along >> bit & 1)
        column = uint64_t(1) << partial++;
      stored.push_back(column);
    }
  LinearLayout::NamedValue partials{names.offset, int32_t(1) << next};
  auto dims = [&](unsigned registerBits) {
    return SmallVector<LinearLayout::NamedValue>{
        {names.reg, int32_t(1) << registerBits},
        {names.lane, layout.getInDimSize(names.lane)},
        {names.warp, layout.getInDimSize(names.warp)},
        {names.block, 1}};
  };
  source = LinearLayout::fromColumns(dims(registers), {partials}, stored);
  result =
      LinearLayout::fromColumns(dims(registers + numAlong), {partials}, loaded);
  if (!blocks.along)
    return;
  // Each block's memory in turn, of those that are elsewhere across the axis
  // the own.
  SmallVector<uint64_t> owners(result.getTotalInDimSizeLog2(), 0);
  unsigned inFront = warpsAlong;
  for (unsigned bit = 0; bit < layout.getInDimSizeLog2(names.block); ++bit) {
    const bool isAlong = blocks.along >> bit & 1;
    owners.push_back(isAlong ? 0 : uint64_t(1) << bit);
    if (isAlong)
      owners[inFront++] = uint64_t(1) << bit;
  }
  LinearLayout::NamedValue block{names.block, layout.getInDimSize(names.block)};
  SmallVector<LinearLayout::NamedValue> ins = dims(registers + numAlong);
  ins.back() = block;
  owner = LinearLayout::fromColumns(ins, {block}, owners);
}

unsigned WarpPartials::bytesOf(Type element) const {
  return source.getTotalOutDimSize() * tt::bytesInMemory(element);
}

unsigned WarpPartials::bytes(ArrayRef<Type> elements) const {
  unsigned bytes = 0;
  for (Type element : elements)
    bytes += bytesOf(element);
  return bytes;
}

/// The first byte of each operand's region of `sizes`, powers of two. The
/// widest come first, so that each is aligned to its size.
static SmallVector<unsigned> placeRegions(ArrayRef<unsigned> sizes) {
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(sizes.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(sizes[b], a) < std::pair(sizes[a], b);
  });
  SmallVector<unsigned> begins(sizes.size());
  unsigned end = 0;
  for (size_t index : order)
    begins[index] = std::exchange(end, end + sizes[index]);
  return begins;
}

std::vector<std::vector<Tuple>>
WarpPartials::exchange(lower::Builder &b, const TargetHooks &hooks, Value base,
                       ArrayRef<Type> elements, ArrayRef<Tuple> results) const {
  // One region for each operand. Every block places them alike.
  SmallVector<unsigned> begins = placeRegions(llvm::map_to_vector(
      elements, [&](Type element) { return bytesOf(element); }));
  Conversion conversion = *planConversion(source, result);
  std::vector<SharedPlaces> places;
  for (auto [index, element] : llvm::enumerate(elements)) {
    SmallVector<Value> own = llvm::map_to_vector(
        results, [&](const Tuple &result) { return result[index]; });
    SharedExchange plan = planSharedExchange(conversion, source, result,
                                             8 * tt::bytesInMemory(element));
    Value region =
        b.gep(b.intType(8), base, b.i32(static_cast<int32_t>(begins[index])));
    storeShared(b, hooks, {plan.store, region, {}, 0, {}}, own);
    places.push_back({plan.load, region, {}, 0, {}, /*isAligned=*/true, owner});
  }
  if (owner)
    hooks.cluster()->barrier(b);
  else
    hooks.barrier(b);
  std::vector<std::vector<Tuple>> all(results.size(),
                                      std::vector<Tuple>(1u << numAlong));
  for (auto [index, place] : llvm::enumerate(places)) {
    SmallVector<Value> loaded =
        loadShared(b, hooks, place, results.front()[index].getType());
    for (auto [i, value] : llvm::enumerate(loaded))
      all[i >> numAlong][i & ((1u << numAlong) - 1)].push_back(value);
  }
  if (owner)
    hooks.cluster()->barrier(b); // before any block stores there again, or ends
  return all;
}
