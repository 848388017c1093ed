//===- WarpPartials.cpp - Partial results of warps, exchanged -------------===//

#include "passes/lower/support/WarpPartials.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"

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
  return split;
}

LogicalResult lower::checkSplit(Operation *op, const AxisSplit &split) {
  if (!split.isSeparable)
    return op->emitOpError("has a layout with bits that step both along the "
                           "axis and across it; convert the layout first");
  if (split.blocks.along)
    return op->emitOpError("combines along an axis that the CTAs of a cluster "
                           "share, which is not lowered yet");
  return success();
}

WarpPartials::WarpPartials(const LinearLayout &layout, unsigned registers,
                           uint32_t lanes, const AxisBits &warps)
    : warpsAlong(llvm::popcount(warps.along)) {
  ttg::LayoutDims names(layout.getInDims().front().name.getContext());
  unsigned next = warpsAlong, partial = 0;
  SmallVector<uint64_t> stored, loaded;
  for (unsigned i = 0; i < warpsAlong; ++i)
    loaded.push_back(uint64_t(1) << i);
  for (unsigned i = 0; i < registers; ++i, ++next)
    for (auto *columns : {&stored, &loaded})
      columns->push_back(uint64_t(1) << next);
  for (auto [in, kept] :
       {std::pair(names.lane, lanes), std::pair(names.warp, warps.across)})
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit) {
      uint64_t column = kept >> bit & 1 ? uint64_t(1) << next++ : 0;
      loaded.push_back(column);
      if (in == names.warp && warps.along >> bit & 1)
        column = uint64_t(1) << partial++;
      stored.push_back(column);
    }
  LinearLayout::NamedValue memory{names.offset, int32_t(1) << next};
  auto dims = [&](unsigned registerBits) {
    return SmallVector<LinearLayout::NamedValue>{
        {names.reg, int32_t(1) << registerBits},
        {names.lane, layout.getInDimSize(names.lane)},
        {names.warp, layout.getInDimSize(names.warp)}};
  };
  store = LinearLayout::fromColumns(dims(registers), {memory}, stored);
  load =
      LinearLayout::fromColumns(dims(registers + warpsAlong), {memory}, loaded);
}

unsigned WarpPartials::bytesOf(Type element) const {
  return llvm::alignTo(store.getTotalOutDimSize() * tt::bytesInMemory(element),
                       16);
}

unsigned WarpPartials::bytes(ArrayRef<Type> elements) const {
  unsigned bytes = 0;
  for (Type element : elements)
    bytes += bytesOf(element);
  return bytes;
}

std::vector<std::vector<Tuple>>
WarpPartials::exchange(lower::Builder &b, const TargetHooks &hooks, Value base,
                       ArrayRef<Type> elements, ArrayRef<Tuple> results) const {
  // One region for each operand.
  std::vector<SharedPlaces> places;
  for (auto [index, element] : llvm::enumerate(elements)) {
    SmallVector<Value> own = llvm::map_to_vector(
        results, [&](const Tuple &result) { return result[index]; });
    storeShared(b, hooks, {store, base, {}, 0, {}}, own);
    places.push_back({load, base, {}, 0, {}});
    base = b.gep(b.intType(8), base,
                 b.i32(static_cast<int32_t>(bytesOf(element))));
  }
  hooks.barrier(b);
  std::vector<std::vector<Tuple>> all(results.size(),
                                      std::vector<Tuple>(1u << warpsAlong));
  for (auto [index, place] : llvm::enumerate(places)) {
    SmallVector<Value> loaded =
        loadShared(b, hooks, place, results.front()[index].getType());
    for (auto [i, value] : llvm::enumerate(loaded))
      all[i >> warpsAlong][i & ((1u << warpsAlong) - 1)].push_back(value);
  }
  return all;
}
