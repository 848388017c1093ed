//===- GlobalScratch.h - Scratch in global memory ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_GLOBALSCRATCH_H
#define KERNELSCOPE_PASSES_MEMORY_GLOBALSCRATCH_H

#include "llvm/ADT/StringRef.h"

namespace kernelscope::memory {

/// What the pass `allocate-global-scratch` records, under Triton's names: on
/// the module the bytes of a block and their alignment, on each
/// `ttg.global_scratch_alloc` where in them its own begin. A plug-in's memory
/// is apart: it is that of the profiler.
constexpr llvm::StringLiteral scratchBytesName =
    "ttg.global_scratch_memory_size";
constexpr llvm::StringLiteral scratchAlignmentName =
    "ttg.global_scratch_memory_alignment";
constexpr llvm::StringLiteral profileScratchBytesName =
    "ttg.profile_scratch_memory_size";
constexpr llvm::StringLiteral profileScratchAlignmentName =
    "ttg.profile_scratch_memory_alignment";
constexpr llvm::StringLiteral scratchOffsetName =
    "ttg.global_scratch_memory_offset";

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_GLOBALSCRATCH_H
