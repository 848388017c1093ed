//===- Simulator.h - The wave simulator as a device -------------*- C++ -*-===//
//
// Runs what was made for an AMD GPU on a machine that has none.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_SIMULATOR_H
#define KERNELSCOPE_SERVER_RUN_SIMULATOR_H

#include "server/run/Launcher.h"

namespace kernelscope::run {

/// A device that runs programs whose image is LLVM IR for `target`, AMD's, each
/// workgroup in turn. Its launches are not timed. Errors of a lane are
/// wave::RunError.
std::unique_ptr<Launcher> makeSimulator(const Target &target,
                                        std::optional<uint64_t> maxSteps);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_SIMULATOR_H
