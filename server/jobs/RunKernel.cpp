//===- RunKernel.cpp - the job that runs a kernel -------------------------===//

#include "server/jobs/RunKernel.h"

#include "server/jobs/JobIR.h"
#include "server/run/Run.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

namespace {

/// More than any corpus kernel needs on the CPU, less than would hurt.
constexpr uint64_t cpuMemory = uint64_t(16) << 30;

llvm::Expected<run::LaunchSpec> specOf(const Json &request) {
  std::string path = stringOf(request, "path");
  auto spec = request.find("spec");
  if (spec != request.end() && spec->is_object())
    return run::parseLaunchSpec(toText(*spec), path);
  if (spec != request.end() && spec->is_string() && *spec != "")
    return run::readLaunchSpec(spec->get<std::string>());
  std::string beside = run::sidecarPath(path);
  if (llvm::sys::fs::exists(beside))
    return run::readLaunchSpec(beside);
  return run::LaunchSpec();
}

JobFailure failureOf(run::RunStatus status) {
  switch (status) {
  case run::RunStatus::BadSpec:
    return JobFailure::InvalidUsage;
  case run::RunStatus::MissingDevice:
    return JobFailure::MissingTool;
  case run::RunStatus::Done:
  case run::RunStatus::Failed:
    return JobFailure::InvalidIR;
  }
  __builtin_unreachable();
}

} // namespace

Json kernelscope::runKernelJob(const Json &request, JobProgress &progress) {
  progress.stage("parse");
  Json failure;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseRequest(request, failure);
  if (!module)
    return failure;

  run::RunOptions options;
  llvm::Expected<run::LaunchSpec> spec = specOf(request);
  if (!spec)
    return jobError(JobFailure::InvalidUsage, llvm::toString(spec.takeError()));
  options.spec = std::move(*spec);
  std::string device = stringOf(request, "device");
  std::optional<run::Device> named = run::parseDevice(device);
  if (!device.empty() && !named)
    return jobError(JobFailure::InvalidUsage,
                    "'" + device +
                        "' is no device; there are auto, cuda, hip, cpu");
  options.device = named.value_or(run::Device::Auto);
  options.arch = stringOf(request, "arch");
  options.outputFolder = stringOf(request, "output");
  if (std::string kernel = stringOf(request, "kernel"); !kernel.empty())
    options.spec.kernel = kernel;
  if (auto compare = request.find("compare");
      compare != request.end() && compare->is_boolean())
    options.compare = compare->get<bool>();
  options.onStage = [&](llvm::StringRef stage) { progress.stage(stage.str()); };
  std::string printed;
  llvm::raw_string_ostream print(printed);
  options.print = &print;
  // A GPU's driver reserves address space without using it.
  if (options.device == run::Device::Cpu)
    limitMemory(cpuMemory);

  IRDiagnostics diagnostics(progress);
  run::RunResult result = run::run(*module, options);
  if (!result.report) {
    if (result.error.empty())
      return diagnostics.failure();
    Json answer = jobError(failureOf(result.status), result.error);
    answer["error"]["diagnostics"] = diagnostics.list();
    return answer;
  }
  return {{"report", run::toText(*result.report)},
          {"data", run::toJson(*result.report)},
          {"printed", printed},
          {"diagnostics", diagnostics.list()},
          {"matches", result.report->matches()}};
}
