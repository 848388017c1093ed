//===- FakeCuda.h - What the fake driver saw -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_RUN_FAKECUDA_H
#define KERNELSCOPE_TEST_RUN_FAKECUDA_H

/// The launches since the driver was started, and the last one's configuration.
struct FakeCudaLog {
  unsigned launches = 0;
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0;
  unsigned cluster[3] = {};
  int maxSharedBytes = 0; ///< what the function's attribute was set to
  int allocations = 0;    ///< that are not freed
};

#endif // KERNELSCOPE_TEST_RUN_FAKECUDA_H
