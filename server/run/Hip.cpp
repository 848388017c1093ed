//===- Hip.cpp - Kernels on an AMD GPU ------------------------------------===//
//
// The HIP runtime, from libamdhip64.so, which comes with ROCm. The declarations
// are those of its ABI that are used here.
//
//===----------------------------------------------------------------------===//

#include "server/run/DeviceLaunch.h"
#include "server/run/DriverLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <bit>
#include <map>

using namespace llvm;

namespace kernelscope::run {
namespace {

using hipError = int;
using hipModule = void *;
using hipFunction = void *;
using hipStream = void *;
using hipEvent = void *;

/// `hipLaunchAttribute`. The header of ROCm 7 does not name the first
/// attribute; Triton 3.9 launches clusters by it.
struct HipLaunchAttribute {
  enum ID : int { Cooperative = 2, ClusterDimensions = 4 };
  ID id;
  int unused = 0;
  /// Of 64 bytes.
  int value[16] = {};
};
static_assert(sizeof(HipLaunchAttribute) == 72);

/// `HIP_LAUNCH_CONFIG`.
struct HipLaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  hipStream stream;
  HipLaunchAttribute *attributes;
  unsigned attributeCount;
};

/// The runtime's functions.
struct HipRuntime {
  hipError (*init)(unsigned);
  const char *(*getErrorString)(hipError);
  hipError (*getDeviceCount)(int *);
  hipError (*setDevice)(int);
  hipError (*deviceGetName)(char *, int, int);
  hipError (*moduleLoadData)(hipModule *, const void *);
  hipError (*moduleUnload)(hipModule);
  hipError (*moduleGetFunction)(hipFunction *, hipModule, const char *);
  hipError (*moduleLaunchKernel)(hipFunction, unsigned, unsigned, unsigned,
                                 unsigned, unsigned, unsigned, unsigned,
                                 hipStream, void **, void **);
  hipError (*moduleLaunchCooperativeKernel)(hipFunction, unsigned, unsigned,
                                            unsigned, unsigned, unsigned,
                                            unsigned, unsigned, hipStream,
                                            void **);
  /// Null before ROCm 7.
  hipError (*drvLaunchKernelEx)(const HipLaunchConfig *, hipFunction, void **,
                                void **);
  hipError (*malloc)(void **, size_t);
  hipError (*free)(void *);
  hipError (*memcpyHtoD)(void *, const void *, size_t);
  hipError (*memcpyDtoH)(void *, void *, size_t);
  hipError (*memset)(void *, int, size_t);
  hipError (*deviceSynchronize)();
  hipError (*eventCreate)(hipEvent *);
  hipError (*eventDestroy)(hipEvent);
  hipError (*eventRecord)(hipEvent, hipStream);
  hipError (*eventSynchronize)(hipEvent);
  hipError (*eventElapsedTime)(float *, hipEvent, hipEvent);

  void load(DriverLibrary &library) {
    library.load(init, "hipInit");
    library.load(getErrorString, "hipGetErrorString");
    library.load(getDeviceCount, "hipGetDeviceCount");
    library.load(setDevice, "hipSetDevice");
    library.load(deviceGetName, "hipDeviceGetName");
    library.load(moduleLoadData, "hipModuleLoadData");
    library.load(moduleUnload, "hipModuleUnload");
    library.load(moduleGetFunction, "hipModuleGetFunction");
    library.load(moduleLaunchKernel, "hipModuleLaunchKernel");
    library.load(moduleLaunchCooperativeKernel,
                 "hipModuleLaunchCooperativeKernel");
    library.loadIfThere(drvLaunchKernelEx, "hipDrvLaunchKernelEx");
    library.load(malloc, "hipMalloc");
    library.load(free, "hipFree");
    library.load(memcpyHtoD, "hipMemcpyHtoD");
    library.load(memcpyDtoH, "hipMemcpyDtoH");
    library.load(memset, "hipMemset");
    library.load(deviceSynchronize, "hipDeviceSynchronize");
    library.load(eventCreate, "hipEventCreate");
    library.load(eventDestroy, "hipEventDestroy");
    library.load(eventRecord, "hipEventRecord");
    library.load(eventSynchronize, "hipEventSynchronize");
    library.load(eventElapsedTime, "hipEventElapsedTime");
  }

  Error check(hipError result, const Twine &what) const {
    if (result == 0)
      return Error::success();
    return createStringError("HIP: " + what + ": " + getErrorString(result));
  }
};

void *pointerOf(uint64_t address) { return std::bit_cast<void *>(address); }

/// One loaded kernel on the current device.
class HipLaunch : public DeviceDriver {
public:
  HipLaunch(const HipRuntime &hip, const KernelInfo &kernel)
      : hip(hip), kernel(kernel) {}
  ~HipLaunch() override {
    for (hipEvent event : {before, after})
      if (event)
        (void)hip.eventDestroy(event);
    if (module)
      (void)hip.moduleUnload(module);
  }

  Error load(const std::string &image) {
    if (Error error =
            hip.check(hip.moduleLoadData(&module, image.data()),
                      "loading the code object of '" + kernel.name + "'"))
      return error;
    if (Error error = hip.check(
            hip.moduleGetFunction(&function, module, kernel.name.c_str()),
            "finding kernel '" + kernel.name + "'"))
      return error;
    if (Error error = hip.check(hip.eventCreate(&before), "creating an event"))
      return error;
    return hip.check(hip.eventCreate(&after), "creating an event");
  }

  Expected<uint64_t> allocate(size_t bytes) override {
    void *pointer = nullptr;
    if (Error error = hip.check(hip.malloc(&pointer, bytes),
                                formatv("allocating {0} bytes", bytes)))
      return error;
    return reinterpret_cast<uint64_t>(pointer);
  }
  void release(uint64_t pointer) override {
    (void)hip.free(pointerOf(pointer));
  }
  Error copyToDevice(uint64_t to, const void *from, size_t bytes) override {
    return bytes ? hip.check(hip.memcpyHtoD(pointerOf(to), from, bytes),
                             "copying to the device")
                 : Error::success();
  }
  Error copyToHost(void *to, uint64_t from, size_t bytes) override {
    return bytes ? hip.check(hip.memcpyDtoH(to, pointerOf(from), bytes),
                             "copying from the device")
                 : Error::success();
  }
  Error clear(uint64_t pointer, size_t bytes) override {
    return hip.check(hip.memset(pointerOf(pointer), 0, bytes),
                     "clearing memory");
  }
  Error launch(executor::Grid grid, void **parameters) override {
    if (kernel.ctas > 1)
      return launchClusters(grid, parameters);
    if (kernel.isCooperative)
      return hip.check(hip.moduleLaunchCooperativeKernel(
                           function, grid.x, grid.y, grid.z, kernel.threads(),
                           1, 1, kernel.sharedBytes, nullptr, parameters),
                       "launching '" + kernel.name + "' cooperatively");
    return hip.check(hip.moduleLaunchKernel(
                         function, grid.x, grid.y, grid.z, kernel.threads(), 1,
                         1, kernel.sharedBytes, nullptr, parameters, nullptr),
                     "launching '" + kernel.name + "'");
  }
  Error synchronize() override {
    return hip.check(hip.deviceSynchronize(), "running '" + kernel.name + "'");
  }
  Expected<double> time(function_ref<Error()> work) override {
    if (Error error =
            hip.check(hip.eventRecord(before, nullptr), "recording an event"))
      return error;
    if (Error error = work())
      return error;
    if (Error error =
            hip.check(hip.eventRecord(after, nullptr), "recording an event"))
      return error;
    if (Error error = hip.check(hip.eventSynchronize(after),
                                "running '" + kernel.name + "'"))
      return error;
    float milliseconds = 0;
    if (Error error =
            hip.check(hip.eventElapsedTime(&milliseconds, before, after),
                      "reading an event"))
      return error;
    return 1000.0 * milliseconds;
  }

private:
  /// Each `kernel.ctas` blocks along x are a cluster, as in Triton 3.9.
  Error launchClusters(executor::Grid grid, void **parameters) {
    const std::string what = "launching '" + kernel.name + "' in clusters";
    if (!hip.drvLaunchKernelEx)
      return createStringError("HIP: " + what +
                               ": libamdhip64.so has no hipDrvLaunchKernelEx; "
                               "install a newer ROCm");
    HipLaunchAttribute attributes[] = {
        {.id = HipLaunchAttribute::ClusterDimensions},
        {.id = HipLaunchAttribute::Cooperative}};
    attributes[0].value[0] = static_cast<int>(kernel.ctas);
    attributes[0].value[1] = attributes[0].value[2] = 1;
    attributes[1].value[0] = kernel.isCooperative;
    const HipLaunchConfig config = {
        {grid.x * kernel.ctas, grid.y, grid.z},
        {kernel.threads(), 1, 1},
        kernel.sharedBytes,
        nullptr,
        attributes,
        static_cast<unsigned>(std::size(attributes))};
    return hip.check(
        hip.drvLaunchKernelEx(&config, function, parameters, nullptr), what);
  }

  const HipRuntime &hip;
  const KernelInfo &kernel;
  hipModule module = nullptr;
  hipFunction function = nullptr;
  hipEvent before = nullptr, after = nullptr;
};

/// The numbers in a file of the kernel driver, "name number" on each line.
StringMap<unsigned> readProperties(const Twine &path) {
  StringMap<unsigned> properties;
  if (auto file = MemoryBuffer::getFileAsStream(path))
    for (StringRef line : split((*file)->getBuffer(), '\n')) {
      auto [name, text] = line.split(' ');
      unsigned number;
      if (!text.trim().getAsInteger(10, number))
        properties[name] = number;
    }
  return properties;
}

/// A GPU as the kernel driver lists it; the runtime's own record moves from
/// release to release.
struct DriverNode {
  std::string arch;
  DeviceClocks clocks;
};

/// The first GPU. The driver writes gfx942 as 90402 and gfx90a as 90010.
DriverNode firstNode() {
  std::map<int, DriverNode> nodes;
  std::error_code error;
  for (sys::fs::directory_iterator
           node("/sys/class/kfd/kfd/topology/nodes", error),
       end;
       node != end && !error; node.increment(error)) {
    int number;
    if (sys::path::filename(node->path()).getAsInteger(10, number))
      continue;
    StringMap<unsigned> gpu = readProperties(node->path() + "/properties"),
                        memory = readProperties(node->path() +
                                                "/mem_banks/0/properties");
    const unsigned version = gpu["gfx_target_version"];
    if (!version)
      continue;
    DriverNode &found = nodes[number];
    found.arch = archName(Vendor::Amd, version / 10000, version / 100 % 100,
                          version % 100);
    found.clocks.multiprocessors =
        gpu["simd_count"] / std::max(gpu["simd_per_cu"], 1u);
    found.clocks.gigahertz = gpu["max_engine_clk_fcompute"] / 1000.0;
    found.clocks.memoryGigahertz = memory["mem_clk_max"] / 1000.0;
    found.clocks.memoryBits = memory["width"];
    // Bits over a pin in a cycle of the clock that the driver gives: of HBM on
    // CDNA, which has waves of 64 lanes, and of GDDR6.
    Expected<Target> target = Target::parse(found.arch);
    found.clocks.transfersPerMemoryClock =
        target && target->warpSize == 64 ? 4 : 16;
    if (!target)
      consumeError(target.takeError());
  }
  return nodes.empty() ? DriverNode() : nodes.begin()->second;
}

class HipLauncher : public Launcher {
public:
  HipLauncher(const HipRuntime &hip, std::string name)
      : hip(hip), name(std::move(name)), node(firstNode()) {}

  std::string deviceName() const override { return name; }
  std::string arch() const override { return node.arch; }
  DeviceClocks clocks() const override { return node.clocks; }

  Expected<LaunchTimes> launch(const DeviceProgram &program, Launch &launch,
                               unsigned warmup, unsigned repeat) override {
    HipLaunch loaded(hip, program.kernel);
    if (Error error = loaded.load(program.image))
      return error;
    return launchOn(loaded, program.kernel, launch, warmup, repeat);
  }

private:
  const HipRuntime &hip;
  std::string name;
  const DriverNode node;
};

Error hipMissing(const Twine &what) {
  return make_error<MissingDevice>(("no HIP device: " + what).str());
}

} // namespace

Expected<std::unique_ptr<Launcher>> openHip() {
  static DriverLibrary library("libamdhip64.so");
  static HipRuntime hip;
  if (!library.isOpen())
    return hipMissing(library.error());
  hip.load(library);
  if (!library.missingFunction().empty())
    return hipMissing("the runtime is too old; it lacks " +
                      library.missingFunction());
  int count = 0;
  if (hip.init(0) || hip.getDeviceCount(&count) || count == 0)
    return hipMissing("the runtime finds no GPU");
  char name[256] = {};
  if (Error error = hip.check(hip.setDevice(0), "opening device 0"))
    return error;
  (void)hip.deviceGetName(name, sizeof(name), 0);
  return std::make_unique<HipLauncher>(hip, name);
}

} // namespace kernelscope::run
