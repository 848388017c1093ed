//===- AsyncCopyAccess.cpp - How wide copies to shared memory are ---------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/nvidia/CpAsync.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/LoweredAccess.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

std::optional<GlobalAccesses>
lower::asyncCopyAccessesOf(tt::GlobalAccessOpInterface op,
                           const AxisInfoAnalysis &axes, const Target &target) {
  RankedTensorType lanes;
  Value memory;
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(*op)) {
    lanes = copy.getSrc().getType();
    memory = copy.getResult();
  } else if (auto load = dyn_cast<amdg::BufferLoadToLocalOp>(*op)) {
    lanes = load.getOffsets().getType();
    memory = load.getDest();
  }
  SmallVector<unsigned> access = firstAccessOf(op, axes, target);
  if (!lanes || access.empty())
    return std::nullopt;
  auto type = cast<ttg::MemDescType>(memory.getType());
  if (target.isAmd()) {
    auto plan = planLdsCopy(access, lanes, type, target);
    return plan ? std::optional(GlobalAccesses{plan->copies, plan->elements})
                : std::nullopt;
  }
  std::optional<SharedPlaces> places = placesWithoutCode(lanes, memory);
  if (!places)
    return std::nullopt;
  const unsigned elements =
      elementsOfCpAsync(access, *places, type.getElementType(), target);
  if (!elements)
    return std::nullopt;
  const StringAttr reg = ttg::LayoutDims(op->getContext()).reg;
  const unsigned registers =
      places->offsets.getInDimSize(reg) >>
      llvm::popcount(unsigned(places->offsets.getZeroMask(reg)));
  return GlobalAccesses{registers / elements, elements};
}
