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

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H
