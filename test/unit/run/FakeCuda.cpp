//===- FakeCuda.cpp - A libcuda.so.1 without a GPU ------------------------===//
//
// The driver's functions that the launcher calls. "Device" memory is the
// host's, and the only kernel, `add`, is out[i] = a[i] + b[i] for i < n. A
// module whose text begins with "bad" does not load, and a kernel named `crash`
// fails an assertion. A launch prints a line.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

FakeCudaLog seen;
const char *loadedKernel;

struct LaunchAttribute {
  int id;
  char padding[4];
  unsigned value[16];
};

/// As the driver's ABI has it.
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};

constexpr char mapMark[] = "tensor map";
constexpr int invalidImage = 200, launchFailed = 719, cooperative = 2,
              clusterDimension = 4, programmaticSerialization = 6;

} // namespace

extern "C" {

FakeCudaLog *fakeCudaLog() { return &seen; }

int cuInit(unsigned) { return 0; }
int cuGetErrorString(int error, const char **text) {
  *text = error == invalidImage ? "device kernel image is invalid"
                                : "unspecified launch failure";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = std::getenv("KS_FAKE_CUDA_NO_GPU") ? 0 : 1;
  return 0;
}
int cuDeviceGet(int *device, int) { return *device = 0; }
int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Fake GPU", size);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &seen;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() {
  if (std::strcmp(loadedKernel, "crash") != 0)
    return 0;
  std::fputs("k.ttir:7: crash: block: [3,1,0], thread: [40,0,0] Assertion `i < "
             "n` failed.\n",
             stderr);
  return launchFailed;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  if (std::strncmp(static_cast<const char *>(image), "bad", 3) != 0) {
    *module = &seen;
    return 0;
  }
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "ptxas error: line 1");
  return invalidImage;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = &seen;
  loadedKernel = std::strcmp(name, "crash") == 0 ? "crash" : "add";
  return 0;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute == 8)
    seen.maxSharedBytes = value;
  return 0;
}
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  *pointer = reinterpret_cast<uint64_t>(std::malloc(bytes));
  ++seen.allocations;
  return 0;
}
int cuMemFree_v2(uint64_t pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  --seen.allocations;
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuMemsetD8_v2(uint64_t pointer, unsigned char value, size_t bytes) {
  std::memset(reinterpret_cast<void *>(pointer), value, bytes);
  return 0;
}
int cuLaunchKernelEx(const LaunchConfig *config, void *, void **parameters,
                     void **) {
  ++seen.launches;
  std::memcpy(seen.grid, config->grid, sizeof(seen.grid));
  std::memcpy(seen.block, config->block, sizeof(seen.block));
  seen.sharedBytes = config->sharedBytes;
  for (unsigned i = 0; i < config->numAttributes; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    if (attribute.id == clusterDimension)
      std::memcpy(seen.cluster, attribute.value, sizeof(seen.cluster));
    seen.isCooperative |= attribute.id == cooperative && attribute.value[0];
    seen.isDependent |=
        attribute.id == programmaticSerialization && attribute.value[0];
  }
  if (std::memcmp(parameters[0], mapMark, sizeof(mapMark)) == 0) {
    seen.passedMap = reinterpret_cast<uintptr_t>(parameters[0]) % 64 == 0;
    return 0;
  }
  // Parameters: a, b, out, n, and the two scratch pointers.
  const auto *a = *static_cast<const float **>(parameters[0]);
  const auto *b = *static_cast<const float **>(parameters[1]);
  auto *out = *static_cast<float **>(parameters[2]);
  const int n = *static_cast<const int *>(parameters[3]);
  for (int i = 0; i < n; ++i)
    out[i] = a[i] + b[i];
  std::puts("added");
  return *static_cast<void **>(parameters[5]) ? launchFailed : 0;
}
int cuTensorMapEncodeTiled(void *map, int type, uint32_t, void *,
                           const uint64_t *sizes, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *, int,
                           int swizzle, int, int) {
  seen.mapType = type;
  seen.mapSwizzle = swizzle;
  seen.mapStride = strides[0];
  for (int dim = 0; dim < 2; ++dim) {
    seen.mapSizes[dim] = sizes[dim];
    seen.mapBox[dim] = box[dim];
  }
  std::memcpy(map, mapMark, sizeof(mapMark));
  return 0;
}
int cuTensorMapEncodeIm2col(void *, int, uint32_t, void *, const uint64_t *,
                            const uint64_t *, const int *, const int *,
                            uint32_t, uint32_t, const uint32_t *, int, int, int,
                            int) {
  return 1;
}
int cuEventCreate(void **event, unsigned) {
  *event = &seen;
  return 0;
}
int cuEventDestroy_v2(void *) { return 0; }
int cuEventRecord(void *, void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.25;
  return 0;
}

} // extern "C"
