//===- Runner.cpp - What runs on the CPU and on a GPU share ---------------===//

#include "server/run/Runner.h"

#include "server/run/Npy.h"
#include "server/run/Resolve.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace llvm;
using namespace kernelscope;
using namespace kernelscope::run;

RunResult Runner::fail(Error error) {
  if (error.isA<FailedRun>()) {
    consumeError(std::move(error));
    return fail(RunStatus::Failed);
  }
  if (error.isA<MissingDevice>())
    return fail(RunStatus::MissingDevice,
                toString(std::move(error)) +
                    "; the device 'cpu' runs the kernel without one");
  return fail(RunStatus::Failed, toString(std::move(error)));
}

RunResult Runner::failInput(Error error) {
  if (error.isA<FailedRun>())
    return fail(std::move(error));
  return fail(RunStatus::BadSpec, toString(std::move(error)));
}

void Runner::stage(StringRef name) {
  if (options.onStage)
    options.onStage(name);
}

executor::OnProgress Runner::advances(const char *what, bool isAll) {
  return [this, what, isAll](uint64_t ran, uint64_t programs) {
    if (options.onAdvance)
      options.onAdvance(
          formatv("{0}: {1} of {2} programs", what, ran, programs).str(),
          isAll ? std::optional<unsigned>(100 * ran / programs) : std::nullopt);
  };
}

void Runner::advance(const char *what, const ArgumentInfo &buffer,
                     uint64_t done, uint64_t elements) {
  if (options.onAdvance)
    options.onAdvance(formatv("{0} the buffer of '{1}': {2}%", what,
                              buffer.name, 100 * done / elements)
                          .str(),
                      std::nullopt);
}

Expected<Launch> Runner::resolve(executor::Kernel *executable) {
  stage("filling the buffers");
  Expected<Launch> launch = resolveLaunch(
      kernel, executable, options.spec,
      {advances("sizing the buffers", /*isAll=*/false),
       [&](const ArgumentInfo &buffer, uint64_t filled, uint64_t elements) {
         advance("filling", buffer, filled, elements);
       }});
  if (!launch)
    return launch.takeError();
  report.grid = launch->grid;
  report.bytes = bytesMoved(*launch);
  for (const ArgumentValue &argument : launch->arguments) {
    if (argument.info.isPointer)
      if (Error error = save(argument, options.inputFolder))
        return error;
    report.inputs.push_back(reportInput(argument));
  }
  return launch;
}

Tolerance Runner::toleranceOf(const ArgumentValue &expected) const {
  auto given = options.spec.tolerance.find(expected.info.dtype);
  return given != options.spec.tolerance.end()
             ? given->second
             : defaultTolerance(expected, leastTolerance);
}

RunResult Runner::finish(const Launch &launch, const Launch *expected) {
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
             : std::string("the CPU executor"),
        [&](uint64_t done, uint64_t elements) {
          advance("summing up", argument.info, done, elements);
        }));
    if (Error error = save(argument, options.outputFolder))
      return fail(RunStatus::BadSpec, toString(std::move(error)));
  }
  RunResult result;
  result.status = report.matches() ? RunStatus::Done : RunStatus::Failed;
  if (!report.matches())
    result.error = "the results differ from the reference by "
                   "more than the tolerance";
  result.report = std::move(report);
  return result;
}

Error Runner::save(const ArgumentValue &argument, const std::string &folder) {
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
