//===- Run.h - Runs a kernel on a device ------------------------*- C++ -*-===//
//
// The one function behind `kernelscope run` and the editor's Run.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_RUN_H
#define KERNELSCOPE_SERVER_RUN_RUN_H

#include "mlir/IR/BuiltinOps.h"
#include "passes/Compile.h"
#include "server/run/Report.h"
#include <functional>

namespace kernelscope::run {

/// Auto: the GPU that the kernel is for when this machine has it, else the CPU.
/// Sim: the wave simulator, on which code for an AMD GPU runs.
enum class Device { Auto, Cpu, Cuda, Hip, Sim };

/// "auto", "cpu", "cuda", "hip" or "sim"; none for another name.
std::optional<Device> parseDevice(llvm::StringRef name);

struct RunOptions {
  Device device = Device::Auto;
  LaunchSpec spec;
  /// The architecture to compile for; the device's when empty.
  std::string arch;
  /// How TTIR is compiled. The kernel is the spec's.
  CompileOptions compile;
  /// Where outputs go as .npy files; nowhere when empty.
  std::string outputFolder;
  /// Where the inputs go as .npy files before the run; nowhere when empty.
  std::string inputFolder;
  /// The file for the timeline of the first program on the CPU; none when
  /// empty.
  std::string traceFile;
  /// The code to run on the GPU, as another compiler made it: PTX, a cubin or a
  /// code object, or LLVM IR for the simulator, whose parameters are as
  /// `KernelInfo` says. What it needs comes from Triton's metadata beside it,
  /// if there are any. The kernel is compiled when empty.
  std::string codeFile;
  /// Compare a GPU's results with the CPU executor's. When not set, do so
  /// unless the executor would take long.
  std::optional<bool> compare;
  /// Where tt.print writes on the CPU; nowhere when null.
  llvm::raw_ostream *print = nullptr;
  /// Called now and then while programs run on the CPU: how far they are, in
  /// words and, if the run ends with them, in percent.
  std::function<void(std::string stage, std::optional<unsigned> percentage)>
      onAdvance;
  /// Called as each stage starts.
  std::function<void(llvm::StringRef stage)> onStage;
};

/// The numbers are the command line's exit codes.
enum class RunStatus {
  Done = 0,
  Failed = 1,  ///< an error in the IR or at run time, or results that differ
  BadSpec = 2, ///< the launch spec or an option
  MissingDevice = 3, ///< no driver or GPU
};

struct RunResult {
  RunStatus status = RunStatus::Done;
  /// What is wrong; empty when it was a diagnostic on an op, or nothing.
  std::string error;
  /// There is one when the kernel ran.
  std::optional<RunReport> report;
};

/// The kernel `name` of a module, or its only one: a public function with a
/// body. The error lists those there are.
llvm::Expected<mlir::FunctionOpInterface>
chooseKernel(mlir::ModuleOp module, const std::optional<std::string> &name);

/// Runs one kernel of `module`, whose locations are lines of the IR file
/// (parseForCompile). Errors in the IR are diagnostics. `module` is changed
/// when the device is a GPU: it is compiled.
RunResult run(mlir::ModuleOp module, const RunOptions &options);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_RUN_H
