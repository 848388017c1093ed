//===- Print.h - What a kernel prints ---------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRINT_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRINT_H

#include "executor/wave/Intrinsics.h"

namespace kernelscope::wave::nvidia {

/// CUDA's `vprintf` and `__assertfail`.
void addPrinting(Meanings &meanings);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRINT_H
