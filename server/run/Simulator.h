//===- Simulator.h - The wave simulator as a device -------------*- C++ -*-===//
//
// Runs what was made for a GPU on a machine that has none.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_SIMULATOR_H
#define KERNELSCOPE_SERVER_RUN_SIMULATOR_H

#include "server/run/Launcher.h"

namespace kernelscope::run {

/// A device that runs programs whose image is LLVM IR for `target`, each
/// workgroup or cluster in turn. Its launches are not timed. Errors of a lane
/// are wave::RunError. `spec`, which must outlive it, says how long it may run
/// and whether it looks for races.
std::unique_ptr<Launcher> makeSimulator(const Target &target,
                                        const LaunchSpec &spec);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_SIMULATOR_H
