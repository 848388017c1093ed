//===- LdsWidth.cpp - copies to LDS that hit a neighbour ------------------===//
//
// AMD's loads straight to LDS write 32 bits a lane or more: one of 8 or 16 bits
// is widened, and overwrites what lies behind it. So the elements that a lane
// has together, in registers and in LDS, must fill 32 bits. A pass that comes
// late in Triton's pipeline sees to it, so it is no rule of the op.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

/// Elements that lie side by side in a lane's registers and in memory, as far
/// as the layouts say. A swizzle moves whole vectors, so it is no matter.
static int64_t elementsTogether(const LinearLayout &registers,
                                ttg::MemDescType memory) {
  Attribute layout = memory.getEncoding();
  int64_t most = registers.getTotalOutDimSize();
  if (auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(layout))
    most = padded.getMinInterval();
  if (auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(layout))
    layout = ttg::SwizzledSharedEncodingAttr::get(layout.getContext(), 1, 1, 1,
                                                  swizzled.getOrder(),
                                                  swizzled.getCGALayout());
  std::string error;
  auto shared = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getAllocShape(), layout), layout, error);
  if (!shared)
    return most;
  ttg::LayoutDims dims(layout.getContext());
  auto held = registers.getBases(dims.reg);
  int64_t together = 1;
  for (const auto &basis : shared->getBases(dims.offset)) {
    if (!llvm::is_contained(held, basis))
      break;
    together *= 2;
  }
  return std::min(together, most);
}

static void check(Operation *copy, RankedTensorType lanes, Type element,
                  ttg::MemDescType memory, const Target &target,
                  EmitLint emit) {
  if (!lanes.getEncoding() || !element.isIntOrFloat())
    return;
  std::string error;
  auto registers =
      ttg::toLinearLayout(lanes.getShape(), lanes.getEncoding(), error);
  if (!registers)
    return;
  int64_t bits =
      elementsTogether(*registers, memory) * element.getIntOrFloatBitWidth();
  int64_t fewest = target.asyncCopyBits.front();
  if (bits < fewest)
    emit({copy, "lds-width",
          "copies " + std::to_string(bits) +
              " bits per lane at a time; a direct-to-LDS copy needs at least " +
              std::to_string(fewest) + ", so it overwrites a neighbour",
          nullptr, ""});
}

void kernelscope::lintLdsWidth(LintInput &input, EmitLint emit) {
  std::optional<Target> target = ttg::lookupTarget(input.function);
  if (!target || !target->isAmd() || target->asyncCopyBits.empty())
    return;
  input.function->walk([&](tt::GlobalAccessOpInterface op) {
    auto lanes =
        dyn_cast<RankedTensorType>(op.getGlobalAccess().addresses.getType());
    if (!lanes)
      return;
    for (Value destination : destinationsOf(op)) {
      auto memory = cast<ttg::MemDescType>(destination.getType());
      check(op, lanes, memory.getElementType(), memory, *target, emit);
    }
  });
}
