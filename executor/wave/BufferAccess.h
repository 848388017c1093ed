//===- BufferAccess.h - Addresses through buffer resources ------*- C++ -*-===//
//
// For the instructions that find global memory by a resource and an offset.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_BUFFERACCESS_H
#define KERNELSCOPE_EXECUTOR_WAVE_BUFFERACCESS_H

#include "executor/wave/Intrinsics.h"

namespace kernelscope::wave {

/// Operands that name a place in a raw buffer.
struct BufferPlace {
  /// Its base address, and its size in bytes.
  Columns resource;
  /// The lane's offset and the wave's, in bytes.
  Column offset, uniformOffset;

  /// The address `extra` bytes after the place; none if not all of `bytes`
  /// bytes there are in the buffer.
  std::optional<uint64_t> address(Wave &wave, unsigned lane, uint64_t extra,
                                  uint64_t bytes) const;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_BUFFERACCESS_H
