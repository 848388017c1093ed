//===- FakeCuda.h - What the fake driver saw -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_RUN_FAKECUDA_H
#define KERNELSCOPE_TEST_RUN_FAKECUDA_H

/// The launches since the driver was started, and the last one's configuration.
struct FakeCudaLog {
  unsigned launches = 0;
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0;
  unsigned cluster[3] = {};
  bool isCooperative = false, isDependent = false;
  int maxSharedBytes = 0; ///< what the function's attribute was set to
  int allocations = 0;    ///< that are not freed
  /// The tensor map that was encoded last: its type, the tensor's sizes and
  /// strides, the box, the swizzle.
  int mapType = -1, mapSwizzle = -1;
  unsigned long long mapSizes[2] = {}, mapStride = 0;
  unsigned mapBox[2] = {};
  /// Whether the launch's first parameter was that map, at a multiple of 64.
  bool passedMap = false;
};

#endif // KERNELSCOPE_TEST_RUN_FAKECUDA_H
