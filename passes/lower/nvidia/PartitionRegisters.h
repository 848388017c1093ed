//===- PartitionRegisters.h - Registers of partitions -----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_PARTITIONREGISTERS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_PARTITIONREGISTERS_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/nvidia/WarpRegisters.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// Has the warp group go from so many registers per thread to so many.
void setRegisters(Builder &b, unsigned from, unsigned to);

/// What `kernel`, whose partitions are `ops`, is launched with, which is set on
/// its module unless it is there; nothing if no partition asks for registers,
/// or the default warps are not whole groups.
std::optional<WarpRegisters>
kernelRegisters(tt::FuncOp kernel, llvm::ArrayRef<ttg::WarpSpecializeOp> ops,
                unsigned defaultWarps, unsigned totalWarps);

/// Gives each of `groups`, which run the partitions of `op`, the registers that
/// it requests, and returns what the default region has besides; an error on
/// `op` if that is too little.
mlir::FailureOr<unsigned>
grantRegisters(ttg::WarpSpecializeOp op,
               llvm::MutableArrayRef<RegisterGroup> groups,
               const WarpRegisters &registers);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_PARTITIONREGISTERS_H
