//===- Nvvm.h - What NVIDIA's intrinsics mean -------------------*- C++ -*-===//
//
// Each is an instruction of PTX by another name, which Ptx.h knows.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_NVVM_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_NVVM_H

#include "executor/wave/Intrinsics.h"

namespace kernelscope::wave::nvidia {

void addNvvm(Meanings &meanings);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_NVVM_H
