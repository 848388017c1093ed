//===- HistogramBins.h - Values that no bin of a histogram has --*- C++ -*-===//
//
// Triton leaves open what becomes of them, and its compilers differ. That of
// 3.9 for NVIDIA drops them. That of 3.6, and those for AMD, look at the low
// bits of a value only: as many as number the bins, or the lanes of a warp if
// these are more (read from what they compile: the LLVM IR of `tl.histogram`
// with 8, 128 and 2,048 bins).
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_HISTOGRAMBINS_H
#define KERNELSCOPE_DIALECTS_TTG_HISTOGRAMBINS_H

#include <cstdint>

namespace mlir {
class Operation;
}

namespace kernelscope::ttg {

/// The power of two modulo which values are counted in the `bins` of the
/// histogram `op`, as the module's target and release have it; nothing is
/// counted in bins beyond the last. 0: what is outside of the bins is dropped.
int64_t histogramModulus(mlir::Operation *op, int64_t bins);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_HISTOGRAMBINS_H
