//===- RunOnCpu.cpp - Runs a kernel by the reference executor -------------===//

#include "passes/LaunchTarget.h"
#include "passes/memory/Allocation.h"
#include "server/run/Resolve.h"
#include "server/run/Runner.h"
#include <chrono>

using namespace mlir;
using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::run;

Error Runner::save(const executor::Trace &trace) {
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

void Runner::placeBuffers() {
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
  (void)memory::allocate(module, ttg::MemorySpace::Shared, {});
}

RunResult Runner::runOnCpu() {
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
    return failInput(launch.takeError());
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
  const bool ran =
      succeeded(executable->run(executorArguments(*launch), launch->grid, run));
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
