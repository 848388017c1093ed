//===- Cuda.cpp - Kernels on an NVIDIA GPU --------------------------------===//
//
// The CUDA driver API, from libcuda.so.1, which comes with NVIDIA's driver. The
// declarations are those of the driver's ABI that are used here.
//
//===----------------------------------------------------------------------===//

#include "server/run/CudaTensorMap.h"
#include "server/run/DriverLibrary.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>

using namespace llvm;

namespace kernelscope::run {
namespace {

using CUresult = int;
using CUdevice = int;
using CUcontext = void *;
using CUmodule = void *;
using CUfunction = void *;
using CUstream = void *;
using CUevent = void *;
using CUdeviceptr = uint64_t;

enum : int {
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};

struct CUlaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } clusterDim;
    int isOn; // cooperative, programmatic stream serialization
  } value;
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned numAttributes;
};

/// The driver's functions.
struct CudaDriver {
  CUresult (*init)(unsigned);
  CUresult (*getErrorString)(CUresult, const char **);
  CUresult (*deviceGetCount)(int *);
  CUresult (*deviceGet)(CUdevice *, int);
  CUresult (*deviceGetName)(char *, int, CUdevice);
  CUresult (*deviceGetAttribute)(int *, int, CUdevice);
  CUresult (*primaryCtxRetain)(CUcontext *, CUdevice);
  CUresult (*primaryCtxRelease)(CUdevice);
  CUresult (*ctxSetCurrent)(CUcontext);
  CUresult (*ctxSynchronize)();
  CUresult (*moduleLoadDataEx)(CUmodule *, const void *, unsigned, int *,
                               void **);
  CUresult (*moduleUnload)(CUmodule);
  CUresult (*moduleGetFunction)(CUfunction *, CUmodule, const char *);
  CUresult (*funcSetAttribute)(CUfunction, int, int);
  CUresult (*memAlloc)(CUdeviceptr *, size_t);
  CUresult (*memFree)(CUdeviceptr);
  CUresult (*memcpyHtoD)(CUdeviceptr, const void *, size_t);
  CUresult (*memcpyDtoH)(void *, CUdeviceptr, size_t);
  CUresult (*memsetD8)(CUdeviceptr, unsigned char, size_t);
  CUresult (*launchKernelEx)(const CUlaunchConfig *, CUfunction, void **,
                             void **);
  CudaTensorMapFunctions tensorMaps;
  CUresult (*eventCreate)(CUevent *, unsigned);
  CUresult (*eventDestroy)(CUevent);
  CUresult (*eventRecord)(CUevent, CUstream);
  CUresult (*eventSynchronize)(CUevent);
  CUresult (*eventElapsedTime)(float *, CUevent, CUevent);

  void load(DriverLibrary &library) {
    library.load(init, "cuInit");
    library.load(getErrorString, "cuGetErrorString");
    library.load(deviceGetCount, "cuDeviceGetCount");
    library.load(deviceGet, "cuDeviceGet");
    library.load(deviceGetName, "cuDeviceGetName");
    library.load(deviceGetAttribute, "cuDeviceGetAttribute");
    library.load(primaryCtxRetain, "cuDevicePrimaryCtxRetain");
    library.load(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
    library.load(ctxSetCurrent, "cuCtxSetCurrent");
    library.load(ctxSynchronize, "cuCtxSynchronize");
    library.load(moduleLoadDataEx, "cuModuleLoadDataEx");
    library.load(moduleUnload, "cuModuleUnload");
    library.load(moduleGetFunction, "cuModuleGetFunction");
    library.load(funcSetAttribute, "cuFuncSetAttribute");
    library.load(memAlloc, "cuMemAlloc_v2");
    library.load(memFree, "cuMemFree_v2");
    library.load(memcpyHtoD, "cuMemcpyHtoD_v2");
    library.load(memcpyDtoH, "cuMemcpyDtoH_v2");
    library.load(memsetD8, "cuMemsetD8_v2");
    library.load(launchKernelEx, "cuLaunchKernelEx");
    tensorMaps.load(library);
    library.load(eventCreate, "cuEventCreate");
    library.load(eventDestroy, "cuEventDestroy_v2");
    library.load(eventRecord, "cuEventRecord");
    library.load(eventSynchronize, "cuEventSynchronize");
    library.load(eventElapsedTime, "cuEventElapsedTime");
  }

  std::string describe(CUresult result) const {
    const char *text = nullptr;
    if (getErrorString(result, &text) == 0 && text)
      return text;
    return "error " + std::to_string(result);
  }
  Error check(CUresult result, const Twine &what) const {
    if (result == 0)
      return Error::success();
    return createStringError("CUDA: " + what + ": " + describe(result));
  }
};

/// One loaded kernel on the current context.
class CudaLaunch : public DeviceDriver {
public:
  CudaLaunch(const CudaDriver &cuda, const KernelInfo &kernel)
      : cuda(cuda), kernel(kernel) {}
  ~CudaLaunch() override {
    for (CUevent event : {before, after})
      if (event)
        cuda.eventDestroy(event);
    if (module)
      cuda.moduleUnload(module);
  }

  Error load(const std::string &image) {
    std::string log(16384, '\0');
    int options[] = {CU_JIT_ERROR_LOG_BUFFER,
                     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), std::bit_cast<void *>(log.size())};
    if (CUresult result =
            cuda.moduleLoadDataEx(&module, image.c_str(), 2, options, values)) {
      log.resize(log.find('\0'));
      return createStringError("CUDA: the driver rejects the PTX of '" +
                               kernel.name + "': " + cuda.describe(result) +
                               (log.empty() ? "" : "\n" + log));
    }
    if (Error error = cuda.check(
            cuda.moduleGetFunction(&function, module, kernel.name.c_str()),
            "finding kernel '" + kernel.name + "'"))
      return error;
    // Beyond 48 KiB a kernel must ask for shared memory.
    if (kernel.sharedBytes > 48 * 1024)
      if (Error error = cuda.check(
              cuda.funcSetAttribute(
                  function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  static_cast<int>(kernel.sharedBytes)),
              formatv("asking for {0} bytes of shared memory",
                      kernel.sharedBytes)))
        return error;
    if (Error error =
            cuda.check(cuda.eventCreate(&before, 0), "creating an event"))
      return error;
    return cuda.check(cuda.eventCreate(&after, 0), "creating an event");
  }

  Expected<uint64_t> allocate(size_t bytes) override {
    CUdeviceptr pointer = 0;
    if (Error error = cuda.check(cuda.memAlloc(&pointer, bytes),
                                 formatv("allocating {0} bytes", bytes)))
      return error;
    return pointer;
  }
  void release(uint64_t pointer) override { cuda.memFree(pointer); }
  Error copyToDevice(uint64_t to, const void *from, size_t bytes) override {
    return bytes ? cuda.check(cuda.memcpyHtoD(to, from, bytes),
                              "copying to the device")
                 : Error::success();
  }
  Error copyToHost(void *to, uint64_t from, size_t bytes) override {
    return bytes ? cuda.check(cuda.memcpyDtoH(to, from, bytes),
                              "copying from the device")
                 : Error::success();
  }
  Error clear(uint64_t pointer, size_t bytes) override {
    return cuda.check(cuda.memsetD8(pointer, 0, bytes), "clearing memory");
  }
  Expected<TensorMap> describeTensor(const ArgumentValue &argument,
                                     uint64_t pointer,
                                     const KernelArgument &parameter) override {
    Expected<CudaTensorMap> map = CudaTensorMap::of(argument, parameter);
    if (!map)
      return map.takeError();
    if (!cuda.tensorMaps.isSupported())
      return createStringError("argument '" + argument.info.name +
                               "' is a tensor descriptor, for which the driver "
                               "is too old; it must be of CUDA 12 or later");
    TensorMap encoded;
    if (Error error = cuda.check(map->encode(cuda.tensorMaps, pointer, encoded),
                                 "describing the tensor of argument '" +
                                     argument.info.name + "'"))
      return error;
    return encoded;
  }
  Error launch(executor::Grid grid, void **parameters) override {
    SmallVector<CUlaunchAttribute, 3> attributes;
    auto add = [&](int id) -> CUlaunchAttribute & {
      attributes.push_back({});
      attributes.back().id = id;
      return attributes.back();
    };
    if (kernel.ctas > 1)
      add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).value.clusterDim = {
          kernel.ctas, 1, 1};
    if (kernel.isCooperative)
      add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).value.isOn = 1;
    if (kernel.isDependent)
      add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).value.isOn = 1;
    CUlaunchConfig config = {};
    config.gridDimX = grid.x * kernel.ctas;
    config.gridDimY = grid.y;
    config.gridDimZ = grid.z;
    config.blockDimX = kernel.threads();
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = kernel.sharedBytes;
    config.attributes = attributes.data();
    config.numAttributes = attributes.size();
    return cuda.check(
        cuda.launchKernelEx(&config, function, parameters, nullptr),
        "launching '" + kernel.name + "'");
  }
  Error synchronize() override {
    return cuda.check(cuda.ctxSynchronize(), "running '" + kernel.name + "'");
  }
  Expected<double> time(function_ref<Error()> work) override {
    if (Error error =
            cuda.check(cuda.eventRecord(before, nullptr), "recording an event"))
      return error;
    if (Error error = work())
      return error;
    if (Error error =
            cuda.check(cuda.eventRecord(after, nullptr), "recording an event"))
      return error;
    if (Error error = cuda.check(cuda.eventSynchronize(after),
                                 "running '" + kernel.name + "'"))
      return error;
    float milliseconds = 0;
    if (Error error =
            cuda.check(cuda.eventElapsedTime(&milliseconds, before, after),
                       "reading an event"))
      return error;
    return 1000.0 * milliseconds;
  }

private:
  const CudaDriver &cuda;
  const KernelInfo &kernel;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUevent before = nullptr, after = nullptr;
};

class CudaLauncher : public Launcher {
public:
  explicit CudaLauncher(const CudaDriver &cuda) : cuda(cuda) {}
  ~CudaLauncher() override {
    if (context)
      cuda.primaryCtxRelease(device);
  }

  Error open() {
    if (Error error =
            cuda.check(cuda.deviceGet(&device, 0), "opening device 0"))
      return error;
    char text[256] = {};
    int major = 0, minor = 0;
    cuda.deviceGetName(text, sizeof(text), device);
    cuda.deviceGetAttribute(
        &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuda.deviceGetAttribute(
        &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    name = text;
    architecture = archName(Vendor::Nvidia, major, minor);
    if (Error error = cuda.check(cuda.primaryCtxRetain(&context, device),
                                 "making a context"))
      return error;
    return cuda.check(cuda.ctxSetCurrent(context), "making a context");
  }

  std::string deviceName() const override { return name; }
  std::string arch() const override { return architecture; }
  DeviceClocks clocks() const override {
    auto attribute = [&](int which) {
      int value = 0;
      cuda.deviceGetAttribute(&value, which, device);
      return static_cast<unsigned>(std::max(value, 0));
    };
    // Clocks are in kilohertz.
    return {attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1e6,
            attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1e6,
            attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)};
  }

  Expected<LaunchTimes> launch(const DeviceProgram &program, Launch &launch,
                               unsigned warmup, unsigned repeat) override {
    CudaLaunch loaded(cuda, program.kernel);
    if (Error error = loaded.load(program.image))
      return error;
    return launchOn(loaded, program.kernel, launch, warmup, repeat);
  }

private:
  const CudaDriver &cuda;
  CUdevice device = 0;
  CUcontext context = nullptr;
  std::string name, architecture;
};

Error cudaMissing(const Twine &what) {
  return make_error<MissingDevice>(("no CUDA device: " + what).str());
}

} // namespace

Expected<std::unique_ptr<Launcher>> openCuda() {
  static DriverLibrary library("libcuda.so.1");
  static CudaDriver cuda;
  if (!library.isOpen())
    return cudaMissing(library.error());
  cuda.load(library);
  if (!library.missingFunction().empty())
    return cudaMissing("the driver is too old; it lacks " +
                       library.missingFunction());
  if (CUresult result = cuda.init(0))
    return cudaMissing("the driver did not initialise: " +
                       cuda.describe(result));
  int count = 0;
  if (CUresult result = cuda.deviceGetCount(&count); result || count == 0)
    return cudaMissing("the driver finds no GPU");
  auto launcher = std::make_unique<CudaLauncher>(cuda);
  if (Error error = launcher->open())
    return error;
  return launcher;
}

} // namespace kernelscope::run
