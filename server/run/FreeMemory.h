//===- FreeMemory.h - How much memory a run may take -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_FREEMEMORY_H
#define KERNELSCOPE_SERVER_RUN_FREEMEMORY_H

#include <cstdint>

namespace kernelscope::run {

/// What the buffers of a launch may take together, in bytes: half of the memory
/// that is free on the machine, in the process's cgroup and under its own
/// limit, since a run copies them.
uint64_t mostBufferBytes();

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_FREEMEMORY_H
