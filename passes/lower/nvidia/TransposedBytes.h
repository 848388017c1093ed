//===- TransposedBytes.h - Chips that transpose tiles of bytes --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TRANSPOSEDBYTES_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TRANSPOSEDBYTES_H

#include "dialects/target/Target.h"

namespace kernelscope::lower {

/// Whether `ldmatrix` and `stmatrix` transpose bytes, which came with launch
/// control.
inline bool transposesBytes(const Target &target) {
  return target.hasClusterLaunchControl;
}

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TRANSPOSEDBYTES_H
