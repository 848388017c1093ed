//===- Run.cpp - Runs a kernel on a device --------------------------------===//
//
// Chooses the kernel, resolves the launch, compiles for a GPU, runs, compares,
// reports.
//
//===----------------------------------------------------------------------===//

#include "server/run/Run.h"

#include "dialects/tt/TT.h"
#include "executor/agents/Trace.h"
#include "executor/wave/Kernel.h"
#include "passes/Compile.h"
#include "passes/LaunchTarget.h"
#include "passes/memory/Allocation.h"
#include "server/run/DeviceOutput.h"
#include "server/run/Launcher.h"
#include "server/run/Npy.h"
#include "server/run/OtherCode.h"
#include "server/run/ProductCount.h"
#include "server/run/Repeatability.h"
#include "server/run/Resolve.h"
#include "server/run/Simulator.h"
#include "server/run/TimedLaunch.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <set>

using namespace mlir;
using namespace llvm;

namespace kernelscope::run {

std::optional<Device> parseDevice(StringRef name) {
  return llvm::StringSwitch<std::optional<Device>>(name)
      .Case("auto", Device::Auto)
      .Case("cpu", Device::Cpu)
      .Case("cuda", Device::Cuda)
      .Case("hip", Device::Hip)
      .Case("sim", Device::Sim)
      .Default(std::nullopt);
}

namespace {

/// The executor runs about this many bytes of buffers in a second or two, which
/// is as long as an unasked comparison may take.
constexpr uint64_t modestBytes = uint64_t{64} << 20;

/// The public functions of a module that are kernels.
SmallVector<FunctionOpInterface> kernelsOf(ModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  module.walk([&](tt::FuncOp function) {
    if (function.isPublic() && !function.isExternal())
      kernels.push_back(function);
  });
  return kernels;
}

} // namespace

Expected<FunctionOpInterface>
chooseKernel(ModuleOp module, const std::optional<std::string> &name) {
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

namespace {

/// What a run is doing; failures set the status and the message.
class Runner {
public:
  Runner(ModuleOp module, const RunOptions &options)
      : module(module), options(options) {}

  RunResult run() {
    for (const std::string &folder :
         {options.outputFolder, options.inputFolder})
      if (std::error_code error = folder.empty()
                                      ? std::error_code()
                                      : sys::fs::create_directories(folder))
        return fail(RunStatus::BadSpec, "cannot write to the folder '" +
                                            folder + "': " + error.message());
    const bool isTraced = !options.traceFile.empty();
    if (isTraced && options.device != Device::Cpu &&
        options.device != Device::Auto)
      return fail(RunStatus::BadSpec,
                  "a timeline is of the CPU executor; --device must be cpu");
    const bool hasCode = !options.codeFile.empty();
    if (hasCode && (options.device == Device::Cpu || isTraced))
      return fail(
          RunStatus::BadSpec,
          "code for a GPU runs on one; --device must be cuda, hip or sim");
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
    Expected<Gpu> gpu = openGpu();
    if (gpu)
      return runOnGpu(std::move(*gpu));
    if (options.device != Device::Auto || hasCode)
      return fail(gpu.takeError());
    report.notes.push_back("on the CPU: " + toString(gpu.takeError()));
    return runOnCpu();
  }

private:
  RunResult fail(RunStatus status, std::string message = "") {
    return {status, std::move(message), std::nullopt};
  }
  RunResult fail(Error error) {
    if (error.isA<MissingDevice>())
      return fail(RunStatus::MissingDevice,
                  toString(std::move(error)) +
                      "; --device cpu runs the kernel without one");
    return fail(RunStatus::Failed, toString(std::move(error)));
  }
  /// What `resolve` says: of a kernel that failed an op has the diagnostic.
  RunResult failLaunch(Error error) {
    if (!error.isA<FailedRun>())
      return fail(RunStatus::BadSpec, toString(std::move(error)));
    consumeError(std::move(error));
    return fail(RunStatus::Failed);
  }
  void stage(StringRef name) {
    if (options.onStage)
      options.onStage(name);
  }

  /// Says how many programs have run, and if they are all that there is to do,
  /// how much that is.
  executor::OnProgress advances(const char *what, bool isAll) {
    return [this, what, isAll](uint64_t ran, uint64_t programs) {
      if (options.onAdvance)
        options.onAdvance(
            formatv("{0}: {1} of {2} programs", what, ran, programs).str(),
            isAll ? std::optional<unsigned>(100 * ran / programs)
                  : std::nullopt);
    };
  }

  /// The launch, with its arguments in the report.
  Expected<Launch> resolve(executor::Kernel *executable) {
    const char *what = "sizing the buffers";
    stage(what);
    Expected<Launch> launch = resolveLaunch(kernel, executable, options.spec,
                                            advances(what, /*isAll=*/false));
    if (!launch)
      return launch.takeError();
    report.grid = launch->grid;
    for (const ArgumentValue &argument : launch->arguments) {
      if (argument.info.isPointer)
        if (Error error = save(argument, options.inputFolder))
          return error;
      report.inputs.push_back(reportInput(argument));
      report.bytes +=
          argument.bytes.size() * (argument.info.loaded + argument.info.stored);
    }
    return launch;
  }

  Tolerance toleranceOf(const ArgumentValue &expected) const {
    auto given = options.spec.tolerance.find(expected.info.dtype);
    return given != options.spec.tolerance.end() ? given->second
                                                 : defaultTolerance(expected);
  }

  RunResult finish(const Launch &launch, const Launch *expected) {
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const ArgumentValue &argument = launch.arguments[i];
      if (!argument.output)
        continue;
      std::optional<ArgumentValue> file;
      if (argument.expected) {
        file = argument;
        file->bytes = *argument.expected;
      }
      const ArgumentValue *wanted = file       ? &*file
                                    : expected ? &expected->arguments[i]
                                               : nullptr;
      report.outputs.push_back(reportOutput(
          argument, wanted, wanted ? toleranceOf(*wanted) : Tolerance(),
          file ? "'" + argument.expectedFile + "'"
               : std::string("the CPU executor")));
      if (Error error = save(argument, options.outputFolder))
        return fail(RunStatus::BadSpec, toString(std::move(error)));
    }
    RunResult result;
    result.status = report.matches() ? RunStatus::Done : RunStatus::Failed;
    if (!report.matches())
      result.error = "the results differ from what they are compared with by "
                     "more than the tolerance";
    result.report = std::move(report);
    return result;
  }

  Error save(const ArgumentValue &argument, const std::string &folder) {
    if (folder.empty())
      return Error::success();
    NpyArray array;
    const size_t size = executor::sizeOf(argument.info.element);
    using executor::Element;
    const Element element = argument.info.element;
    // NumPy has no bf16 or fp8: they are saved as integers of their bits.
    const char kind = element == Element::I1                ? 'b'
                      : executor::isInt(element)            ? 'i'
                      : element == Element::F16 || size > 2 ? 'f'
                                                            : 'u';
    array.type = kind + std::to_string(size);
    array.shape = argument.shape;
    array.bytes = argument.bytes;
    SmallString<128> path(folder);
    sys::path::append(path, argument.info.name + ".npy");
    return writeNpy(path, array);
  }

  Error save(const executor::Trace &trace) {
    if (options.traceFile.empty())
      return Error::success();
    std::error_code error;
    raw_fd_ostream file(options.traceFile, error);
    if (error)
      return createStringError("cannot write '" + options.traceFile +
                               "': " + error.message());
    trace.write(file, report.kernel + ", program (0, 0, 0)");
    return Error::success();
  }

  /// Says where shared memory is, as compiling does, so that the sanitizer
  /// knows which buffers share a place. A file may say it itself.
  void placeBuffers() {
    const bool isPlaced = module
                              ->walk([](Operation *op) {
                                return op->hasAttr(ttg::allocationOffsetName)
                                           ? WalkResult::interrupt()
                                           : WalkResult::advance();
                              })
                              .wasInterrupted();
    if (!hasLayouts(module) || isPlaced)
      return;
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    (void)memory::allocate(module, ttg::MemorySpace::Shared);
  }

  RunResult runOnCpu() {
    stage("planning");
    if (!options.arch.empty()) {
      Expected<Target> target = Target::parse(options.arch);
      if (!target)
        return fail(RunStatus::BadSpec, toString(target.takeError()));
      if (!hasLayouts(module))
        declareTarget(module, *target);
    }
    if (options.spec.sanitize)
      placeBuffers();
    std::unique_ptr<executor::Kernel> executable =
        executor::Kernel::create(kernel, !options.traceFile.empty());
    if (!executable)
      return fail(RunStatus::Failed);
    Expected<Launch> launch = resolve(executable.get());
    if (!launch)
      return failLaunch(launch.takeError());
    stage("running on the CPU");
    report.device = "cpu: the reference executor";
    executor::Options run;
    run.print = options.print;
    run.schedule = options.spec.schedule;
    run.sanitize = options.spec.sanitize;
    run.maxSteps = options.spec.maxSteps.value_or(run.maxSteps);
    run.onProgress = advances("running on the CPU", /*isAll=*/true);
    report.schedule = run.schedule;
    report.sanitized = run.sanitize;
    executor::Trace trace;
    if (!options.traceFile.empty())
      run.trace = &trace;
    const auto start = std::chrono::steady_clock::now();
    const bool ran = succeeded(
        executable->run(executorArguments(*launch), launch->grid, run));
    // That of a program that hangs says most.
    if (Error error = save(trace))
      return fail(RunStatus::BadSpec, toString(std::move(error)));
    if (!ran)
      return fail(RunStatus::Failed);
    const std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - start;
    report.microseconds = took.count();
    report.launches = 1;
    return finish(*launch, nullptr);
  }

  /// Of what a lane of the simulator did: an error on the line of the IR that
  /// its instruction comes from, if there is one.
  RunResult failOnLane(Error error) {
    std::string message;
    handleAllErrors(std::move(error), [&](const wave::RunError &found) {
      if (found.line && kernelFile == found.file)
        emitError(
            FileLineColLoc::get(module.getContext(), found.file, found.line, 1))
            << found.message;
      else
        message = found.message;
    });
    return fail(RunStatus::Failed, message);
  }

  /// Of failed assertions the first of each is an error on its op.
  RunResult failOnGpu(Error error, StringRef written,
                      const KernelInfo &program) {
    if (error.isA<wave::RunError>())
      return failOnLane(std::move(error));
    std::set<unsigned> lines;
    for (const FailedAssertion &failed : failedAssertions(written, program))
      if (lines.insert(failed.line).second)
        emitError(FileLineColLoc::get(module.getContext(), failed.file,
                                      failed.line, 1))
            << failed.text;
    if (lines.empty())
      return fail(std::move(error));
    consumeError(std::move(error));
    return fail(RunStatus::Failed);
  }

  /// The architecture that the options or the module name; empty for none.
  std::string wantedArch() const {
    auto attribute = module->getAttrOfType<StringAttr>("ttg.target");
    return options.arch.empty() && attribute ? attribute.getValue().str()
                                             : options.arch;
  }

  /// The target to compile for on `launcher`'s device; an error when the module
  /// was made for another.
  Expected<Target> chooseTarget(const Launcher &launcher) {
    const std::string wanted = wantedArch();
    Expected<Target> device = Target::parse(launcher.arch());
    if (!device)
      return createStringError(launcher.deviceName() + " is a " +
                               launcher.arch() + ": " +
                               toString(device.takeError()));
    if (wanted.empty())
      return device;
    Expected<Target> target = Target::parse(wanted);
    if (!target)
      return target;
    if (!target->runsOn(*device))
      return make_error<MissingDevice>("the kernel is for " + target->arch +
                                       ", but " + launcher.deviceName() +
                                       " is " + device->arch);
    return target;
  }

  bool isSimulated() const { return options.device == Device::Sim; }

  /// What a device takes. Of a kernel whose code is given only its launch needs
  /// to be known, which may be all that there is a lowering for.
  Emit imageFor(const Target &target) const {
    if (isSimulated())
      return options.codeFile.empty() ? Emit::Llvm : Emit::Ttgir;
    return target.isNvidia() ? Emit::Ptx : Emit::Hsaco;
  }

  /// A GPU and what to compile for on it.
  struct Gpu {
    std::unique_ptr<Launcher> launcher;
    Target target;
  };

  /// The GPU that the options name, or the one that the kernel is for.
  Expected<Gpu> openGpu() {
    const std::string wanted = wantedArch();
    const bool forAmd = vendorOf(wanted) == Vendor::Amd;
    if (isSimulated())
      return openSimulator(wanted);
    if (options.device == Device::Hip ||
        (options.device == Device::Auto && forAmd))
      return withTarget(openHip());
    Expected<Gpu> nvidia = withTarget(openCuda());
    if (nvidia || options.device == Device::Cuda || !wanted.empty())
      return nvidia;
    // A kernel that is for no GPU yet runs on any.
    Expected<Gpu> amd = withTarget(openHip());
    if (!amd)
      return joinErrors(nvidia.takeError(), amd.takeError());
    consumeError(nvidia.takeError());
    return amd;
  }

  /// The simulator of the chip that the options or the module name.
  Expected<Gpu> openSimulator(const std::string &wanted) {
    if (wanted.empty())
      return createStringError("the kernel names no GPU that the wave "
                               "simulator could be; pass --arch gfx942");
    Expected<Target> target = Target::parse(wanted);
    if (!target)
      return target.takeError();
    return Gpu{makeSimulator(*target, options.spec), *target};
  }

  Expected<Gpu> withTarget(Expected<std::unique_ptr<Launcher>> launcher) {
    if (!launcher)
      return launcher.takeError();
    Expected<Target> target = chooseTarget(**launcher);
    if (!target)
      return target.takeError();
    return Gpu{std::move(*launcher), std::move(*target)};
  }

  /// Times `larger`, which the report then counts the bytes of.
  Expected<LaunchTimes> timeOnGpu(Gpu &gpu, const DeviceProgram &program,
                                  Launch &larger, const Launch &small) {
    report.notes.push_back("timed at a size that fills the GPU: " +
                           describeDifference(larger, small));
    report.bytes = 0;
    for (const ArgumentValue &argument : larger.arguments)
      if (argument.info.isPointer)
        report.bytes += argument.bytes.size() *
                        (argument.info.loaded + argument.info.stored);
    return gpu.launcher->launch(program, larger, options.spec.warmup,
                                options.spec.repeat);
  }

  RunResult runOnGpu(Gpu gpu) {
    const Target &target = gpu.target;
    report.device = formatv("{0}: {1} ({2})",
                            isSimulated()       ? "sim"
                            : target.isNvidia() ? "cuda"
                                                : "hip",
                            gpu.launcher->deviceName(), target.arch);

    // The executor reads the module as written, so it runs on a copy: compiling
    // changes the module. What it cannot run is a note here, not an error.
    stage("planning");
    OwningOpRef<ModuleOp> original(module.clone());
    if (!hasLayouts(*original))
      declareTarget(*original, target);
    auto reference = cast<FunctionOpInterface>(
        SymbolTable::lookupNearestSymbolFrom(*original, kernel.getNameAttr()));
    std::string whyNot;
    std::unique_ptr<executor::Kernel> executable;
    {
      ScopedDiagnosticHandler handler(module.getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        if (whyNot.empty())
                                          whyNot = diagnostic.str();
                                        return success();
                                      });
      executable = executor::Kernel::create(reference);
    }
    Expected<Launch> launch = resolve(executable.get());
    if (!launch)
      return failLaunch(launch.takeError());

    CompileOptions compiling;
    compiling.kernel = report.kernel;
    compiling.onStage = options.onStage;
    std::optional<Artifact> artifact =
        compile(module, target, imageFor(target), compiling);
    if (!artifact)
      return fail(RunStatus::Failed);
    auto info = llvm::find_if(artifact->kernels, [&](const KernelInfo &k) {
      return k.name == report.kernel;
    });
    if (info == artifact->kernels.end())
      return fail(RunStatus::Failed,
                  "the compiled program has no kernel '" + report.kernel + "'");
    DeviceProgram program{std::move(artifact->output), *info};
    program.kernel.isCooperative = options.spec.cooperative;
    if (!options.codeFile.empty())
      if (Error error = replaceCode(program, options.codeFile))
        return fail(RunStatus::BadSpec, toString(std::move(error)));
    if (isSimulated() && !options.codeFile.empty()) {
      // What no metadata says is more than enough: tensor maps take 128 bytes.
      constexpr unsigned muchScratch = 4096;
      if (!program.kernel.sharedBytes)
        program.kernel.sharedBytes = target.maxSharedBytes;
      if (!program.kernel.scratchBytes && target.isNvidia())
        program.kernel.scratchBytes = muchScratch;
    }
    report.threads = program.kernel.threads();
    report.ctas = program.kernel.ctas;
    report.sharedBytes = program.kernel.sharedBytes;
    const DeviceClocks clocks = gpu.launcher->clocks();
    report.peakGigabytesPerSecond = peakGigabytesPerSecond(clocks);

    Launch expected = *launch;
    const uint64_t bytesToCompare = report.bytes;
    std::optional<Launch> larger;
    if (options.spec.repeat && !isSimulated()) {
      stage("sizing the buffers of the launches that are timed");
      larger = launchToTime(reference, executable.get(), options.spec, *launch);
    }
    stage("running on the GPU");
    Expected<LaunchTimes> times =
        gpu.launcher->launch(program, *launch, options.spec.warmup,
                             larger ? 0 : options.spec.repeat);
    if (!times)
      return failOnGpu(times.takeError(), launch->written, program.kernel);
    if (options.print)
      *options.print << launch->written;
    if (larger)
      times = timeOnGpu(gpu, program, *larger, *launch);
    if (!times)
      return fail(times.takeError());
    if (!times->empty()) {
      auto middle = times->begin() + static_cast<ptrdiff_t>(times->size() / 2);
      std::nth_element(times->begin(), middle, times->end());
      report.microseconds = *middle;
      report.launches = times->size();
      if (auto products =
              countProducts(reference, larger ? *larger : *launch)) {
        report.operations = products->operations;
        report.peakTeraflops =
            peakTeraflops(target, clocks, products->operandBits);
      }
    }

    if (!options.compare.value_or(bytesToCompare <= modestBytes)) {
      if (!options.compare)
        report.notes.push_back("not compared with the CPU executor, because "
                               "that would take long; --compare forces it");
      return finish(*launch, nullptr);
    }
    if (!executable) {
      report.notes.push_back("not compared with the CPU executor: " + whyNot);
      return finish(*launch, nullptr);
    }
    stage("running on the CPU");
    executor::Options run;
    run.onProgress = advances("running on the CPU", /*isAll=*/true);
    if (failed(
            executable->run(executorArguments(expected), expected.grid, run)))
      return fail(RunStatus::Failed);
    return finish(*launch, &expected);
  }

  ModuleOp module;
  const RunOptions &options;
  /// Compiling replaces it.
  FunctionOpInterface kernel;
  std::string kernelFile;
  RunReport report;
};

} // namespace

RunResult run(ModuleOp module, const RunOptions &options) {
  return Runner(module, options).run();
}

} // namespace kernelscope::run
