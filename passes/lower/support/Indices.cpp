//===- Indices.cpp - Where a thread's elements are ------------------------===//
//
// A matrix over F2 times a vector of bits, as shifts, masks and xors: the
// matrix is the xor of its diagonals, and a diagonal is one mask and one shift.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/Indices.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace kernelscope::lower {

/// The xor of `columns[i]` over the bits i that are set in `x`.
static Value applyColumns(Builder &b, Value x, ArrayRef<int32_t> columns) {
  if (auto known = tt::constantOf(x)) {
    int32_t result = 0;
    for (auto [bit, column] : llvm::enumerate(columns))
      if (*known >> bit & 1)
        result ^= column;
    return b.i32(result);
  }
  // From how far a diagonal shifts left to the bits of `x` on it.
  std::map<int, uint32_t> diagonals;
  for (auto [bit, column] : llvm::enumerate(columns))
    for (uint32_t rest = column; rest; rest &= rest - 1)
      diagonals[llvm::countr_zero(rest) - static_cast<int>(bit)] |= 1u << bit;

  // A mask is needless only if `x` has no bits beyond the columns, which the
  // optimiser knows better: threads have a range.
  Value result = b.i32(0);
  for (auto [shift, mask] : diagonals) {
    Value part = b.bitAnd(x, b.i32(static_cast<int32_t>(mask)));
    part = shift < 0 ? b.lshr(part, b.i32(-shift)) : b.shl(part, b.i32(shift));
    result = b.bitXor(result, part);
  }
  return result;
}

/// What each bit of `in` contributes to `out`.
static SmallVector<int32_t> columnsOf(const LinearLayout &layout, StringAttr in,
                                      StringAttr out) {
  SmallVector<int32_t> columns;
  if (layout.hasInDim(in))
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
      columns.push_back(layout.getBasis(in, bit, out));
  return columns;
}

SmallVector<Value> applyLayout(Builder &b, const LinearLayout &layout,
                               ArrayRef<std::pair<StringAttr, Value>> inputs) {
  SmallVector<Value> results;
  for (StringAttr out : layout.getOutDimNames()) {
    Value result = b.i32(0);
    for (auto [in, value] : inputs)
      result =
          b.bitXor(result, applyColumns(b, value, columnsOf(layout, in, out)));
    results.push_back(result);
  }
  return results;
}

SmallVector<Value> applyToThread(Builder &b, const LinearLayout &layout,
                                 const TargetHooks &hooks) {
  ttg::LayoutDims names(b.getContext());
  unsigned laneBits = llvm::Log2_32(hooks.getTarget().warpSize);
  auto isZero = [](int32_t column) { return column == 0; };

  // Lane and warp are the low and high bits of the thread, so one mask and
  // shift often serves both. What is the same for all lanes stays so.
  SmallVector<Value> results;
  for (StringAttr out : layout.getOutDimNames()) {
    SmallVector<int32_t> columns = columnsOf(layout, names.lane, out),
                         ofWarps = columnsOf(layout, names.warp, out),
                         ofCtas = columnsOf(layout, names.block, out);
    Value place = b.i32(0);
    if (!llvm::all_of(columns, isZero)) {
      columns.resize(laneBits, 0);
      llvm::append_range(columns, ofWarps);
      place = applyColumns(b, hooks.threadId(b), columns);
    } else if (!llvm::all_of(ofWarps, isZero)) {
      place = applyColumns(b, hooks.warpId(b), ofWarps);
    }
    if (!llvm::all_of(ofCtas, isZero))
      place = b.bitXor(place, applyColumns(b, hooks.ctaId(b), ofCtas));
    results.push_back(place);
  }
  return results;
}

SmallVector<SmallVector<Value>>
emitIndices(Builder &b, const LinearLayout &layout, const TargetHooks &hooks) {
  StringAttr reg = ttg::LayoutDims(b.getContext()).reg;
  SmallVector<Value> bases = applyToThread(b, layout, hooks);
  SmallVector<SmallVector<Value>> indices;
  for (int32_t r = 0, e = layout.getInDimSize(reg); r < e; ++r) {
    SmallVector<Value> &coordinates = indices.emplace_back();
    for (auto [base, offset] : llvm::zip(bases, layout.apply({{reg, r}})))
      coordinates.push_back(b.bitXor(base, b.i32(offset.second)));
  }
  return indices;
}

std::vector<SmallVector<int32_t>> registerCoordinates(RankedTensorType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(type.getContext());
  std::vector<SmallVector<int32_t>> all;
  for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r) {
    SmallVector<LinearLayout::NamedValue> inputs;
    for (StringAttr in : layout.getInDimNames())
      inputs.push_back({in, in == names.reg ? r : 0});
    SmallVector<int32_t> &at = all.emplace_back();
    for (auto [dim, coordinate] : layout.apply(inputs))
      at.push_back(coordinate);
  }
  return all;
}

} // namespace kernelscope::lower
