//===- RunOnGpu.cpp - Runs a kernel on a GPU or the simulator of one ------===//
//
// Compiles, launches, times, and compares with the CPU executor.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/MatrixInstructions.h"
#include "dialects/tt/TT.h"
#include "executor/wave/Kernel.h"
#include "passes/LaunchTarget.h"
#include "server/run/DeviceOutput.h"
#include "server/run/OtherCode.h"
#include "server/run/ProductCount.h"
#include "server/run/ProductTolerance.h"
#include "server/run/Resolve.h"
#include "server/run/Runner.h"
#include "server/run/TimedLaunch.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::run;

/// The executor runs about this many bytes of buffers in a second or two, which
/// is as long as an unasked comparison may take.
static constexpr uint64_t modestBytes = uint64_t{64} << 20;

/// What a lane of the simulator did is an error on the line of the IR that its
/// instruction comes from, if there is one.
static Error diagnoseLane(ModuleOp module, StringRef kernelFile, Error error) {
  return handleErrors(
      std::move(error), [&](const wave::RunError &found) -> Error {
        if (!found.line || kernelFile != found.file)
          return createStringError(found.message);
        emitError(
            FileLineColLoc::get(module.getContext(), found.file, found.line, 1))
            << found.message;
        return make_error<FailedRun>();
      });
}

Error Runner::diagnose(Error error, StringRef written,
                       const KernelInfo &program) {
  if (error.isA<wave::RunError>())
    return diagnoseLane(module, kernelFile, std::move(error));
  std::set<unsigned> lines;
  for (const FailedAssertion &failed : failedAssertions(written, program))
    if (lines.insert(failed.line).second)
      emitError(
          FileLineColLoc::get(module.getContext(), failed.file, failed.line, 1))
          << failed.text;
  if (lines.empty())
    return error;
  consumeError(std::move(error));
  return make_error<FailedRun>();
}

/// What a device takes. Of a kernel whose code is given only its launch needs
/// to be known, which may be all that there is a lowering for.
Emit Runner::imageFor(const Target &target) const {
  if (isSimulated())
    return options.codeFile.empty() ? Emit::Llvm : Emit::Ttgir;
  return target.isNvidia() ? Emit::Ptx : Emit::Hsaco;
}

Runner::Reference Runner::planReference(const Target &target) {
  Reference reference;
  reference.module = module.clone();
  if (!hasLayouts(*reference.module))
    declareTarget(*reference.module, target);
  reference.kernel =
      cast<FunctionOpInterface>(SymbolTable::lookupNearestSymbolFrom(
          *reference.module, kernel.getNameAttr()));
  // What the executor cannot run is a note here, not an error.
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (reference.whyNot.empty())
                                      reference.whyNot = diagnostic.str();
                                    return success();
                                  });
  reference.executable = executor::Kernel::create(reference.kernel);
  return reference;
}

Expected<DeviceProgram> Runner::compileFor(const Target &target) {
  CompileOptions compiling = options.compile;
  compiling.kernel = report.kernel;
  compiling.onStage = options.onStage;
  FailureOr<Artifact> artifact =
      compile(module, target, imageFor(target), compiling);
  if (failed(artifact))
    return make_error<FailedRun>();
  auto info = llvm::find_if(artifact->kernels, [&](const KernelInfo &k) {
    return k.name == report.kernel;
  });
  if (info == artifact->kernels.end())
    return createStringError("the compiled program has no kernel '" +
                             report.kernel + "'");
  return DeviceProgram{std::move(artifact->output), *info};
}

Error Runner::takeGivenCode(DeviceProgram &program, const Target &target) {
  if (options.codeFile.empty())
    return Error::success();
  if (Error error = replaceCode(program, options.codeFile))
    return error;
  if (!isSimulated())
    return Error::success();
  // What no metadata says is more than enough: tensor maps take 128 bytes.
  constexpr unsigned muchScratch = 4096;
  if (!program.kernel.sharedBytes)
    program.kernel.sharedBytes = target.maxSharedBytes;
  if (!program.kernel.scratchBytes && target.isNvidia())
    program.kernel.scratchBytes = muchScratch;
  return Error::success();
}

Error Runner::launchAndTime(Gpu &gpu, const DeviceProgram &program,
                            Launch &launch, const Reference &reference) {
  const DeviceClocks clocks = gpu.launcher->clocks();
  report.peakGigabytesPerSecond = peakGigabytesPerSecond(clocks);
  const LaunchSpec &spec = options.spec;
  std::optional<Launch> larger;
  if (spec.repeat && !isSimulated()) {
    stage("sizing the buffers of the launches that are timed");
    larger = launchToTime(reference.kernel, reference.executable.get(), spec,
                          launch);
  }
  stage("running on the GPU");
  Expected<LaunchTimes> times = gpu.launcher->launch(
      program, launch, spec.warmup, larger ? 0 : spec.repeat);
  if (!times)
    return diagnose(times.takeError(), launch.written, program.kernel);
  if (options.print)
    *options.print << launch.written;
  if (larger) {
    report.notes.push_back("timed at a size that fills the GPU: " +
                           describeDifference(*larger, launch));
    report.bytes = bytesMoved(*larger);
    times = gpu.launcher->launch(program, *larger, spec.warmup, spec.repeat);
    if (!times)
      return times.takeError();
  }
  if (times->empty())
    return Error::success();
  auto middle = times->begin() + static_cast<ptrdiff_t>(times->size() / 2);
  std::nth_element(times->begin(), middle, times->end());
  report.microseconds = *middle;
  report.launches = times->size();
  if (auto products =
          countProducts(reference.kernel, larger ? *larger : launch)) {
    report.operations = products->operations;
    report.peakTeraflops =
        peakTeraflops(gpu.target, clocks, products->operandBits);
  }
  return Error::success();
}

RunResult Runner::runOnGpu(Gpu gpu) {
  const Target &target = gpu.target;
  report.device = formatv("{0}: {1} ({2})",
                          isSimulated()       ? "sim"
                          : target.isNvidia() ? "cuda"
                                              : "hip",
                          gpu.launcher->deviceName(), target.arch);
  stage("planning");
  Reference reference = planReference(target);
  Expected<Launch> launch = resolve(reference.executable.get());
  if (!launch)
    return failInput(launch.takeError());
  Expected<DeviceProgram> program = compileFor(target);
  if (!program)
    return fail(program.takeError());
  program->kernel.isCooperative = options.spec.cooperative;
  if (Error error = takeGivenCode(*program, target))
    return failInput(std::move(error));
  report.threads = program->kernel.threads();
  report.ctas = program->kernel.ctas;
  report.sharedBytes = program->kernel.sharedBytes;

  Launch expected = *launch;
  const bool isCompared = options.compare.value_or(report.bytes <= modestBytes);
  if (Error error = launchAndTime(gpu, *program, *launch, reference))
    return fail(std::move(error));
  if (!isCompared && !options.compare)
    report.notes.push_back("not compared with the CPU executor, because that "
                           "would take long; --compare forces it");
  else if (isCompared && !reference.executable)
    report.notes.push_back("not compared with the CPU executor: " +
                           reference.whyNot);
  if (!isCompared || !reference.executable)
    return finish(*launch, nullptr);
  stage("running on the CPU");
  executor::Options run;
  run.maxSteps = options.spec.maxSteps.value_or(run.maxSteps);
  run.onProgress = advances("running on the CPU", /*isAll=*/true);
  if (failed(reference.executable->run(executorArguments(expected),
                                       expected.grid, run)))
    return fail(RunStatus::Failed);
  // The simulator's sums are rounded and have all bits.
  if (!isSimulated())
    leastTolerance =
        toleranceOfProducts(reference.kernel, target, program->image);
  if (leastTolerance == toleranceOf13Bits)
    report.notes.push_back(
        "wgmma keeps 13 bits of the fraction in sums of 8-bit products, so the "
        "results may differ from the executor's by a twentieth of their root "
        "mean square");
  return finish(*launch, &expected);
}
