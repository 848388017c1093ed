//===- DeviceLaunch.h - A launch, whichever the driver ----------*- C++ -*-===//
//
// CUDA's and HIP's drivers have the same calls under other names; this is what
// is done with them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DEVICELAUNCH_H
#define KERNELSCOPE_SERVER_RUN_DEVICELAUNCH_H

#include "server/run/Launcher.h"
#include <array>

namespace kernelscope::run {

/// A tensor map, as the driver encodes it.
struct alignas(64) TensorMap {
  std::array<char, 128> bytes;
};

/// The calls that a launch needs; each returns an error that names the call.
class DeviceDriver {
public:
  virtual ~DeviceDriver() = default;
  virtual llvm::Expected<uint64_t> allocate(size_t bytes) = 0;
  virtual void release(uint64_t pointer) = 0;
  virtual llvm::Error copyToDevice(uint64_t to, const void *from,
                                   size_t bytes) = 0;
  virtual llvm::Error copyToHost(void *to, uint64_t from, size_t bytes) = 0;
  virtual llvm::Error clear(uint64_t pointer, size_t bytes) = 0;
  /// The bytes by which the device finds the tensor of `argument`, which is at
  /// `pointer`; the kernel takes it as `parameter`. By default those for AMD's
  /// tensor data mover.
  virtual llvm::Expected<TensorMap>
  describeTensor(const ArgumentValue &argument, uint64_t pointer,
                 const KernelArgument &parameter);
  /// Enqueues one launch of the kernel that is loaded.
  virtual llvm::Error launch(executor::Grid grid, void **parameters) = 0;
  /// Waits for all that is enqueued.
  virtual llvm::Error synchronize() = 0;
  /// Microseconds between before and after `work`, by the device's events.
  virtual llvm::Expected<double>
  time(llvm::function_ref<llvm::Error()> work) = 0;
};

/// What Launcher::launch does, on `driver` with the kernel loaded.
llvm::Expected<LaunchTimes> launchOn(DeviceDriver &driver,
                                     const KernelInfo &kernel, Launch &launch,
                                     unsigned warmup, unsigned repeat);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DEVICELAUNCH_H
