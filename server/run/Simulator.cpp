//===- Simulator.cpp - The wave simulator as a device ---------------------===//
//
// Its memory is this process's.
//
//===----------------------------------------------------------------------===//

#include "server/run/Simulator.h"
#include "executor/wave/Kernel.h"
#include "executor/wave/nvidia/TensorMap.h"
#include "server/run/CudaTensorMap.h"
#include "server/run/DeviceLaunch.h"

#include <unistd.h>

using namespace llvm;

namespace kernelscope::run {

namespace {

/// What the simulator has for what CUDA's driver would encode.
TensorMap encode(const CudaTensorMap &described, uint64_t pointer) {
  wave::nvidia::TensorMap map;
  map.address = pointer;
  map.lastDim = static_cast<uint8_t>(described.sizes.size() - 1);
  llvm::copy(described.sizes, map.sizes.begin());
  llvm::copy(described.strides, map.strides.begin());
  llvm::copy(described.box, map.box.begin());
  map.steps.fill(1);
  map.swizzle = static_cast<uint8_t>(described.swizzle);
  map.isIm2Col = described.isIm2Col;
  // Here the driver's codes are not PTX's.
  constexpr int f64 = 8, bf16 = 9;
  map.elementType =
      static_cast<uint8_t>(described.type == f64    ? 9
                           : described.type == bf16 ? 10
                                                    : described.type);
  TensorMap bytes{};
  std::memcpy(bytes.bytes.data(), &map, sizeof(map));
  return bytes;
}

class WaveDriver : public DeviceDriver {
public:
  WaveDriver(wave::Kernel &loaded, const KernelInfo &kernel,
             const Target &target, const LaunchSpec &spec)
      : loaded(loaded), kernel(kernel), target(target) {
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
  Expected<TensorMap> describeTensor(const ArgumentValue &argument,
                                     uint64_t pointer,
                                     const KernelArgument &parameter) override {
    if (target.isAmd())
      return DeviceDriver::describeTensor(argument, pointer, parameter);
    auto described = CudaTensorMap::of(argument, parameter);
    if (!described)
      return described.takeError();
    return encode(*described, pointer);
  }
  Error launch(executor::Grid grid, void **parameters) override {
    shape.grid = {grid.x * kernel.ctas, grid.y, grid.z};
    // Who launches looks at what comes there.
    raw_fd_ostream printed(STDOUT_FILENO, /*shouldClose=*/false);
    shape.print = &printed;
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
  const Target &target;
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
