//===- SharedAccess.cpp - A thread's registers in shared memory -----------===//

#include "passes/lower/support/SharedAccess.h"
#include "dialects/layout/SharedBanks.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/WordExchange.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

Value lower::withGaps(lower::Builder &b, Value elements,
                      ArrayRef<std::pair<unsigned, unsigned>> gaps) {
  Value reach = elements;
  for (auto [interval, padding] : gaps) {
    Value count =
        b.lshr(elements, b.i32(static_cast<int32_t>(llvm::Log2_32(interval))));
    reach = b.add(
        reach,
        b.shl(count, b.i32(static_cast<int32_t>(llvm::Log2_32(padding)))));
  }
  return reach;
}

LogicalResult lower::checkClusterExchange(lower::Builder &b,
                                          const TargetHooks &hooks,
                                          Operation *op) {
  if (!hooks.cluster())
    return op->emitOpError("needs data of other CTAs of the cluster, and ")
           << hooks.getTarget().arch
           << " cannot read their shared memory; use a layout "
           << "in which each CTA holds what it needs";
  return success();
}

LogicalResult lower::amongCtas(lower::Builder &b, const TargetHooks &hooks,
                               Operation *op, bool reachesOthers,
                               llvm::function_ref<void()> access) {
  if (!reachesOthers) {
    access();
    return success();
  }
  if (failed(checkClusterExchange(b, hooks, op)))
    return failure();
  hooks.cluster()->barrier(b);
  access();
  hooks.cluster()->barrier(b);
  return success();
}

SmallVector<unsigned> lower::vectorBits(const SharedPlaces &places,
                                        unsigned maxElements) {
  const LinearLayout &offsets = places.offsets;
  StringAttr reg =
      ttg::LayoutDims(offsets.getInDims()[0].name.getContext()).reg;
  auto gaps = places.gaps;
  if (!places.isAligned)
    for (auto &[interval, padding] : gaps)
      padding = interval;
  SmallVector<unsigned> bits = kernelscope::vectorBits(
      offsets, reg, maxElements, gaps, places.windowMask);
  for (auto [index, bit] : llvm::enumerate(bits))
    if (places.owner && places.owner->getBasis(reg, bit).front() != 0) {
      bits.truncate(index);
      break;
    }
  return bits;
}

/// The bits of the register index that only distinguish copies.
static unsigned copyBits(const SharedPlaces &places, StringAttr reg) {
  auto bits = static_cast<unsigned>(places.offsets.getZeroMask(reg));
  if (places.owner)
    bits &= static_cast<unsigned>(places.owner->getZeroMask(reg));
  return bits;
}

/// What this thread adds to all of its offsets. Gaps are counted by shifts of
/// the whole offset, which fold only if that is made of one number. Without
/// them ptxas is better off with a number each for lane and warp: of one, it
/// moves all loads of a loop ahead of the stores, with half as many registers
/// more.
static Value offsetOfThread(lower::Builder &b, const SharedPlaces &places,
                            const TargetHooks &hooks) {
  if (!hooks.getTarget().isNvidia() || !places.gaps.empty())
    return applyToThread(b, places.offsets, hooks).front();
  ttg::LayoutDims names(b.getContext());
  SmallVector<std::pair<StringAttr, Value>> thread = {
      {names.lane, hooks.laneId(b)}, {names.warp, hooks.warpId(b)}};
  if (places.offsets.getInDimSize(names.block) > 1)
    thread.push_back({names.block, hooks.ctaId(b)});
  return applyLayout(b, places.offsets, thread).front();
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
  int32_t threadMask = places.windowMask;
  for (StringAttr in : {names.lane, names.warp, names.block})
    for (unsigned bit = 0; bit < offsets.getInDimSizeLog2(in); ++bit)
      threadMask |= offsets.getBasis(in, bit).front();
  Value own = offsetOfThread(b, places, hooks);
  if (places.window)
    own = b.bitXor(own, places.window);

  // The buffer in the CTA, or the part of it, that a register is in.
  std::map<int32_t, Value> bases;
  Value ownOwner;
  if (places.owner)
    ownOwner = applyToThread(b, *places.owner, hooks).front();
  if (places.ownerWindow)
    ownOwner = b.bitXor(ownOwner, places.ownerWindow);
  if (places.owner && places.copiesMask)
    ownOwner =
        b.bitXor(ownOwner, b.bitAnd(hooks.ctaId(b), b.i32(places.copiesMask)));
  auto partOf = [&](const LinearLayout &layout, unsigned r) {
    return layout.apply({{names.reg, static_cast<int32_t>(r)}}).front().second;
  };
  auto baseOf = [&](int32_t owner) {
    if (!places.owner)
      return places.base;
    Value &base = bases[owner];
    if (base)
      return base;
    Value which = b.bitXor(ownOwner, b.i32(owner));
    base = places.partStride ? b.gep(b.intType(8), places.base,
                                     b.mul(which, b.i32(places.partStride)))
                             : hooks.cluster()->sharedOf(b, places.base, which);
    return base;
  };

  // A register's part is a constant: what no thread's part touches goes into
  // the instruction, the rest is xored, once for all registers that share it.
  using Shared = std::pair<int32_t, int32_t>;
  auto sharedBy = [&](unsigned r) {
    return Shared(places.owner ? partOf(*places.owner, r) : 0,
                  partOf(offsets, r) & threadMask);
  };
  llvm::MapVector<Shared, SmallVector<unsigned>> groups;
  SmallVector<unsigned> accesses;
  const unsigned copies = copyBits(places, names.reg);
  for (unsigned r = 0, e = offsets.getInDimSize(names.reg); r < e; ++r)
    if (!(r & (vectorMask | copies))) {
      groups[sharedBy(r)].push_back(r);
      accesses.push_back(r);
    }
  // LLVM joins two accesses of LDS into one instruction if only constants
  // differ and nothing that they may overlap lies between.
  if (hooks.getTarget().isAmd()) {
    accesses.clear();
    for (const auto &[shared, registers] : groups)
      llvm::append_range(accesses, registers);
  }
  std::map<Shared, Value> pointers;
  for (unsigned r : accesses) {
    const auto [owner, mixed] = sharedBy(r);
    const int32_t constant = partOf(offsets, r);
    Value &pointer = pointers[{owner, mixed}];
    if (!pointer)
      pointer = b.gep(element, baseOf(owner),
                      withGaps(b, b.bitXor(own, b.i32(mixed)), places.gaps));
    SharedVector registers;
    for (unsigned i = 0; i < 1u << vector.size(); ++i) {
      unsigned place = r;
      for (auto [from, to] : llvm::enumerate(vector))
        place |= (i >> from & 1) << to;
      registers.push_back(place);
    }
    visit(b.gep(element, pointer,
                withGaps(b, b.i32(constant & ~threadMask), places.gaps)),
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
  SharedPlaces exchanged = places;
  if (hooks.hasPermuteBytes())
    if (auto exchange = planWordExchange(places, bitWidth(element), false)) {
      stored = exchangeWords(b, hooks, *exchange, stored);
      exchanged.offsets = exchange->offsets;
    }
  visitShared(b, hooks, exchanged, element, maxElementsOf(hooks, element),
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
  SharedPlaces exchanged = places;
  std::optional<WordExchange> exchange;
  if (hooks.hasPermuteBytes())
    exchange = planWordExchange(places, bitWidth(stored), true);
  if (exchange)
    exchanged.offsets = exchange->offsets;
  visitShared(b, hooks, exchanged, stored, maxElementsOf(hooks, stored),
              [&](Value pointer, const SharedVector &registers) {
                SmallVector<Value> loaded =
                    hooks.loadShared(b, pointer, stored, registers.size());
                for (auto [r, value] : llvm::zip_equal(registers, loaded))
                  results[r] = value;
              });
  const unsigned copies = copyBits(exchanged, names.reg);
  for (auto [r, value] : llvm::enumerate(results))
    if (!value)
      value = results[r & ~copies];
  if (exchange)
    results = exchangeWords(b, hooks, *exchange, results);
  return llvm::map_to_vector(
      results, [&](Value value) { return fromMemory(b, element, value); });
}
