//===- Kernel.h - GPUs' LLVM IR on the CPU ----------------------*- C++ -*-===//
//
// The wave simulator: it runs a kernel of LLVM IR, as AMDGPU's or NVPTX's code
// generator gets it, lane by lane in lock step, so that what a lowering made
// can be compared with the executor on a machine without the GPU. Its words are
// AMD's: a wave is a warp, a workgroup a CTA, LDS shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_KERNEL_H
#define KERNELSCOPE_EXECUTOR_WAVE_KERNEL_H

#include "executor/wave/Memory.h"
#include "executor/wave/Program.h"
#include "llvm/IR/LLVMContext.h"
#include <array>
#include <memory>

namespace kernelscope::wave {

/// How much of a kernel to run.
struct LaunchShape {
  /// Workgroups along each axis.
  std::array<uint32_t, 3> grid{1, 1, 1};
  /// Workgroups of a cluster, along the first axis, which run together.
  unsigned clusterSize = 1;
  /// Of a workgroup.
  unsigned waves = 1;
  /// LDS of a workgroup, in bytes, that a launcher requests.
  uint64_t ldsBytes = 0;
  /// Steps that the waves of a workgroup may take.
  uint64_t maxSteps = uint64_t{10'000'000'000};
  /// Whether an access to LDS that nothing orders after that of another wave is
  /// an error.
  bool findsRaces = true;
  /// Where what the kernel prints goes; null for nowhere.
  llvm::raw_ostream *print = nullptr;
};

/// Where in its source a kernel did something wrong; the message is for people.
class RunError : public llvm::ErrorInfo<RunError> {
public:
  static char ID;
  RunError(std::string message, std::string file, unsigned line)
      : message(std::move(message)), file(std::move(file)), line(line) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  std::string message;
  /// What the instruction's debug location says; empty and 0 without one.
  std::string file;
  unsigned line = 0;
};

class Kernel {
public:
  /// Decodes the kernel `name` of a module, as text, for a chip. The
  /// error names what the simulator does not run.
  static llvm::Expected<std::unique_ptr<Kernel>>
  create(llvm::StringRef module, llvm::StringRef name, const Target &target);
  ~Kernel();

  /// Runs all clusters, one after another. `parameters` are where the values
  /// of the kernel's parameters are; pointers among them are to memory that
  /// `memory` allows. A RunError says what a lane did.
  llvm::Error run(llvm::ArrayRef<const void *> parameters,
                  const LaunchShape &shape, const GlobalMemory &memory);

  /// Parameters that the kernel takes.
  size_t numParameters() const { return program.parameters.size(); }

private:
  explicit Kernel(const Target &target);
  llvm::Error load(llvm::StringRef text, llvm::StringRef name);
  llvm::Error placeVariables();

  Target target;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> addresses;
  struct Unmap {
    size_t bytes;
    void operator()(char *memory) const;
  };
  /// What variables outside of LDS hold, below 2 GiB: NVPTX addresses constants
  /// with 32 bits.
  std::vector<std::unique_ptr<char, Unmap>> variables;
  Program program;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_KERNEL_H
