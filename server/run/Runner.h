//===- Runner.h - One run, from the launch to the report --------*- C++ -*-===//
//
// What a run on the CPU and one on a GPU share, and both of them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_RUNNER_H
#define KERNELSCOPE_SERVER_RUN_RUNNER_H

#include "executor/agents/Trace.h"
#include "server/run/OpenGpu.h"

namespace kernelscope::run {

/// What a run is doing. Each step that fails gives the result that the run ends
/// with.
class Runner {
public:
  Runner(mlir::ModuleOp module, const RunOptions &options)
      : module(module), options(options) {}

  RunResult run();

private:
  // Shared: Runner.cpp.
  RunResult fail(RunStatus status, std::string message = "") {
    return {status, std::move(message), std::nullopt};
  }
  /// A FailedRun needs no message: it has a diagnostic on an op.
  RunResult fail(llvm::Error error);
  /// What the caller gave is wrong, or the kernel fails with it.
  RunResult failInput(llvm::Error error);
  void stage(llvm::StringRef name);
  /// Says how many programs have run, and if they are all that there is to do,
  /// how much that is.
  executor::OnProgress advances(const char *what, bool isAll);
  /// Says how much of the elements of a large buffer is done.
  void advance(const char *what, const ArgumentInfo &buffer, uint64_t done,
               uint64_t elements);
  /// The launch, with its arguments in the report.
  llvm::Expected<Launch> resolve(executor::Kernel *executable);
  /// Reports the outputs of `launch`, compared with files or with `expected`,
  /// which may be null.
  RunResult finish(const Launch &launch, const Launch *expected);
  /// How far a result may be from `expected`.
  Tolerance toleranceOf(const ArgumentValue &expected) const;
  llvm::Error save(const ArgumentValue &argument, const std::string &folder);

  // RunOnCpu.cpp.
  RunResult runOnCpu();
  /// Says where shared memory is, as compiling does, so that the sanitizer
  /// knows which buffers share a place. A file may say it itself.
  void placeBuffers();
  llvm::Error save(const executor::Trace &trace);

  // RunOnGpu.cpp.
  RunResult runOnGpu(Gpu gpu);
  /// The kernel as the CPU executor runs it, to compare with.
  struct Reference {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    mlir::FunctionOpInterface kernel;
    /// Null if the executor cannot run it, for the reason in `whyNot`.
    std::unique_ptr<executor::Kernel> executable;
    std::string whyNot;
  };
  Reference planReference(const Target &target);
  llvm::Expected<DeviceProgram> compileFor(const Target &target);
  /// Puts the code of the options in place of what was compiled.
  llvm::Error takeGivenCode(DeviceProgram &program, const Target &target);
  Emit imageFor(const Target &target) const;
  /// Launches once for the results, and times as often as the options ask.
  llvm::Error launchAndTime(Gpu &gpu, const DeviceProgram &program,
                            Launch &launch, const Reference &reference);
  /// `error` of a launch that wrote `written`, or a FailedRun if it or a failed
  /// assertion became an error on an op.
  llvm::Error diagnose(llvm::Error error, llvm::StringRef written,
                       const KernelInfo &program);
  bool isSimulated() const { return options.device == Device::Sim; }

  mlir::ModuleOp module;
  const RunOptions &options;
  /// Compiling replaces it.
  mlir::FunctionOpInterface kernel;
  std::string kernelFile;
  /// Of the device's sums of products, for `defaultTolerance`.
  double leastTolerance = 0;
  RunReport report;
};

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_RUNNER_H
