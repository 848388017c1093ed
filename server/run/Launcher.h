//===- Launcher.h - Runs compiled kernels on a GPU --------------*- C++ -*-===//
//
// The two vendors' drivers behind one interface. Drivers are opened when they
// are asked for, so the program needs neither to be there.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_LAUNCHER_H
#define KERNELSCOPE_SERVER_RUN_LAUNCHER_H

#include "dialects/target/PeakRates.h"
#include "passes/Compile.h"
#include "server/run/Arguments.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace kernelscope::run {

/// A driver or device that is not there, or not the one that is needed.
class MissingDevice : public llvm::ErrorInfo<MissingDevice> {
public:
  static char ID;
  explicit MissingDevice(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::no_such_device);
  }

private:
  std::string message;
};

/// A kernel made for the device.
struct DeviceProgram {
  std::string image; ///< PTX text for CUDA, a code object for HIP
  KernelInfo kernel;
};

/// Microseconds of each timed launch; empty when none was timed.
using LaunchTimes = std::vector<double>;

/// One GPU.
class Launcher {
public:
  virtual ~Launcher() = default;

  /// "NVIDIA H200".
  virtual std::string deviceName() const = 0;
  /// Its architecture, as `Target::parse` takes it: "sm_90", "gfx942".
  virtual std::string arch() const = 0;
  virtual DeviceClocks clocks() const { return {}; }
  /// Copies the buffers to the device, launches once and copies them back; then
  /// launches `warmup` and `repeat` times more and times the latter. The
  /// arguments in `launch` are the kernel's, in order.
  virtual llvm::Expected<LaunchTimes> launch(const DeviceProgram &program,
                                             Launch &launch, unsigned warmup,
                                             unsigned repeat) = 0;
};

/// The first CUDA or HIP device, or a MissingDevice.
llvm::Expected<std::unique_ptr<Launcher>> openCuda();
llvm::Expected<std::unique_ptr<Launcher>> openHip();

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_LAUNCHER_H
