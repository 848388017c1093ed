//===- BulkCopies.h - Copies beside the warps -------------------*- C++ -*-===//
//
// What copies of bytes and of tensors share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_BULKCOPIES_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_BULKCOPIES_H

#include "executor/wave/nvidia/Ptx.h"

namespace kernelscope::wave::nvidia {

/// Bulk copies move multiples of so many bytes.
constexpr uint64_t bulkPiece = 16;

/// Whether a copy is to shared memory: it names first where it goes.
bool isBulkLoad(const assembly::Opcode &opcode);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_BULKCOPIES_H
