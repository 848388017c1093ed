//===- Scratch.h - Shared memory that ops need while they run ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SCRATCH_H
#define KERNELSCOPE_PASSES_LOWER_SCRATCH_H

#include "dialects/ttg/TTG.h"

namespace kernelscope::lower {

/// Bytes of shared memory that threads exchange data through while the op runs;
/// 0 when it needs none. Each has a barrier between its stores and its loads.
unsigned scratchBytes(ttg::ConvertLayoutOp op);
unsigned scratchBytes(tt::ReduceOp op);
unsigned scratchBytes(tt::ScanOp op);
/// Of an atomic on global memory, tt's or amdg's; 0 for other ops.
unsigned atomicScratchBytes(mlir::Operation *op);

/// The above for any op; 0 for others.
unsigned scratchBytes(mlir::Operation *op);

/// Bits that an element of a tensor takes in shared memory.
unsigned storedBits(mlir::Type element);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SCRATCH_H
