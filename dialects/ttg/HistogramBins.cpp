//===- HistogramBins.cpp - Values that no bin of a histogram has ----------===//

#include "dialects/ttg/HistogramBins.h"
#include "dialects/target/Target.h"
#include "dialects/ttg/LaunchConfig.h"

#include <algorithm>

using namespace kernelscope;

int64_t ttg::histogramModulus(mlir::Operation *op, int64_t bins) {
  const std::optional<Target> target = lookupTarget(op);
  if (!target || (target->isNvidia() && !isOlderDump(op)))
    return 0;
  return std::max<int64_t>(bins, lookupThreadsPerWarp(op).value_or(
                                     static_cast<int>(target->warpSize)));
}
