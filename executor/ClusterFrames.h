//===- ClusterFrames.h - The CTAs that run a program -----------*- C++ -*-===//
//
// A program is run by one CTA, or by those of a cluster, each with a frame of
// its own.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_CLUSTERFRAMES_H
#define KERNELSCOPE_EXECUTOR_CLUSTERFRAMES_H

#include "executor/plan/Frame.h"
#include "executor/sanitize/Watch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::executor {

/// The frames of a cluster's CTAs, and what the sanitizer knows of each.
class ClusterFrames {
public:
  ClusterFrames(mlir::FunctionOpInterface kernel, const Plan &plan,
                RunningProgram &running, llvm::ArrayRef<Argument> arguments);

  /// Runs the program that `running` has started: its first CTA here, the
  /// others as agents. `sanitizer` may be null.
  void run(sanitize::Sanitizer *sanitizer);

private:
  mlir::FunctionOpInterface kernel;
  const Plan &plan;
  RunningProgram &running;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<std::unique_ptr<sanitize::Watch>> watches;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_CLUSTERFRAMES_H
