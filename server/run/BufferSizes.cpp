//===- BufferSizes.cpp - How big the buffers of a launch are --------------===//

#include "server/run/BufferSizes.h"

#include "server/run/Defaults.h"
#include "server/run/FreeMemory.h"
#include "server/run/Resolve.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace llvm;

namespace kernelscope::run {

/// The most that the buffers of a default launch may take together.
constexpr uint64_t maxDefaultBytes = uint64_t{4} << 30;

Error specError(const ArgumentInfo &argument, const Twine &what) {
  return createStringError("launch spec: argument '" + argument.name + "' " +
                           what);
}

void makeBuffer(ArgumentValue &argument, uint64_t seed, size_t bytes,
                const LaunchProgress &progress) {
  argument.bytes.assign(bytes, 0);
  if (argument.fill.kind == Fill::Kind::Zeros)
    return;
  fillElements(argument.info.element, argument.fill,
               argument.fill.seed.value_or(seed), argument.bytes,
               [&](uint64_t filled, uint64_t elements) {
                 if (progress.onFilling)
                   progress.onFilling(argument.info, filled, elements);
               });
}

/// Adds the buffers that elements of arrays of pointers point to, where they
/// are missing. Their sizes are `open`. True when there were some.
static Expected<bool> addPointees(Launch &launch, SmallVectorImpl<bool> &open) {
  constexpr size_t most = 4096;
  std::vector<ArgumentValue> added;
  for (auto [index, owner] : enumerate(launch.arguments)) {
    if (owner.info.pointee.empty())
      continue;
    if (owner.count() > most)
      return specError(
          owner.info,
          formatv("has {0} pointers to buffers; a run can create {1}",
                  owner.count(), most));
    for (size_t element = 0; element < owner.count(); ++element) {
      const ArgumentValue::Place place{index, element};
      if (any_of(launch.arguments, [&](const ArgumentValue &value) {
            return value.behind == place;
          }))
        continue;
      ArgumentValue &made = added.emplace_back();
      made.info = owner.info.pointee.front();
      made.info.name = owner.info.name + "." + std::to_string(element);
      made.fill = defaultFill(made.info, {});
      // The same whatever else is found before it.
      made.fill.seed = 1000 * (index + 1) + element;
      made.output = made.info.stored;
      made.behind = place;
    }
  }
  open.append(added.size(), true);
  launch.arguments.insert(launch.arguments.end(), added.begin(), added.end());
  auto first = find_if(launch.arguments, [](const ArgumentValue &value) {
    return value.behind.has_value();
  });
  std::sort(first, launch.arguments.end(),
            [](const auto &a, const auto &b) { return a.behind < b.behind; });
  return !added.empty();
}

// What a kernel accesses may depend on what buffers hold, so this repeats until
// it stays.
Error sizeBuffers(FunctionOpInterface kernel, executor::Kernel *executable,
                  Launch &launch, SmallVectorImpl<bool> &open,
                  const LaunchSpec &spec, const LaunchProgress &progress) {
  if (auto added = addPointees(launch, open); !added)
    return added.takeError();
  if (llvm::none_of(open, [](bool isOpen) { return isOpen; }))
    return Error::success();
  if (!executable) {
    for (auto [argument, isOpen] : zip(launch.arguments, open))
      if (isOpen)
        return specError(argument.info,
                         "needs a shape: the CPU executor, which derives "
                         "sizes, cannot run kernel '" +
                             kernel.getName() + "'");
  }
  // A program may wait in a loop for what another stores, which is dropped
  // while the buffer is too small: it is cut short while that may help.
  constexpr uint64_t fewSteps = 1'000'000;
  uint64_t steps = fewSteps;
  const uint64_t most = std::min(maxDefaultBytes, mostBufferBytes());
  for (bool grew = true, isCutShort = false; grew || isCutShort;) {
    std::vector<executor::Extent> extents;
    executor::Options options;
    options.measure = &extents;
    uint64_t done = 0;
    options.steps = &done;
    options.onProgress = progress.onSizing;
    const uint64_t maxSteps = spec.maxSteps.value_or(options.maxSteps);
    options.maxSteps = std::min(steps, maxSteps);
    isCutShort = false;
    if (options.maxSteps < maxSteps)
      options.isCutShort = &isCutShort;
    Launch tried = launch; // its buffers get results
    if (failed(executable->run(executorArguments(tried), tried.grid, options)))
      return llvm::make_error<FailedRun>();
    launch.sizingSteps += done;
    grew = false;
    uint64_t total = 0;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      ArgumentValue &argument = launch.arguments[i];
      const executor::Extent &extent = extents[i];
      if (!open[i])
        continue;
      if (extent.begin < 0)
        return specError(
            argument.info,
            formatv("would be accessed {0} bytes before its start with the "
                    "default sizes; give scalars and shapes in a launch spec",
                    -extent.begin));
      total += extent.end;
      if (total > most)
        return specError(
            argument.info,
            formatv("would need {0} bytes with the default sizes, including "
                    "the arguments before it, but the limit is {1}; give "
                    "scalars and shapes in a launch spec",
                    total, most));
      if (static_cast<uint64_t>(extent.end) <= argument.bytes.size())
        continue;
      makeBuffer(argument, spec.seed + i, extent.end, progress);
      grew = true;
    }
    Expected<bool> added = addPointees(launch, open);
    if (!added)
      return added.takeError();
    grew |= *added;
    if (isCutShort && !grew)
      steps *= 10;
  }
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    ArgumentValue &argument = launch.arguments[i];
    if (!open[i])
      continue;
    // A pointer that nothing is read from still gets one element.
    if (argument.bytes.empty())
      makeBuffer(argument, spec.seed + i,
                 executor::sizeOf(argument.info.element), progress);
    argument.shape = {static_cast<int64_t>(argument.count())};
  }
  return Error::success();
}

} // namespace kernelscope::run
