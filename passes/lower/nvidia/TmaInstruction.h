//===- TmaInstruction.h - What instructions of TMA share --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H

#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MemDesc.h"

namespace kernelscope::lower {

/// True in one lane of the warp.
mlir::Value isElected(Builder &b);

/// "[$1, {$2, $3}]": a tensor map and coordinates, the fastest first.
std::string addTensor(Ptx &ptx, mlir::Value descriptor,
                      llvm::ArrayRef<mlir::Value> coordinates);

/// An error on `op` if the window `type` may begin in another CTA's memory,
/// which TMA is not given yet.
mlir::LogicalResult checkStaysInCTA(mlir::Operation *op, ttg::MemDescType type);

/// How one CTA copies for all that have the same data, the `bits` of whose ids
/// differ.
struct Multicast {
  mlir::Value isFirst; ///< whether this CTA copies
  mlir::Value mask;    ///< an i16, a bit per CTA that gets the data
};
Multicast multicast(Builder &b, const TargetHooks &hooks, int32_t bits);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H
