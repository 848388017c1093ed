//===- OpenGpu.h - Which GPU a kernel runs on -------------------*- C++ -*-===//
//
// The choice between the GPUs of this machine and the simulator, by the
// kernel's architecture.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_OPENGPU_H
#define KERNELSCOPE_SERVER_RUN_OPENGPU_H

#include "server/run/Launcher.h"
#include "server/run/Run.h"

namespace kernelscope::run {

/// A GPU and what to compile for on it.
struct Gpu {
  std::unique_ptr<Launcher> launcher;
  Target target;
};

/// The GPU that `device` names, or for Auto the one that `arch` is for. An
/// empty `arch` is the device's own. A MissingDevice if there is none, or only
/// one that `arch` does not run on.
llvm::Expected<Gpu> openGpu(Device device, const std::string &arch,
                            const LaunchSpec &spec);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_OPENGPU_H
