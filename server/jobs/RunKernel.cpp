//===- RunKernel.cpp - the job that runs a kernel -------------------------===//

#include "server/jobs/RunKernel.h"

#include "server/jobs/Answers.h"
#include "server/jobs/JobIR.h"
#include "server/run/Run.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

namespace {

/// More than any corpus kernel needs on the CPU, less than would hurt.
constexpr uint64_t cpuMemory = uint64_t(16) << 30;

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

llvm::Expected<run::LaunchSpec>
kernelscope::launchSpecOf(const Json &spec, const std::string &path) {
  if (spec.is_object())
    return run::parseLaunchSpec(toText(spec), path);
  if (spec.is_string() && spec != "")
    return run::readLaunchSpec(spec.get<std::string>());
  std::string beside = run::sidecarPath(path);
  if (llvm::sys::fs::exists(beside))
    return run::readLaunchSpec(beside);
  return run::LaunchSpec();
}

Json kernelscope::runKernelJob(const RunRequest &request,
                               JobProgress &progress) {
  progress.stage("parse");
  Json failure;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseRequest(request, failure);
  if (!module)
    return failure;

  run::RunOptions options;
  llvm::Expected<run::LaunchSpec> spec =
      launchSpecOf(request.spec, request.path);
  if (!spec)
    return jobError(JobFailure::InvalidUsage, llvm::toString(spec.takeError()));
  options.spec = std::move(*spec);
  const std::string &device = request.device;
  std::optional<run::Device> named = run::parseDevice(device);
  if (!device.empty() && !named)
    return jobError(JobFailure::InvalidUsage,
                    "'" + device +
                        "' is not a device; it must be auto, cuda, hip, sim or "
                        "cpu");
  options.device = named.value_or(run::Device::Auto);
  options.arch = request.arch;
  if (llvm::Error error =
          readChoices(*module, request, request.arch, options.compile))
    return jobError(JobFailure::InvalidUsage, llvm::toString(std::move(error)));
  options.outputFolder = request.output;
  options.inputFolder = request.inputs;
  options.traceFile = request.trace;
  options.codeFile = request.code;
  if (!request.kernel.empty())
    options.spec.kernel = request.kernel;
  options.compare = request.compare;
  if (!request.schedule.empty()) {
    auto schedule = executor::Schedule::parse(request.schedule);
    if (!schedule)
      return jobError(JobFailure::InvalidUsage,
                      "'" + request.schedule +
                          "' is not a schedule; it must be late, eager or "
                          "seed:N");
    options.spec.schedule = *schedule;
  }
  if (request.sanitize)
    options.spec.sanitize = *request.sanitize;
  if (request.maxSteps)
    options.spec.maxSteps = request.maxSteps;
  options.onStage = [&](llvm::StringRef stage) { progress.stage(stage.str()); };
  options.onAdvance = [&](std::string stage,
                          std::optional<unsigned> percentage) {
    progress.advance(std::move(stage), percentage);
  };
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
    JobError error;
    error.kind = failureOf(result.status);
    error.message = result.error;
    error.diagnostics = diagnostics.list();
    return failedJob(error);
  }
  return RunAnswer{printed + run::toText(*result.report),
                   run::toJson(*result.report), printed, diagnostics.list(),
                   result.report->matches()};
}
