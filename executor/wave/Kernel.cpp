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
#include "llvm/Support/MathExtras.h"
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
      file = location->getFilename().str();
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
  Cluster cluster(launch);
  for (uint32_t z = 0; z < shape.grid[2]; ++z)
    for (uint32_t y = 0; y < shape.grid[1]; ++y)
      for (uint32_t x = 0; x < shape.grid[0]; x += cluster.size())
        waiting.push_back({x, y, z});
  while (!waiting.empty()) {
    const std::array<uint32_t, 3> first = waiting.front();
    waiting.pop_front();
    if (std::optional<Failure> failure = cluster.run(first))
      return describe(*failure);
  }
  return Error::success();
}

} // namespace kernelscope::wave
