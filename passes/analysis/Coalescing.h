//===- Coalescing.h - How a warp's addresses meet memory --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_COALESCING_H
#define KERNELSCOPE_PASSES_ANALYSIS_COALESCING_H

#include "dialects/tt/GlobalAccess.h"
#include "passes/analysis/AxisInfo.h"
#include <string>

namespace kernelscope {

/// One access of all lanes of a warp to global memory.
struct WarpAccess {
  /// Aligned pieces of memory that the lanes touch, and as few as their bytes
  /// need.
  unsigned segments = 0, fewest = 0;
  bool isCoalesced() const { return segments <= fewest; }
};

/// The least that global memory is read or written by (CUDA C++ Best Practices
/// Guide, "Coalesced Access to Global Memory"; AMD's chips read 32 or 64).
constexpr unsigned segmentBytes = 32;

/// What one access of `elements` neighbours by each lane touches, in segments
/// of `segmentBytes`. Runs of addresses that `axes` does not prove to be
/// neighbours count as far apart. Nothing for a scalar, and where the layout
/// does not fit the tensor.
std::optional<WarpAccess> warpAccess(const tt::GlobalAccess &access,
                                     const AxisInfoAnalysis &axes,
                                     unsigned elements);

/// "coalesced", or what the warp touches instead.
std::string describeCoalescing(const WarpAccess &access);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_COALESCING_H
