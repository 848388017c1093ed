//===- DeviceOutput.h - What a kernel on a GPU prints -----------*- C++ -*-===//
//
// Drivers write what kernels print, and which assertions failed, to this
// process's standard output and error.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DEVICEOUTPUT_H
#define KERNELSCOPE_SERVER_RUN_DEVICEOUTPUT_H

#include "passes/Compile.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kernelscope::run {

/// While it exists, what this process writes to its standard output and error
/// is kept from them. Where there is no room for that, nothing is captured.
class CapturedOutput {
public:
  CapturedOutput();
  ~CapturedOutput();
  CapturedOutput(const CapturedOutput &) = delete;
  CapturedOutput &operator=(const CapturedOutput &) = delete;

  /// Restores the standard output and error, and returns what was written.
  std::string take();

private:
  int file = -1, output = -1, error = -1;
};

/// An assertion that failed in one thread.
struct FailedAssertion {
  std::string file; ///< of the IR, as its locations name it
  unsigned line = 0;
  std::string text; ///< "program (0, 0, 0), warp 1, thread 40: ..."
};

/// The failed assertions in what a launch of `kernel` wrote: the lines of
/// CUDA's `__assertfail`, and those of our own code for AMD.
std::vector<FailedAssertion> failedAssertions(llvm::StringRef written,
                                              const KernelInfo &kernel);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DEVICEOUTPUT_H
