//===- InlineCode.h - Inline assembly that is ready to run -----*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_INLINECODE_H
#define KERNELSCOPE_EXECUTOR_OPS_INLINECODE_H

#include "executor/assembly/Arithmetic.h"
#include "executor/plan/Frame.h"

namespace kernelscope::executor {

/// The value of one of the machine's registers in this program.
using ReadRegister = std::function<uint64_t(Frame &)>;

/// A load from shared memory, or a store to it, of several registers.
struct SharedAccess {
  assembly::Type type; ///< of each of them
  bool isStore;
  uint64_t offset; ///< to the address
};

/// An instruction whose operands are places in the array of registers.
struct Planned {
  assembly::Compute compute;
  llvm::SmallVector<unsigned, 4> from, to;
  std::optional<unsigned> predicate;
  bool negated;
  /// The first of `from` is the address, and there is nothing to compute.
  std::optional<SharedAccess> memory = std::nullopt;

  bool isOff(const uint64_t *registers) const {
    return predicate && (registers[*predicate] & 1) == negated;
  }
  void run(uint64_t *registers) const {
    if (isOff(registers))
      return;
    uint64_t in[8], out[8];
    for (auto [i, place] : llvm::enumerate(from))
      in[i] = registers[place];
    compute(in, out);
    for (auto [i, place] : llvm::enumerate(to))
      registers[place] = out[i];
  }
};

/// The instructions of an op. Constants have registers of their own.
struct Code {
  std::vector<Planned> instructions;
  std::vector<uint64_t> initial; ///< of all registers
  std::vector<std::pair<unsigned, ReadRegister>> machine;
};

/// The instructions of `text`, whose operands $0, $1, ... are the registers 0
/// to `operands` - 1. None after an error on `op`, which has the text.
/// Instructions on shared memory are left to the caller, if it `hasAddresses`.
std::optional<Code> planCode(mlir::Operation *op, llvm::StringRef text,
                             unsigned operands, bool hasAddresses = false);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_INLINECODE_H
