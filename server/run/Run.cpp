//===- Run.cpp - Runs a kernel on a device --------------------------------===//
//
// Chooses the kernel and what it runs on.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "server/run/Repeatability.h"
#include "server/run/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::run;

std::optional<Device> run::parseDevice(StringRef name) {
  return llvm::StringSwitch<std::optional<Device>>(name)
      .Case("auto", Device::Auto)
      .Case("cpu", Device::Cpu)
      .Case("cuda", Device::Cuda)
      .Case("hip", Device::Hip)
      .Case("sim", Device::Sim)
      .Default(std::nullopt);
}

/// The public functions of a module that are kernels.
static SmallVector<FunctionOpInterface> kernelsOf(ModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  module.walk([&](tt::FuncOp function) {
    if (function.isPublic() && !function.isExternal())
      kernels.push_back(function);
  });
  return kernels;
}

Expected<FunctionOpInterface>
run::chooseKernel(ModuleOp module, const std::optional<std::string> &name) {
  SmallVector<FunctionOpInterface> kernels = kernelsOf(module);
  const std::string names =
      join(map_range(kernels,
                     [](FunctionOpInterface k) { return k.getName().str(); }),
           ", ");
  if (kernels.empty())
    return createStringError(
        "the file has no kernel: no public tt.func with a body");
  if (!name) {
    if (kernels.size() > 1)
      return createStringError("the file has several kernels; choose one of " +
                               names);
    return kernels.front();
  }
  for (FunctionOpInterface kernel : kernels)
    if (kernel.getName() == *name)
      return kernel;
  return createStringError("the file has no kernel '" + *name + "'; it has " +
                           names);
}

RunResult Runner::run() {
  for (const std::string &folder : {options.outputFolder, options.inputFolder})
    if (std::error_code error = folder.empty()
                                    ? std::error_code()
                                    : sys::fs::create_directories(folder))
      return fail(RunStatus::BadSpec, "cannot write to the folder '" + folder +
                                          "': " + error.message());
  const bool isTraced = !options.traceFile.empty();
  if (isTraced && options.device != Device::Cpu &&
      options.device != Device::Auto)
    return fail(
        RunStatus::BadSpec,
        "only the CPU executor writes a timeline; --device must be cpu");
  const bool hasCode = !options.codeFile.empty();
  if (hasCode && (options.device == Device::Cpu || isTraced))
    return fail(
        RunStatus::BadSpec,
        "GPU code cannot run on the CPU; --device must be cuda, hip or sim");
  Expected<FunctionOpInterface> chosen =
      chooseKernel(module, options.spec.kernel);
  if (!chosen)
    return fail(RunStatus::BadSpec, toString(chosen.takeError()));
  kernel = *chosen;
  report.kernel = kernel.getName().str();
  if (auto place = dyn_cast<FileLineColLoc>(kernel->getLoc()))
    kernelFile = place.getFilename().str();
  report.notes = whyRunsMayDiffer(kernel);
  if (options.device == Device::Cpu || isTraced)
    return runOnCpu();
  // Where neither names one, the device's own.
  auto named = module->getAttrOfType<StringAttr>("ttg.target");
  Expected<Gpu> gpu = openGpu(
      options.device,
      options.arch.empty() && named ? named.getValue().str() : options.arch,
      options.spec);
  if (gpu)
    return runOnGpu(std::move(*gpu));
  if (options.device != Device::Auto || hasCode)
    return fail(gpu.takeError());
  report.notes.push_back("on the CPU: " + toString(gpu.takeError()));
  return runOnCpu();
}

RunResult run::run(ModuleOp module, const RunOptions &options) {
  return Runner(module, options).run();
}
