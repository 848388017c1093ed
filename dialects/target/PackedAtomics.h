//===- PackedAtomics.h - Atomic additions of pairs --------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_PACKEDATOMICS_H
#define KERNELSCOPE_DIALECTS_TARGET_PACKEDATOMICS_H

#include "dialects/target/Target.h"

namespace kernelscope {

/// Whether one instruction adds two neighbours of f16 or bf16 in global memory,
/// each atomically: AMD's `GLOBAL_ATOMIC_PK_ADD_F16` and `_BF16`. Without them
/// LLVM makes loops that compare and swap.
bool hasPackedAtomicAdd(const Target &target);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_PACKEDATOMICS_H
