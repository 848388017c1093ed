//===- Simulator.cpp - The wave simulator as a device ---------------------===//
//
// Its memory is this process's.
//
//===----------------------------------------------------------------------===//

#include "server/run/Simulator.h"
#include "executor/wave/Kernel.h"
#include "server/run/DeviceLaunch.h"

using namespace llvm;

namespace kernelscope::run {

namespace {

class WaveDriver : public DeviceDriver {
public:
  WaveDriver(wave::Kernel &loaded, const KernelInfo &kernel,
             const Target &target, const LaunchSpec &spec)
      : loaded(loaded), kernel(kernel) {
    shape.waves = kernel.threads() / target.warpSize;
    shape.ldsBytes = kernel.sharedBytes;
    shape.clusterSize = kernel.ctas;
    shape.findsRaces = spec.sanitize;
    shape.maxSteps = spec.maxSteps.value_or(shape.maxSteps);
  }

  Expected<uint64_t> allocate(size_t bytes) override {
    // Buffers are apart, so that what is outside of one is in no other.
    std::vector<char> &buffer = buffers.emplace_back(bytes + apart);
    const auto address = alignTo(std::bit_cast<uint64_t>(buffer.data()), 256);
    memory.allow(address, bytes);
    return address;
  }
  void release(uint64_t pointer) override { memory.forbid(pointer); }
  Error copyToDevice(uint64_t to, const void *from, size_t bytes) override {
    std::memcpy(std::bit_cast<void *>(to), from, bytes);
    return Error::success();
  }
  Error copyToHost(void *to, uint64_t from, size_t bytes) override {
    std::memcpy(to, std::bit_cast<void *>(from), bytes);
    return Error::success();
  }
  Error clear(uint64_t pointer, size_t bytes) override {
    std::memset(std::bit_cast<void *>(pointer), 0, bytes);
    return Error::success();
  }
  Error launch(executor::Grid grid, void **parameters) override {
    shape.grid = {grid.x * kernel.ctas, grid.y, grid.z};
    return loaded.run(
        ArrayRef<const void *>(parameters, loaded.numParameters()), shape,
        memory);
  }
  Error synchronize() override { return Error::success(); }
  Expected<double> time(function_ref<Error()>) override {
    return createStringError("the wave simulator measures no times");
  }

private:
  static constexpr size_t apart = 4096;

  wave::Kernel &loaded;
  const KernelInfo &kernel;
  wave::LaunchShape shape;
  wave::GlobalMemory memory;
  std::vector<std::vector<char>> buffers;
};

class Simulator : public Launcher {
public:
  Simulator(const Target &target, const LaunchSpec &spec)
      : target(target), spec(spec) {}

  std::string deviceName() const override { return "the wave simulator"; }
  std::string arch() const override { return target.arch; }

  Expected<LaunchTimes> launch(const DeviceProgram &program, Launch &launch,
                               unsigned, unsigned) override {
    auto loaded =
        wave::Kernel::create(program.image, program.kernel.name, target);
    if (!loaded)
      return loaded.takeError();
    // The launch has an argument for each buffer behind another, too.
    const size_t passed =
        llvm::count_if(launch.arguments,
                       [](const ArgumentValue &a) { return !a.behind; }) +
        2;
    if (passed != (*loaded)->numParameters())
      return createStringError(
          "the kernel takes " + Twine((*loaded)->numParameters()) +
          " parameters, but a launch passes its arguments and two pointers: " +
          Twine(passed));
    WaveDriver driver(**loaded, program.kernel, target, spec);
    return launchOn(driver, program.kernel, launch, 0, 0);
  }

private:
  Target target;
  const LaunchSpec &spec;
};

} // namespace

std::unique_ptr<Launcher> makeSimulator(const Target &target,
                                        const LaunchSpec &spec) {
  return std::make_unique<Simulator>(target, spec);
}

} // namespace kernelscope::run
