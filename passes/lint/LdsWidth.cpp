//===- LdsWidth.cpp - copies to LDS that the chip cannot make -------------===//
//
// AMD's loads straight to LDS write 32 bits a lane or more: one of 8 or 16 bits
// is widened, and overwrites what follows it. Before gfx1250 the lanes of a
// warp write one after another, so their order and their width must be those of
// LDS. A pass that comes late in Triton's pipeline gives the lanes another
// layout (tritonamdgpu-coalesce-async-copy), so it is no rule of the op, and
// only a hint where that pass may still come and another layout may do.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/target/Widths.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

namespace {
/// A copy of a tensor to LDS.
struct LdsCopy {
  RankedTensorType lanes;
  ttg::MemDescType memory;
  const Target &target;
  /// After the pass that fits copies to the chip.
  bool isFitted;

  int64_t elementBits() const {
    return memory.getElementType().getIntOrFloatBitWidth();
  }
  /// Why the chip cannot make it; empty if it can, or where that is not known.
  std::string explain() const;
  /// The swizzle moves less than a copy writes, however the lanes lie.
  bool isTooNarrowForAnyLanes() const {
    auto swizzled =
        dyn_cast<ttg::SwizzledSharedEncodingAttr>(memory.getEncoding());
    return swizzled && swizzled.getMaxPhase() > 1 &&
           swizzled.getVec() * elementBits() < target.asyncCopyBits.front();
  }

private:
  /// What it writes, one lane after another.
  std::string explainOrder(int64_t together) const;
};
} // namespace

std::string LdsCopy::explainOrder(int64_t together) const {
  std::optional<LinearLayout> offsets =
      ttg::sharedOffsets(lanes, ttg::withoutSwizzle(memory));
  if (!offsets)
    return "";
  StringAttr lane = ttg::LayoutDims(lanes.getContext()).lane;
  auto steps = offsets->getBases(lane);
  if (steps.empty())
    return "";
  int64_t step = steps.front()[0];
  bool follow = llvm::all_of(llvm::enumerate(steps), [&](auto basis) {
    return basis.value()[0] == step << basis.index();
  });
  std::string chip = target.arch;
  // Of a layout with gaps the pass takes the order from the gaps.
  bool isPadded = isa<ttg::PaddedSharedEncodingAttr>(memory.getEncoding());
  if (isPadded && !isFitted && !follow)
    return "";
  int64_t most = target.asyncCopyBits.back() / elementBits();
  if (!follow || step <= 0 || step > std::max(together, most))
    return "does not write LDS in the order of the lanes; on " + chip +
           " each lane of a direct-to-LDS copy writes right after the lane "
           "before it";
  if (!llvm::is_contained(target.asyncCopyBits, step * elementBits()))
    return "copies " + std::to_string(step * elementBits()) +
           " bits per lane at a time; a direct-to-LDS copy on " + chip +
           " takes " + alternatives(target.asyncCopyBits);
  for (auto [interval, padding] : ttg::gapsOf(memory.getEncoding()))
    if (interval < step << steps.size())
      return "writes " + std::to_string(step << steps.size()) +
             " contiguous elements per warp on " + chip +
             ", but the layout has padding after every " +
             std::to_string(interval);
  return "";
}

std::string LdsCopy::explain() const {
  std::optional<int64_t> plain =
      ttg::contiguousElements(lanes, ttg::withoutSwizzle(memory));
  std::optional<int64_t> together = ttg::contiguousElements(lanes, memory);
  if (!plain || !together)
    return "";
  // A swizzle moves whole vectors, of which a copy takes one.
  if (auto swizzled =
          dyn_cast<ttg::SwizzledSharedEncodingAttr>(memory.getEncoding()))
    together = swizzled.getMaxPhase() == 1
                   ? plain
                   : std::min<int64_t>(*plain, swizzled.getVec());
  int64_t bits = *together * elementBits();
  int64_t fewest = target.asyncCopyBits.front();
  if (bits < fewest)
    return "copies " + std::to_string(bits) +
           " bits per lane at a time; a direct-to-LDS copy on " + target.arch +
           " takes at least " + std::to_string(fewest) +
           ", so it overwrites adjacent data";
  return target.hasScatteredAsyncCopies ? "" : explainOrder(*together);
}

/// A layout of the lanes with which the chip can make the copy: of the same
/// tile shape in warps, with vectors along the fastest dimension that it has.
static std::optional<LayoutFix> fixLanes(const LdsCopy &copy) {
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(copy.lanes.getEncoding());
  if (!blocked || copy.lanes.getRank() != 2)
    return std::nullopt;
  auto order = blocked.getOrder();
  unsigned fast = order[0], slow = order[1];
  unsigned lanes = copy.target.warpSize;
  int64_t columns = copy.lanes.getDimSize(fast);
  for (unsigned bits : llvm::reverse(copy.target.asyncCopyBits)) {
    int64_t vector = bits / copy.elementBits();
    if (vector < 1 || vector > columns)
      continue;
    SmallVector<unsigned> perThread = {1, 1}, perWarp = {1, 1};
    perThread[fast] = vector;
    perWarp[fast] = std::min<int64_t>(lanes, columns / vector);
    perWarp[slow] = lanes / perWarp[fast];
    auto layout = ttg::BlockedEncodingAttr::get(
        blocked.getContext(), perThread, perWarp, blocked.getWarpsPerCTA(),
        order, blocked.getCGALayout());
    RankedTensorType type = copy.lanes;
    LdsCopy fitted = {type.cloneWithEncoding(layout), copy.memory, copy.target,
                      copy.isFitted};
    if (layout != blocked && fitted.explain().empty())
      return LayoutFix{blocked, layout};
  }
  return std::nullopt;
}

void kernelscope::lintLdsWidth(LintInput &input, EmitLint emit) {
  std::optional<Target> target = ttg::lookupTarget(input.function);
  if (!target || !target->isAmd() || target->asyncCopyBits.empty())
    return;
  bool isFitted =
      input.function
          ->walk([](ttg::AsyncWaitOpInterface wait) {
            return wait.getAwaited() == ttg::Completion::CommitGroup &&
                           wait.countsInstructions()
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  input.function->walk([&](tt::GlobalAccessOpInterface op) {
    auto lanes =
        dyn_cast<RankedTensorType>(op.getGlobalAccess().addresses.getType());
    if (!lanes || !lanes.getEncoding())
      return;
    for (Value destination : destinationsOf(op)) {
      auto memory = cast<ttg::MemDescType>(destination.getType());
      if (!memory.getElementType().isIntOrFloat())
        continue;
      LdsCopy copy = {lanes, memory, *target, isFitted};
      std::string message = copy.explain();
      if (message.empty())
        continue;
      LintFinding finding = {op, "lds-width", message, nullptr, ""};
      if (auto fix = fixLanes(copy))
        finding.fix = *fix;
      finding.level = LintLevel::Error;
      if (!isFitted && !copy.isTooNarrowForAnyLanes()) {
        finding.level = LintLevel::Hint;
        finding.message += laterPass;
      }
      emit(std::move(finding));
    }
  });
}
