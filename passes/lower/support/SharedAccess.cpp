//===- SharedAccess.cpp - A thread's registers in shared memory -----------===//

#include "passes/lower/support/SharedAccess.h"
#include "dialects/layout/SharedBanks.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

SmallVector<unsigned> lower::vectorBits(const SharedPlaces &places,
                                        unsigned maxElements) {
  const LinearLayout &offsets = places.offsets;
  StringAttr reg =
      ttg::LayoutDims(offsets.getInDims()[0].name.getContext()).reg;
  return kernelscope::vectorBits(offsets, reg, maxElements, places.gaps,
                                 places.windowMask);
}

void lower::visitShared(
    lower::Builder &b, const TargetHooks &hooks, const SharedPlaces &places,
    Type element, unsigned maxElements,
    llvm::function_ref<void(Value, const SharedVector &)> visit) {
  const LinearLayout &offsets = places.offsets;
  ttg::LayoutDims names(b.getContext());
  SmallVector<unsigned> vector = vectorBits(places, maxElements);
  unsigned vectorMask = 0;
  for (unsigned bit : vector)
    vectorMask |= 1u << bit;

  // What this thread adds to all of its offsets, and the bits that it may set.
  SmallVector<std::pair<StringAttr, Value>> thread;
  int32_t threadMask = places.windowMask;
  for (StringAttr in : {names.lane, names.warp, names.block}) {
    int32_t mask = 0;
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(in); ++bit)
      mask |= offsets.getBasis(in, bit).front();
    threadMask |= mask;
    if (mask)
      thread.push_back({in, in == names.lane   ? hooks.laneId(b)
                            : in == names.warp ? hooks.warpId(b)
                                               : hooks.ctaId(b)});
  }
  Value own = applyLayout(b, offsets, thread).front();
  if (places.window)
    own = b.bitXor(own, places.window);

  auto withGaps = [&](Value offset) {
    Value result = offset;
    for (auto [interval, padding] : places.gaps) {
      Value gaps =
          b.lshr(offset, b.i32(static_cast<int32_t>(llvm::Log2_32(interval))));
      result = b.add(
          result,
          b.shl(gaps, b.i32(static_cast<int32_t>(llvm::Log2_32(padding)))));
    }
    return result;
  };

  // A register's part is a constant: what no thread's part touches goes into
  // the instruction, the rest is xored, once for all registers that share it.
  std::map<int32_t, Value> pointers;
  auto copies = static_cast<unsigned>(offsets.getZeroMask(names.reg));
  for (unsigned r = 0, e = offsets.getInDimSize(names.reg); r < e; ++r) {
    if (r & (vectorMask | copies))
      continue;
    int32_t constant =
        offsets.apply({{names.reg, static_cast<int32_t>(r)}}).front().second;
    int32_t mixed = constant & threadMask;
    Value &pointer = pointers[mixed];
    if (!pointer)
      pointer =
          b.gep(element, places.base, withGaps(b.bitXor(own, b.i32(mixed))));
    SharedVector registers;
    for (unsigned i = 0; i < 1u << vector.size(); ++i) {
      unsigned place = r;
      for (auto [from, to] : llvm::enumerate(vector))
        place |= (i >> from & 1) << to;
      registers.push_back(place);
    }
    visit(b.gep(element, pointer, withGaps(b.i32(constant & ~threadMask))),
          registers);
  }
}

static unsigned maxElementsOf(const TargetHooks &hooks, Type element) {
  return std::max(1u, hooks.maxSharedBits() / std::max(8u, bitWidth(element)));
}

void lower::storeShared(lower::Builder &b, const TargetHooks &hooks,
                        const SharedPlaces &places, ArrayRef<Value> elements) {
  SmallVector<Value> stored = toMemory(b, elements);
  Type element = stored.front().getType();
  visitShared(b, hooks, places, element, maxElementsOf(hooks, element),
              [&](Value pointer, const SharedVector &registers) {
                hooks.storeShared(b, pointer, pick(stored, registers));
              });
}

SmallVector<Value> lower::loadShared(lower::Builder &b,
                                     const TargetHooks &hooks,
                                     const SharedPlaces &places, Type element) {
  ttg::LayoutDims names(b.getContext());
  Type stored = memoryType(b, element);
  SmallVector<Value> results(places.offsets.getInDimSize(names.reg));
  visitShared(b, hooks, places, stored, maxElementsOf(hooks, stored),
              [&](Value pointer, const SharedVector &registers) {
                SmallVector<Value> loaded =
                    hooks.loadShared(b, pointer, stored, registers.size());
                for (auto [r, value] : llvm::zip_equal(registers, loaded))
                  results[r] = fromMemory(b, element, value);
              });
  auto copies = static_cast<unsigned>(places.offsets.getZeroMask(names.reg));
  for (auto [r, value] : llvm::enumerate(results))
    if (!value)
      value = results[r & ~copies];
  return results;
}
