//===- OpenGpu.cpp - Which GPU a kernel runs on ---------------------------===//

#include "server/run/OpenGpu.h"

#include "server/run/Simulator.h"

using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::run;

/// The target to compile for on `launcher`'s device; an error when `arch` is
/// another's.
static Expected<Target> chooseTarget(const Launcher &launcher,
                                     const std::string &arch) {
  Expected<Target> device = Target::parse(launcher.arch());
  if (!device)
    return createStringError(launcher.deviceName() + " is a " +
                             launcher.arch() + ": " +
                             toString(device.takeError()));
  if (arch.empty())
    return device;
  Expected<Target> target = Target::parse(arch);
  if (!target)
    return target;
  if (!target->runsOn(*device))
    return make_error<MissingDevice>("the kernel is for " + target->arch +
                                     ", but " + launcher.deviceName() +
                                     " is a " + device->arch);
  return target;
}

static Expected<Gpu> withTarget(Expected<std::unique_ptr<Launcher>> launcher,
                                const std::string &arch) {
  if (!launcher)
    return launcher.takeError();
  Expected<Target> target = chooseTarget(**launcher, arch);
  if (!target)
    return target.takeError();
  return Gpu{std::move(*launcher), std::move(*target)};
}

static Expected<Gpu> openSimulator(const std::string &arch,
                                   const LaunchSpec &spec) {
  if (arch.empty())
    return createStringError("the kernel does not name a GPU for the wave "
                             "simulator; pass --arch, such as gfx942");
  Expected<Target> target = Target::parse(arch);
  if (!target)
    return target.takeError();
  return Gpu{makeSimulator(*target, spec), *target};
}

Expected<Gpu> run::openGpu(Device device, const std::string &arch,
                           const LaunchSpec &spec) {
  if (device == Device::Sim)
    return openSimulator(arch, spec);
  if (device == Device::Hip ||
      (device == Device::Auto && vendorOf(arch) == Vendor::Amd))
    return withTarget(openHip(), arch);
  Expected<Gpu> nvidia = withTarget(openCuda(), arch);
  if (nvidia || device == Device::Cuda || !arch.empty())
    return nvidia;
  // A kernel that is for no GPU yet runs on any.
  Expected<Gpu> amd = withTarget(openHip(), arch);
  if (!amd)
    return joinErrors(nvidia.takeError(), amd.takeError());
  consumeError(nvidia.takeError());
  return amd;
}
