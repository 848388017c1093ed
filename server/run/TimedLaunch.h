//===- TimedLaunch.h - Sizes that are worth timing --------------*- C++ -*-===//
//
// The default sizes are those that the CPU executor answers at once; on a GPU
// such a launch takes as long as an empty one.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_TIMEDLAUNCH_H
#define KERNELSCOPE_SERVER_RUN_TIMEDLAUNCH_H

#include "server/run/Resolve.h"

namespace kernelscope::run {

/// For a kernel without given sizes, a launch that fills a GPU, as far
/// as its buffers can be sized and filled in about a second; nothing if that is
/// no more than `small`, the default launch, or if the kernel prints.
std::optional<Launch> launchToTime(mlir::FunctionOpInterface kernel,
                                   executor::Kernel *executable,
                                   const LaunchSpec &spec, const Launch &small);

/// How `larger` differs from `small`, for people: "grid 4096 x 1 x 1, n
/// 4194299".
std::string describeDifference(const Launch &larger, const Launch &small);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_TIMEDLAUNCH_H
