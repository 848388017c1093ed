//===- Scratch.h - Shared memory that ops need while they run ---*- C++ -*-===//
//
// How an op is lowered decides how much shared memory its threads exchange data
// through, so the file with its pattern says it, as an external model of
// `ScratchOpInterface`.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_SCRATCH_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_SCRATCH_H

#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::lower {

template <typename Op, auto bytes, auto isWithinWarps>
struct ScratchModel : ttg::ScratchOpInterface::ExternalModel<
                          ScratchModel<Op, bytes, isWithinWarps>, Op> {
  unsigned getScratchBytes(mlir::Operation *op) const {
    return bytes(mlir::cast<Op>(op));
  }
  bool withinWarps(mlir::Operation *op) const {
    return isWithinWarps(mlir::cast<Op>(op));
  }
};

/// Makes `bytes(op)` the scratch memory of `Op`, an op of `Dialect`. Warps wait
/// for each other unless `isWithinWarps(op)`.
template <typename Dialect, typename Op, auto bytes,
          auto isWithinWarps = [](Op) { return false; }>
void attachScratch(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, Dialect *) {
    Op::template attachInterface<ScratchModel<Op, bytes, isWithinWarps>>(
        *context);
  });
}

/// Registers the scratch memory of all ops in `registry`. Allocation depends on
/// it, so call this before building a pipeline that allocates.
void attachScratch(mlir::DialectRegistry &registry);

// One per file of patterns that need scratch memory.
void attachConvertLayoutScratch(mlir::DialectRegistry &registry);
void attachReduceScratch(mlir::DialectRegistry &registry);
void attachScanScratch(mlir::DialectRegistry &registry);
void attachHistogramScratch(mlir::DialectRegistry &registry);
void attachIndexedScratch(mlir::DialectRegistry &registry);
void attachAtomicScratch(mlir::DialectRegistry &registry);
void attachAtomicPollScratch(mlir::DialectRegistry &registry);
void attachBufferAtomicScratch(mlir::DialectRegistry &registry);
void attachTensormapScratch(mlir::DialectRegistry &registry);
void attachPartitionScratch(mlir::DialectRegistry &registry);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_SCRATCH_H
