//===- FakeHip.h - What the fake HIP runtime saw ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_RUN_FAKEHIP_H
#define KERNELSCOPE_TEST_RUN_FAKEHIP_H

/// The launches since the log was cleared, and the last one's configuration.
struct FakeHipLog {
  unsigned launches = 0;
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0;
  int cluster[3] = {}; ///< zeros for none
  bool isCooperative = false;
  /// What is not released yet.
  int allocations = 0, modules = 0, events = 0;
  int failure = 0;      ///< what waiting for the device returns
  unsigned refused = 0; ///< calls that the runtime would return an error for
};

#endif // KERNELSCOPE_TEST_RUN_FAKEHIP_H
