//===- ScanPlan.cpp - The order of a scan's steps -------------------------===//

#include "passes/lower/support/ScanPlan.h"
#include "dialects/ttg/Layouts.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

ScanPlan lower::planScan(tt::ScanOp op) {
  LinearLayout layout = ttg::toLinearLayout(op.getInputTypes().front());
  ttg::LayoutDims names(op.getContext());
  StringAttr axis = layout.getOutDims()[op.getAxis()].name;
  ScanPlan plan{splitAlong(layout, axis), {}};
  plan.isRegular = plan.split.isSeparable;
  for (unsigned bit = 0; bit < layout.getOutDimSizeLog2(axis); ++bit) {
    std::optional<ScanStep> step;
    for (auto [kind, in] : {std::pair(ScanStep::Register, names.reg),
                            std::pair(ScanStep::Lane, names.lane),
                            std::pair(ScanStep::Warp, names.warp),
                            std::pair(ScanStep::Block, names.block)})
      for (unsigned i = 0; i < layout.getInDimSizeLog2(in); ++i)
        if (int32_t basis = layout.getBasis(in, i, axis); basis >> bit & 1) {
          plan.isRegular &= !step && basis == int32_t(1) << bit;
          step = ScanStep{kind, i};
        }
    if (!step) {
      plan.isRegular = false;
      break;
    }
    plan.steps.push_back(*step);
  }
  while (plan.ownSteps < plan.steps.size() &&
         plan.steps[plan.ownSteps].kind == ScanStep::Register)
    ++plan.ownSteps;
  // All warps go at once, so their bits must be neighbours, lowest first; and
  // so must those of blocks, at the end.
  for (auto [kind, bits] : {std::pair(ScanStep::Warp, plan.split.warps),
                            std::pair(ScanStep::Block, plan.split.blocks)}) {
    auto *step = llvm::find_if(plan.steps, [kind = kind](const ScanStep &s) {
      return s.kind == kind;
    });
    for (int i = 0, e = llvm::popcount(bits.along); i < e && plan.isRegular;
         ++i, ++step)
      plan.isRegular &= step < plan.steps.end() && step->kind == kind &&
                        (i == 0 || step[-1].bit < step->bit);
    if (kind == ScanStep::Block)
      plan.isRegular &= step == plan.steps.end();
  }
  return plan;
}
