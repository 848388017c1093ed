//===- Executor.cpp - Runs the programs of a grid -------------------------===//
//
// Binds the arguments, then runs programs on threads. Programs write their own
// elements, so threads need no order; a kernel that does need one says so in
// its plan.
//
//===----------------------------------------------------------------------===//

#include "executor/Executor.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ClusterFrames.h"
#include "executor/plan/Planner.h"
#include "executor/sanitize/Watch.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

using namespace mlir;

namespace kernelscope::executor {

Kernel::Kernel(FunctionOpInterface kernel, std::unique_ptr<Plan> plan)
    : kernel(kernel), plan(std::move(plan)) {}
Kernel::~Kernel() = default;

std::unique_ptr<Kernel> Kernel::create(FunctionOpInterface kernel,
                                       bool isTraced) {
  auto plan = std::make_unique<Plan>();
  plan->isTraced = isTraced;
  if (failed(Planner(*plan).planKernel(kernel)))
    return nullptr;
  return std::unique_ptr<Kernel>(new Kernel(kernel, std::move(plan)));
}

namespace {

constexpr std::chrono::milliseconds progressInterval{200}; // of reports

/// Checks that a descriptor's tensor has a rank that its block can have.
LogicalResult checkDescriptor(FunctionOpInterface kernel, size_t index,
                              tt::TensorDescInterface type,
                              const TensorDescriptor &tensor) {
  const size_t rank = tensor.shape.size(), block = type.getShape().size();
  const bool isIm2col = isa<ttng::TensorDescIm2ColType>(Type(type));
  if (tensor.strides.size() == rank && rank <= Descriptor::maxRank &&
      (isIm2col ? rank >= 3 : rank == block))
    return success();
  return kernel.emitError("argument ")
         << index << " of kernel '" << kernel.getName()
         << "' describes a tensor of " << rank << " sizes and "
         << tensor.strides.size() << " strides; it needs "
         << (isIm2col ? "3 to 5" : std::to_string(block));
}

/// Checks that the arguments fit the kernel's signature.
LogicalResult checkArguments(FunctionOpInterface kernel,
                             ArrayRef<Argument> arguments) {
  if (arguments.size() != kernel.getNumArguments())
    return kernel.emitError("kernel '")
           << kernel.getName() << "' takes " << kernel.getNumArguments()
           << " arguments, not " << arguments.size();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = kernel.getArgument(index).getType();
    const Element element = elementOf(type).value_or(Element::Token);
    const bool fits = element == Element::Pointer
                          ? std::holds_alternative<Buffer>(argument)
                      : element == Element::Descriptor
                          ? std::holds_alternative<TensorDescriptor>(argument)
                          : std::holds_alternative<Scalar>(argument);
    if (!fits)
      return kernel.emitError("argument ")
             << index << " of kernel '" << kernel.getName()
             << "' is not a value of type " << type;
    if (const auto *tensor = std::get_if<TensorDescriptor>(&argument))
      if (failed(checkDescriptor(kernel, index,
                                 cast<tt::TensorDescInterface>(type), *tensor)))
        return failure();
  }
  return success();
}

/// The buffers of the arguments, then those that elements of the arguments
/// point to: their addresses are written into the elements.
std::vector<Buffer> buffersOf(ArrayRef<Argument> arguments) {
  std::vector<Buffer> buffers(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (const auto *buffer = std::get_if<Buffer>(&argument))
      buffers[index] = *buffer;
    else if (const auto *tensor = std::get_if<TensorDescriptor>(&argument))
      buffers[index] = tensor->buffer;
  }
  for (size_t index = 0; index < arguments.size(); ++index) {
    const Buffer owner = buffers[index];
    for (size_t element = 0; element < owner.pointees.size(); ++element) {
      const int64_t address = Memory::addressOf(buffers.size());
      if ((element + 1) * sizeof(address) <= owner.bytes)
        std::memcpy(static_cast<char *>(owner.data) + element * sizeof(address),
                    &address, sizeof(address));
      buffers.push_back(owner.pointees[element]);
    }
  }
  return buffers;
}

/// What the sanitizer of global memory must know of each buffer.
std::vector<sanitize::GlobalRaces::BufferSize>
sizesOf(FunctionOpInterface kernel, ArrayRef<Buffer> buffers) {
  // Of what pointers in memory point to, the smallest.
  size_t pointeeBytes = 0;
  kernel->walk([&](tt::IntToPtrOp op) {
    auto type = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
    const size_t bytes = bytesInMemory(type.getPointeeType());
    pointeeBytes = pointeeBytes ? std::min(pointeeBytes, bytes) : bytes;
  });
  std::vector<sanitize::GlobalRaces::BufferSize> sizes;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    if (buffer.isReadOnly) {
      sizes.push_back({0, 0});
      continue;
    }
    if (index >= kernel.getNumArguments()) {
      sizes.push_back({pointeeBytes, buffer.bytes});
      continue;
    }
    Type type = kernel.getArgument(index).getType(), element;
    if (auto pointer = dyn_cast<tt::PointerType>(type))
      element = pointer.getPointeeType();
    else if (auto descriptor = dyn_cast<tt::TensorDescInterface>(type))
      element = descriptor.getElementType();
    sizes.push_back({element ? bytesInMemory(element) : 0, buffer.bytes});
  }
  return sizes;
}

/// The finding that two programs conflict in global memory.
Fault describe(const sanitize::ProgramAccesses::Conflict &conflict,
               const ProgramId &program, Grid grid, ArrayRef<Buffer> buffers) {
  const ProgramId other = ProgramId::of(conflict.program, grid);
  auto verb = [](bool isStore) { return isStore ? "writes" : "reads"; };
  return {
      conflict.op,
      program.name() + " " + verb(conflict.isStore) + " the element at " +
          "offset " + std::to_string(conflict.offset) + " of " +
          Memory::nameOf(buffers, conflict.buffer) + ", which " + other.name() +
          " " + verb(conflict.wasStore) +
          ", and programs run in any order; each must access its own "
          "elements, or both accesses must be atomic or ordered by an atomic",
      {{conflict.other, "the access of " + other.name()}}};
}

void merge(std::vector<Extent> &into, const std::vector<Extent> &from) {
  for (auto [all, one] : llvm::zip(into, from)) {
    if (one.begin == one.end)
      continue;
    const bool untouched = all.begin == all.end;
    all.begin = untouched ? one.begin : std::min(all.begin, one.begin);
    all.end = untouched ? one.end : std::max(all.end, one.end);
    all.loaded |= one.loaded;
    all.stored |= one.stored;
  }
}

} // namespace

LogicalResult Kernel::run(ArrayRef<Argument> arguments, Grid grid,
                          const Options &options) {
  if (failed(checkArguments(kernel, arguments)))
    return failure();
  const std::vector<Buffer> buffers = buffersOf(arguments);
  if (options.measure)
    options.measure->assign(buffers.size(), {});
  if (options.steps)
    *options.steps = 0;

  const uint64_t programs = uint64_t{grid.x} * grid.y * grid.z;
  if (programs == 0)
    return kernel.emitError("a grid of ")
           << grid.x << " by " << grid.y << " by " << grid.z
           << " has no program to run";
  std::optional<sanitize::GlobalRaces> races;
  if (options.sanitize && !options.measure)
    races.emplace(sizesOf(kernel, buffers), programs);
  std::atomic<uint64_t> nextProgram = 0;
  std::mutex mutex;
  uint64_t faultProgram = programs;
  std::vector<Fault> faults;
  std::optional<ProgramTurns> turns;
  if (plan->mayPoll)
    turns.emplace(programs);

  auto work = [&](bool isFirst) {
    Memory memory(buffers, options.measure != nullptr);
    RunningProgram running(memory, grid, options, turns ? &*turns : nullptr);
    ClusterFrames ctas(kernel, *plan, running, arguments);
    std::optional<sanitize::Sanitizer> sanitizer;
    std::optional<sanitize::ProgramAccesses> accesses;
    if (races) {
      sanitizer.emplace(options.isFinal, options.hasFences);
      memory.races = &accesses.emplace(*races);
    }
    uint64_t steps = 0;
    auto told = std::chrono::steady_clock::now();
    for (uint64_t program; (program = nextProgram++) < programs;) {
      if (const auto now = std::chrono::steady_clock::now();
          options.onProgress && isFirst && now - told >= progressInterval) {
        told = now;
        options.onProgress(program, programs);
      }
      running.start(program);
      if (turns)
        turns->start(running.id);
      if (sanitizer) {
        sanitizer->start();
        running.sanitizer = &*sanitizer;
        accesses->start(program);
      }
      ctas.run(sanitizer ? &*sanitizer : nullptr);
      steps += running.steps;
      if (turns)
        turns->ended();
      std::vector<Fault> failed;
      if (sanitizer)
        for (const sanitize::Finding &finding : sanitizer->findings())
          failed.push_back({finding.op,
                            running.id.name() + " " + finding.message,
                            finding.notes});
      if (accesses && accesses->conflict)
        failed.push_back(
            describe(*accesses->conflict, running.id, grid, buffers));
      if (std::optional<Fault> fault = running.scheduler.finish()) {
        if (running.isTooLong && options.isCutShort) {
          std::lock_guard lock(mutex);
          *options.isCutShort = true;
          continue;
        }
        failed.push_back(std::move(*fault));
      }
      if (turns && turns->isStopping())
        break;
      if (failed.empty())
        continue;
      std::lock_guard lock(mutex);
      nextProgram = programs;
      if (turns)
        turns->stop();
      // Those of the first program that has any are reported, the same each
      // time.
      if (program < faultProgram) {
        faultProgram = program;
        faults = std::move(failed);
      }
      break;
    }
    std::lock_guard lock(mutex);
    if (options.measure)
      merge(*options.measure, memory.getExtents());
    if (options.steps)
      *options.steps += steps;
  };

  uint64_t count = options.threads
                       ? options.threads
                       : std::max(1u, std::thread::hardware_concurrency());
  count = plan->inOrder ? 1 : std::min(count, programs);
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < count; ++i)
    threads.emplace_back(work, false);
  if (turns)
    turns->run([&] { work(true); });
  else
    work(true);
  for (std::thread &thread : threads)
    thread.join();
  for (const Fault &fault : faults) {
    InFlightDiagnostic error = fault.op->emitError(fault.message);
    for (const auto &[op, text] : fault.notes)
      error.attachNote(op->getLoc()) << text;
  }
  return success(faults.empty());
}

} // namespace kernelscope::executor
