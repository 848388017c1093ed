//===- Kernel.cpp - GPUs' LLVM IR on the CPU ------------------------------===//
//
// Reads a module, puts its functions into one, places its variables, runs its
// workgroups.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Kernel.h"
#include "executor/wave/Decoder.h"
#include "executor/wave/Spelling.h"
#include "executor/wave/Workgroup.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <sys/mman.h>

using namespace llvm;

namespace kernelscope::wave {

char RunError::ID = 0;

Kernel::Kernel(const Target &target) : target(target) {}
Kernel::~Kernel() = default;

Expected<std::unique_ptr<Kernel>> Kernel::create(StringRef text, StringRef name,
                                                 const Target &target) {
  std::unique_ptr<Kernel> kernel(new Kernel(target));
  if (Error error = kernel->load(text, name))
    return std::move(error);
  return kernel;
}

/// Puts the bodies of the functions that `function` calls into it.
static Error inlineCalls(Function &function) {
  // Each round goes one call deeper.
  constexpr unsigned maxDepth = 64;
  for (unsigned depth = 0; depth < maxDepth; ++depth) {
    SmallVector<CallBase *> calls;
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction))
          if (const Function *callee = call->getCalledFunction();
              callee && !callee->isDeclaration())
            calls.push_back(call);
    if (calls.empty())
      return Error::success();
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      const InlineResult result = InlineFunction(*call, info);
      if (!result.isSuccess())
        return createStringError("the wave simulator cannot inline a call: " +
                                 Twine(result.getFailureReason()));
    }
  }
  return createStringError(
      "the wave simulator does not run recursive functions");
}

Error Kernel::load(StringRef text, StringRef name) {
  SMDiagnostic diagnostic;
  module =
      parseIR(MemoryBufferRef(respell(text), "kernel"), diagnostic, context);
  if (!module) {
    std::string message;
    raw_string_ostream stream(message);
    diagnostic.print(nullptr, stream, /*ShowColors=*/false);
    return createStringError("LLVM cannot read the kernel's IR: " + message);
  }
  Function *function = module->getFunction(name);
  if (!function || function->isDeclaration())
    return createStringError("the module has no kernel '" + name + "'");
  if (Error error = inlineCalls(*function))
    return error;
  program.target = &target;
  program.function = function;
  if (Error error = placeVariables())
    return error;
  return Decoder(program, addresses).decode();
}

void Kernel::Unmap::operator()(char *memory) const { munmap(memory, bytes); }

Error Kernel::placeVariables() {
  const DataLayout &data = module->getDataLayout();
  for (GlobalVariable &variable : module->globals()) {
    const uint64_t bytes =
        data.getTypeAllocSize(variable.getValueType()).getFixedValue();
    // A named barrier has a number and no bytes.
    if (isa<TargetExtType>(variable.getValueType())) {
      addresses[&variable] = addresses.size();
      continue;
    }
    if (variable.getAddressSpace() == Lds) {
      // What has no size of its own is the memory that a launch requests.
      uint64_t &end = program.ldsBytes;
      end = alignTo(end, variable.getAlign().valueOrOne());
      addresses[&variable] = end;
      end = SaturatingAdd(end, bytes);
      if (end > target.maxSharedBytes)
        return createStringError("the kernel's variables take " + Twine(end) +
                                 " bytes of shared memory; " + target.arch +
                                 " has " + Twine(target.maxSharedBytes));
      continue;
    }
    const size_t size = std::max<uint64_t>(bytes, 1);
    void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (mapped == MAP_FAILED)
      return createStringError("no memory below 2 GiB for '" +
                               variable.getName() + "'");
    char *memory = static_cast<char *>(mapped);
    variables.emplace_back(memory, Unmap{size});
    addresses[&variable] = std::bit_cast<uint64_t>(memory);
    auto *text =
        variable.hasInitializer()
            ? dyn_cast<ConstantDataSequential>(variable.getInitializer())
            : nullptr;
    const bool isZero =
        !variable.hasInitializer() || variable.getInitializer()->isNullValue();
    if (text)
      llvm::copy(text->getRawDataValues(), memory);
    else if (!isZero)
      return createStringError("the wave simulator cannot initialise '" +
                               variable.getName() + "'");
  }
  return Error::success();
}

static Error describe(const Failure &failure) {
  std::string file;
  unsigned line = 0;
  if (failure.source)
    if (const DILocation *location = failure.source->getDebugLoc()) {
      while (const DILocation *outer = location->getInlinedAt())
        location = outer;
      // MLIR's translation splits a path in two.
      SmallString<128> path(location->getDirectory());
      sys::path::append(path, location->getFilename());
      file = path.str().str();
      line = location->getLine();
    }
  std::string message = failure.message;
  if (failure.source) {
    raw_string_ostream stream(message);
    stream << ", in";
    failure.source->print(stream);
  }
  return make_error<RunError>(message, file, line);
}

namespace {

/// Runs clusters one after another. One that may wait for another pauses until
/// those after it have had their turn.
class ClusterTurns {
public:
  explicit ClusterTurns(const Launch &launch)
      : launch(launch), total(launch.waiting.size()) {
    const uint64_t bytes = (launch.program.columns * sizeof(uint64_t) +
                            launch.program.privateBytes) *
                               launch.program.target->warpSize * launch.waves +
                           launch.ldsBytes;
    most = std::clamp<uint64_t>(mostBytes / (bytes * launch.clusterSize + 1), 2,
                                mostClusters);
  }

  Error run() {
    while (!launch.waiting.empty() || !started.empty()) {
      if (!launch.waiting.empty() && started.size() < most) {
        start();
        if (Error error = takeTurn(*started.back()))
          return error;
      } else {
        for (auto &cluster : started)
          if (Error error = takeTurn(*cluster))
            return error;
      }
      llvm::erase(started, nullptr);
    }
    return Error::success();
  }

private:
  /// Clusters at once, and what their registers and LDS may take.
  static constexpr uint64_t mostClusters = 256, mostBytes = uint64_t{2} << 30;
  /// Turns in which no cluster ends or changes memory, after which none will.
  static constexpr uint64_t patience = 1 << 16;

  void start() {
    if (!spare)
      spare = std::make_unique<Cluster>(launch);
    spare->start(launch.waiting.front());
    launch.waiting.pop_front();
    started.push_back(std::move(spare));
    idleTurns = 0;
  }

  Error takeTurn(Cluster &cluster) {
    launch.hasChanged = false;
    Cluster::Stop stop = cluster.run();
    idleTurns = launch.hasChanged ? 0 : idleTurns + 1;
    if (stop == Cluster::Stop::LooksAgain && idleTurns > patience) {
      std::string state =
          formatv("of {0} programs {1} have ended and {2} wait in such a loop",
                  total, ended, started.size());
      if (!launch.waiting.empty())
        state += formatv(", and {0} have not started, because at most {1} run "
                         "at the same time",
                         launch.waiting.size(), most);
      cluster.failLooking(state);
      stop = Cluster::Stop::Failed;
    }
    if (stop == Cluster::Stop::Failed)
      return describe(cluster.failure());
    if (stop == Cluster::Stop::Ended) {
      auto place = llvm::find_if(
          started, [&](auto &other) { return other.get() == &cluster; });
      spare = std::move(*place);
      ++ended;
      idleTurns = 0;
    }
    return Error::success();
  }

  const Launch &launch;
  const size_t total;
  size_t ended = 0;
  uint64_t most, idleTurns = 0;
  std::vector<std::unique_ptr<Cluster>> started;
  std::unique_ptr<Cluster> spare;
};

} // namespace

Error Kernel::run(ArrayRef<const void *> parameters, const LaunchShape &shape,
                  const GlobalMemory &memory) {
  if (parameters.size() != numParameters())
    return createStringError("the kernel takes " + Twine(numParameters()) +
                             " parameters, but the launch has " +
                             Twine(parameters.size()));
  GlobalMemory all = memory;
  for (const auto &variable : variables)
    all.allow(std::bit_cast<uint64_t>(variable.get()),
              variable.get_deleter().bytes);
  // Workgroups along each axis, and lanes of a workgroup, in 16 bits each.
  llvm::copy(shape.grid, program.hidden.begin());
  program.hidden[3] = shape.waves * target.warpSize | 1 << 16;
  program.hidden[4] = 1;
  Hostcall hostcall(shape.waves * shape.clusterSize, shape.print);
  constexpr size_t hostcallBuffer = 80;
  const uint64_t buffer = hostcall.address();
  std::memcpy(program.hidden.data() + hostcallBuffer / sizeof(uint32_t),
              &buffer, sizeof(buffer));
  hostcall.allow(all);
  all.allow(std::bit_cast<uint64_t>(program.hidden.data()),
            sizeof(program.hidden));
  WaitingClusters waiting;
  Launch launch{program, all, {}, shape.grid, waiting};
  launch.clusterSize = shape.clusterSize;
  launch.waves = shape.waves;
  // Other code may need more warps than ours, for partitions.
  unsigned threads = 0;
  if (!program.function->getFnAttribute("nvvm.reqntid")
           .getValueAsString()
           .split(',')
           .first.getAsInteger(10, threads))
    launch.waves = threads / target.warpSize;
  launch.maxSteps = shape.maxSteps;
  launch.print = shape.print;
  launch.hostcall = &hostcall;
  launch.findsRaces = shape.findsRaces;
  launch.ldsBytes = std::max(program.ldsBytes, shape.ldsBytes);
  for (auto [i, parameter] : enumerate(parameters)) {
    const Argument &argument =
        *program.function->getArg(static_cast<unsigned>(i));
    Type *passed = argument.getParamByValType();
    const char *from = static_cast<const char *>(parameter);
    uint64_t address = std::bit_cast<uint64_t>(from);
    // What is passed by value is where the launcher has it.
    if (passed) {
      all.allow(address, module->getDataLayout().getTypeStoreSize(passed));
      from = reinterpret_cast<const char *>(&address);
    }
    launch.parameters.emplace_back(
        from,
        from + module->getDataLayout().getTypeStoreSize(argument.getType()));
  }
  for (uint32_t z = 0; z < shape.grid[2]; ++z)
    for (uint32_t y = 0; y < shape.grid[1]; ++y)
      for (uint32_t x = 0; x < shape.grid[0]; x += shape.clusterSize)
        waiting.push_back({x, y, z});
  return ClusterTurns(launch).run();
}

} // namespace kernelscope::wave
