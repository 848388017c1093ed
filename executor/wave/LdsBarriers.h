//===- LdsBarriers.h - Barriers in LDS, gfx1250 -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_LDSBARRIERS_H
#define KERNELSCOPE_EXECUTOR_WAVE_LDSBARRIERS_H

#include "executor/wave/Wave.h"

namespace kernelscope::wave {

/// `count` arrivals at the barrier that is at `address` of the wave's LDS, and
/// the state before them; 0, with a failure, where none can be.
uint64_t arriveInLds(Wave &wave, uint64_t address, uint64_t count);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_LDSBARRIERS_H
