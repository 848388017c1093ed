//===- ScanPlan.h - The order of a scan's steps -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_SCANPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_SCANPLAN_H

#include "dialects/tt/TT.h"
#include "passes/lower/support/WarpPartials.h"

namespace kernelscope::lower {

/// One bit of the position along the axis, and whose bit it is.
struct ScanStep {
  enum Kind { Register, Lane, Warp, Block } kind;
  unsigned bit;
};

/// The bits of a scan in order.
struct ScanPlan {
  AxisSplit split;
  llvm::SmallVector<ScanStep> steps;
  /// How many steps at the front are a thread's own, done one by one.
  unsigned ownSteps = 0;
  /// False if the layout has no such order: bits step across the axis, too, two
  /// bits of one place share a bit of the position, warps are not next to each
  /// other, or blocks are not last.
  bool isRegular = true;
};

ScanPlan planScan(tt::ScanOp op);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_SCANPLAN_H
