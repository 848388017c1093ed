//===- CopyToLds.cpp - Copies from global memory straight to LDS ----------===//

#include "passes/lower/amd/CopyToLds.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/target/Widths.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"
#include "passes/lower/support/RelaxedLoads.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The memory as the lanes write it: the swizzle is in what they load, unless
/// each has an address of its own.
static ttg::MemDescType writtenAs(ttg::MemDescType type, const Target &target) {
  return target.hasScatteredAsyncCopies ? type : ttg::withoutSwizzle(type);
}

/// Whether an address of LDS after the memory's padding must be as aligned as
/// what is copied. Lanes with addresses of their own need no alignment, and a
/// warp that writes its lanes one after another needs whole words.
static bool needsAlignedPadding(ttg::MemDescType type, const Target &target) {
  const unsigned bytes = tt::bytesInMemory(type.getElementType());
  return !target.hasScatteredAsyncCopies &&
         llvm::any_of(ttg::gapsOf(type.getEncoding()),
                      [&](auto gap) { return gap.second * bytes % 4 != 0; });
}

/// Whether lanes that copy `elements` each write one after another, without a
/// gap between.
static bool lanesFollow(const LinearLayout &offsets, StringAttr lane,
                        unsigned elements, SharedGaps gaps) {
  unsigned next = elements;
  for (const std::vector<int32_t> &basis : offsets.getBases(lane)) {
    if (basis[0] != static_cast<int32_t>(next))
      return false;
    next *= 2;
  }
  return llvm::all_of(gaps, [&](auto gap) { return gap.first % next == 0; });
}

/// The gaps of `type` as a copy to it sees them.
static auto gapsOfCopy(ttg::MemDescType type, const Target &target) {
  auto gaps = ttg::gapsOf(type.getEncoding());
  if (!needsAlignedPadding(type, target))
    for (auto &[interval, padding] : gaps)
      padding = interval;
  return gaps;
}

/// How many elements of a lane are neighbours in the same registers on both
/// sides of a copy.
static unsigned neighboursOf(ArrayRef<unsigned> access, ttg::MemDescType type,
                             const LinearLayout &offsets, SharedGaps gaps) {
  unsigned limit = access.size();
  // A swizzle moves whole vectors.
  if (auto swizzled =
          dyn_cast<ttg::SwizzledSharedEncodingAttr>(type.getEncoding());
      swizzled && swizzled.getMaxPhase() > 1)
    limit = std::min(limit, swizzled.getVec());
  return neighboursInBoth(
      access,
      kernelscope::vectorBits(offsets, ttg::LayoutDims(type.getContext()).reg,
                              limit, gaps));
}

std::optional<LdsCopyPlan> lower::planLdsCopy(ArrayRef<unsigned> access,
                                              RankedTensorType lanes,
                                              ttg::MemDescType type,
                                              const Target &target) {
  std::optional<LinearLayout> offsets =
      ttg::sharedOffsets(lanes, writtenAs(type, target));
  if (!offsets)
    return std::nullopt;
  ttg::LayoutDims names(type.getContext());
  const auto gaps = gapsOfCopy(type, target);
  const unsigned neighbours = neighboursOf(access, type, *offsets, gaps);
  const unsigned bits = 8 * tt::bytesInMemory(type.getElementType());
  for (unsigned width : llvm::reverse(target.asyncCopyBits)) {
    unsigned elements = width / bits;
    if (width % bits != 0 || elements > neighbours ||
        (!target.hasScatteredAsyncCopies &&
         !lanesFollow(*offsets, names.lane, elements, gaps)))
      continue;
    unsigned registers =
        offsets->getInDimSize(names.reg) >>
        llvm::popcount(static_cast<unsigned>(offsets->getZeroMask(names.reg)));
    return LdsCopyPlan{elements, registers / elements};
  }
  return std::nullopt;
}

unsigned lower::fewestLdsCopies(Operation *op, const Target &target) {
  std::optional<LdsCopyPlan> plan;
  auto planFor = [&](RankedTensorType lanes, ttg::MemDescType type) {
    plan = planLdsCopy(planAccesses(op, lanes).accesses.front(), lanes, type,
                       target);
  };
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op);
      copy && (!copy.getMask() || target.hasScatteredAsyncCopies))
    planFor(copy.getSrc().getType(), copy.getResult().getType());
  if (auto load = dyn_cast<amdg::BufferLoadToLocalOp>(op);
      load && (!load.getMask() || isAbsentOrZero(load.getOther())))
    planFor(load.getOffsets().getType(), load.getDest().getType());
  if (auto store = dyn_cast<amdg::AsyncCopyLocalToGlobalOp>(op);
      store && !store.getMask())
    planFor(store.getDst().getType(), store.getSrc().getType());
  return plan ? plan->copies : 0;
}

Value lower::multicastMask(lower::Builder &b, const TargetHooks &hooks,
                           ShapedType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  const auto shared = static_cast<uint32_t>(
      layout.getZeroMask(ttg::LayoutDims(b.getContext()).block));
  if (hooks.getCtas() == 1 || !shared)
    return {};
  // Those whose ids differ in these bits only.
  uint32_t pattern = 0;
  for (uint32_t cta = 0; cta < hooks.getCtas(); ++cta)
    if ((cta & ~shared) == 0)
      pattern |= 1u << cta;
  Value all = b.i32(static_cast<int32_t>(pattern));
  const uint32_t others = ~shared & (hooks.getCtas() - 1);
  return others ? b.shl(all, b.bitAnd(hooks.ctaId(b),
                                      b.i32(static_cast<int32_t>(others))))
                : all;
}

/// From (register, lane, warp) of who writes a place to the lane of the same
/// warp that has its element, in the same register. Nothing if it is elsewhere.
static std::optional<LinearLayout> lanesOfElements(const LdsCopy &copy,
                                                   ttg::MemDescType written) {
  ttg::LayoutDims names(copy.op->getContext());
  auto writes = ttg::sharedOffsets(copy.lanes, written),
       holds = ttg::sharedOffsets(copy.lanes, copy.type);
  if (!writes || !holds)
    return std::nullopt;
  std::optional<LinearLayout> from = writes->invertAndCompose(*holds);
  if (!from)
    return std::nullopt;
  for (StringAttr in : {names.reg, names.lane, names.warp})
    for (unsigned bit = 0; bit < from->getInDimSizeLog2(in); ++bit)
      for (StringAttr out : {names.reg, names.warp}) {
        bool isOwn = in == out && writes->getBasis(in, bit)[0] != 0;
        if (from->getBasis(in, bit, out) != (isOwn ? int32_t(1) << bit : 0))
          return std::nullopt;
      }
  return from->sublayout({names.reg, names.lane, names.warp}, {names.lane});
}

static LogicalResult report(const LdsCopy &copy, const Target &target) {
  InFlightDiagnostic error = copy.op->emitOpError();
  error << "has layouts that " << target.arch
        << " cannot copy between directly: each lane must copy "
        << alternatives(target.asyncCopyBits) << " adjacent bits"
        << (target.hasScatteredAsyncCopies
                ? ""
                : ", and write right after the lane before it");
  if (auto offsets =
          ttg::sharedOffsets(copy.lanes, writtenAs(copy.type, target)))
    error << "; these give it "
          << 8 * tt::bytesInMemory(copy.type.getElementType()) *
                 neighboursOf(
                     planAccesses(copy.op, copy.lanes).accesses.front(),
                     copy.type, *offsets, gapsOfCopy(copy.type, target))
          << " at once";
  return error;
}

/// Whether a lane takes part in `copy` by its address. As in Triton 3.9: an
/// access to LDS outside of the workgroup's does nothing, and the copy then
/// loads nothing either.
static bool isMaskedByAddress(const LdsCopy &copy, const Target &target) {
  return target.hasScatteredAsyncCopies && !copy.isStore;
}

static Value outsideOfLds(lower::Builder &b) {
  return b.inttoptr(b.pointerType(Shared), b.i32(0x7ffffff0));
}

LogicalResult lower::emitLdsCopy(lower::Builder &b,
                                 ConversionPatternRewriter &rewriter,
                                 const TargetHooks &hooks, const LdsCopy &copy,
                                 Type element, bool isGuarded,
                                 EmitLdsCopy emit) {
  const Target &target = hooks.getTarget();
  std::optional<LdsCopyPlan> plan =
      planLdsCopy(planAccesses(copy.op, copy.lanes).accesses.front(),
                  copy.lanes, copy.type, target);
  if (!plan)
    return report(copy, target);
  ttg::MemDescType written = writtenAs(copy.type, target);
  MemDesc memory = MemDesc::unpack(b, copy.memory);
  auto places = placesIn(b, copy.op, copy.lanes, memory, written);
  auto ownPlaces = placesIn(b, copy.op, copy.lanes, memory, copy.type);
  if (failed(places) || failed(ownPlaces))
    return failure();
  places->isAligned = ownPlaces->isAligned =
      needsAlignedPadding(copy.type, target);
  ttg::LayoutDims names(b.getContext());
  // Lanes write one after another, from where the first does: the address is
  // the warp's.
  if (!target.hasScatteredAsyncCopies && places->offsets.hasInDim(names.lane))
    places->offsets = places->offsets.resizeIn(names.lane, 1);
  std::optional<LinearLayout> laneOf;
  if (written != copy.type) {
    laneOf = lanesOfElements(copy, written);
    if (!laneOf || places->window)
      return report(copy, target);
  }

  Type stored = memoryType(b, element);
  const unsigned bytes = plan->elements * bitWidth(stored) / 8;
  const bool masksByAddress = isMaskedByAddress(copy, target);
  // Before the copies, for which LLVM would wait. Those write other places.
  if (isGuarded && copy.fillsMasked && !copy.masks.empty())
    visitShared(b, hooks, *ownPlaces, stored, plan->elements,
                [&](Value address, const SharedVector &registers) {
                  SmallVector<Value> values(registers.size(), b.zero(stored));
                  if (!copy.others.empty())
                    values = toMemory(b, pick(copy.others, registers));
                  Value mask = copy.masks[registers.front()];
                  auto store = [&](Value to) {
                    hooks.storeShared(b, to, values, {});
                    std::prev(rewriter.getInsertionPoint())
                        ->setAttr(relaxedLoadName, rewriter.getUnitAttr());
                  };
                  if (masksByAddress)
                    return store(b.select(mask, outsideOfLds(b), address));
                  actWhere(b, rewriter, b.bitXor(mask, b.i1(true)),
                           [&] { store(address); });
                });
  bool fits = true;
  visitShared(
      b, hooks, *places, stored, plan->elements,
      [&](Value address, const SharedVector &registers) {
        fits &= registers.size() == plan->elements;
        const unsigned first = registers.front();
        Value source = copy.sources[first];
        Value mask = copy.masks.empty() ? Value() : copy.masks[first];
        if (laneOf) {
          Value lane =
              applyLayout(b, *laneOf,
                          {{names.reg, b.i32(static_cast<int32_t>(first))},
                           {names.lane, hooks.laneId(b)},
                           {names.warp, hooks.warpId(b)}})
                  .front();
          source = hooks.shuffleIdx(b, source, lane);
          if (mask)
            mask =
                b.trunc(b.intType(1),
                        hooks.shuffleIdx(b, b.zext(b.intType(32), mask), lane));
        }
        if (masksByAddress)
          emit(mask ? b.select(mask, address, outsideOfLds(b)) : address, bytes,
               source, {});
        else if (isGuarded)
          actWhere(b, rewriter, mask,
                   [&] { emit(address, bytes, source, {}); });
        else
          emit(address, bytes, source, mask);
      });
  if (!fits)
    return report(copy, target);
  return success();
}
