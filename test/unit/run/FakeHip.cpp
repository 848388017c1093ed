//===- FakeHip.cpp - A libamdhip64.so without a GPU -----------------------===//
//
// The runtime's functions that the launcher calls. "Device" memory is the
// host's, and the only kernel that computes, `add`, is out[i] = a[i] + b[i] for
// i < n; a kernel named `crash` fails when it is waited for. Calls that HIP
// returns an error for are counted, and get that error: before hipInit, with
// pointers that are not allocated, beyond an allocation, with images that are
// not AMDGPU code objects, launches beyond the limits of a block, and grids
// that are not of whole clusters.
//
//===----------------------------------------------------------------------===//

#include "FakeHip.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

namespace {

enum Error {
  Success = 0,
  InvalidValue = 1,
  NotInitialized = 3,
  InvalidImage = 200,
  InvalidHandle = 400,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchFailure = 719
};

/// As in ROCm's headers: an attribute is 72 bytes.
struct LaunchAttribute {
  int id, unused, value[16];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned attributeCount;
};

FakeHipLog seen;
bool isInitialized;
std::map<char *, size_t> memory;
std::set<void *> modules, events;
/// Handles of the two kernels.
char add, crash;

int refuse(Error error) {
  ++seen.refused;
  return error;
}

/// Whether `bytes` from `pointer` on are within one allocation.
bool isAllocated(const void *pointer, size_t bytes) {
  const auto *start = static_cast<const char *>(pointer);
  auto after = memory.upper_bound(const_cast<char *>(start));
  if (after == memory.begin())
    return false;
  auto [base, size] = *std::prev(after);
  return static_cast<size_t>(start - base) + bytes <= size;
}

/// ELF's header: 64 bits, little-endian, for the machine AMDGPU.
bool isCodeObject(const void *image) {
  constexpr unsigned machineAt = 18, amdgpu = 224;
  const auto *bytes = static_cast<const unsigned char *>(image);
  return std::memcmp(bytes,
                     "\x7f"
                     "ELF\x02\x01",
                     6) == 0 &&
         bytes[machineAt] == amdgpu;
}

template <typename T> T parameter(void **parameters, unsigned index) {
  return *static_cast<T *>(parameters[index]);
}

int launch(void *function, const unsigned (&grid)[3],
           const unsigned (&block)[3], unsigned sharedBytes, void *stream,
           void **parameters) {
  constexpr unsigned mostThreads = 1024, mostShared = 64 * 1024;
  if (!isInitialized)
    return refuse(NotInitialized);
  if (function != &add && function != &crash)
    return refuse(InvalidHandle);
  const uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  bool isTooLarge = threads == 0 || threads > mostThreads;
  for (int dim = 0; dim < 3; ++dim)
    isTooLarge |=
        grid[dim] == 0 || uint64_t(grid[dim]) * block[dim] > UINT32_MAX;
  if (isTooLarge || sharedBytes > mostShared || stream || !parameters)
    return refuse(InvalidValue);
  ++seen.launches;
  std::memcpy(seen.grid, grid, sizeof(grid));
  std::memcpy(seen.block, block, sizeof(block));
  seen.sharedBytes = sharedBytes;
  if (function == &crash)
    seen.failure = LaunchFailure;
  // Parameters: a, b, out, n, and the two scratch pointers.
  const auto *a = parameter<const float *>(parameters, 0);
  const auto *b = parameter<const float *>(parameters, 1);
  auto *out = parameter<float *>(parameters, 2);
  const int n = parameter<int>(parameters, 3);
  for (const void *pointer :
       {static_cast<const void *>(a), static_cast<const void *>(b),
        static_cast<const void *>(out)})
    if (!isAllocated(pointer, n * sizeof(float))) {
      ++seen.refused;
      seen.failure = IllegalAddress;
    }
  if (auto *scratch = parameter<void *>(parameters, 4);
      scratch && !isAllocated(scratch, 1))
    return refuse(InvalidValue);
  for (int i = 0; i < n && !seen.failure; ++i)
    out[i] = a[i] + b[i];
  return Success;
}

} // namespace

extern "C" {

FakeHipLog *fakeHipLog() { return &seen; }

int hipInit(unsigned flags) {
  if (flags)
    return refuse(InvalidValue);
  isInitialized = true;
  return Success;
}
const char *hipGetErrorString(int error) {
  switch (error) {
  case InvalidValue:
    return "invalid argument";
  case InvalidImage:
    return "device kernel image is invalid";
  case NotFound:
    return "named symbol not found";
  case IllegalAddress:
    return "an illegal memory access was encountered";
  case LaunchFailure:
    return "unspecified launch failure";
  default:
    return "unknown error";
  }
}
int hipGetDeviceCount(int *count) {
  *count = 1;
  return isInitialized ? Success : refuse(NotInitialized);
}
int hipSetDevice(int device) {
  return device == 0 ? Success : refuse(InvalidValue);
}
int hipDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Fake AMD GPU", size);
  return Success;
}
int hipModuleLoadData(void **module, const void *image) {
  if (!isInitialized)
    return refuse(NotInitialized);
  if (!isCodeObject(image))
    return refuse(InvalidImage);
  *module = std::malloc(1);
  modules.insert(*module);
  ++seen.modules;
  return Success;
}
int hipModuleUnload(void *module) {
  if (!modules.erase(module))
    return refuse(InvalidHandle);
  std::free(module);
  --seen.modules;
  return Success;
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  if (!modules.count(module))
    return refuse(InvalidHandle);
  *function = std::strcmp(name, "add") == 0     ? &add
              : std::strcmp(name, "crash") == 0 ? &crash
                                                : nullptr;
  return *function ? Success : refuse(NotFound);
}
int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                          unsigned gridZ, unsigned blockX, unsigned blockY,
                          unsigned blockZ, unsigned sharedBytes, void *stream,
                          void **parameters, void **extra) {
  if (extra)
    return refuse(InvalidValue);
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                sharedBytes, stream, parameters);
}
int hipModuleLaunchCooperativeKernel(void *function, unsigned gridX,
                                     unsigned gridY, unsigned gridZ,
                                     unsigned blockX, unsigned blockY,
                                     unsigned blockZ, unsigned sharedBytes,
                                     void *stream, void **parameters) {
  seen.isCooperative = true;
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                sharedBytes, stream, parameters);
}
int hipDrvLaunchKernelEx(const LaunchConfig *config, void *function,
                         void **parameters, void **extra) {
  if (extra || !config)
    return refuse(InvalidValue);
  constexpr int cooperative = 2, clusterDimensions = 4;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    if (attribute.id == cooperative)
      seen.isCooperative = attribute.value[0] != 0;
    else if (attribute.id == clusterDimensions)
      for (int dim = 0; dim < 3; ++dim) {
        const int blocks = attribute.value[dim];
        if (blocks < 1 || config->grid[dim] % static_cast<unsigned>(blocks))
          return refuse(InvalidValue);
        seen.cluster[dim] = blocks;
      }
    else
      return refuse(InvalidValue);
  }
  return launch(function, config->grid, config->block, config->sharedBytes,
                config->stream, parameters);
}
int hipMalloc(void **pointer, size_t bytes) {
  if (!isInitialized)
    return refuse(NotInitialized);
  auto *start = static_cast<char *>(std::malloc(bytes ? bytes : 1));
  memory[start] = bytes;
  ++seen.allocations;
  *pointer = start;
  return Success;
}
int hipFree(void *pointer) {
  if (!memory.erase(static_cast<char *>(pointer)))
    return refuse(InvalidValue);
  std::free(pointer);
  --seen.allocations;
  return Success;
}
int hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  if (!isAllocated(to, bytes))
    return refuse(InvalidValue);
  std::memcpy(to, from, bytes);
  return Success;
}
int hipMemcpyDtoH(void *to, void *from, size_t bytes) {
  if (!isAllocated(from, bytes))
    return refuse(InvalidValue);
  std::memcpy(to, from, bytes);
  return Success;
}
int hipMemset(void *pointer, int value, size_t bytes) {
  if (!isAllocated(pointer, bytes))
    return refuse(InvalidValue);
  std::memset(pointer, value, bytes);
  return Success;
}
int hipDeviceSynchronize() { return seen.failure; }
int hipEventCreate(void **event) {
  *event = std::malloc(1);
  events.insert(*event);
  ++seen.events;
  return Success;
}
int hipEventDestroy(void *event) {
  if (!events.erase(event))
    return refuse(InvalidHandle);
  std::free(event);
  --seen.events;
  return Success;
}
int hipEventRecord(void *event, void *) {
  return events.count(event) ? Success : refuse(InvalidHandle);
}
int hipEventSynchronize(void *event) {
  if (!events.count(event))
    return refuse(InvalidHandle);
  return hipDeviceSynchronize();
}
int hipEventElapsedTime(float *milliseconds, void *start, void *stop) {
  if (start == stop || !events.count(start) || !events.count(stop))
    return refuse(InvalidHandle);
  *milliseconds = 0.5;
  return Success;
}

} // extern "C"
