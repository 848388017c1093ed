//===- ReductionScratch.h - What Triton reduces through ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_REDUCTIONSCRATCH_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_REDUCTIONSCRATCH_H

#include "dialects/tt/TT.h"
#include "passes/lower/support/WarpPartials.h"

namespace kernelscope::lower {

/// The bytes of shared memory through which real Triton's warps exchange the
/// partial results of `op`: all at once in dumps of 3.7 and older
/// (`countsColumnsFromZero`), otherwise in rounds that leave full vectors and
/// rows of the banks.
unsigned tritonScratchBytes(tt::ReduceOp op, const AxisSplit &split);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_REDUCTIONSCRATCH_H
