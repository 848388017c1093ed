//===- Program.h - A kernel as a wave runs it -------------------*- C++ -*-===//
//
// A kernel of AMDGPU's or NVPTX's LLVM IR, decoded once: each scalar of each
// value has a column, which holds it for every lane, and each instruction that
// computes is a step on columns. Instructions that only move scalars about
// (casts between types of one width, extracting, inserting, shuffling with
// constant places) are not there: their results are the columns of their
// operands.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_PROGRAM_H
#define KERNELSCOPE_EXECUTOR_WAVE_PROGRAM_H

#include "dialects/target/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace kernelscope::wave {

class Wave;

/// A scalar of a value, for all lanes of a wave.
using Column = uint32_t;
/// Those of a value.
using Columns = llvm::SmallVector<Column, 4>;

/// What one instruction does to the lanes of a wave that are active.
struct Step {
  std::function<void(Wave &)> run;
  /// For messages.
  const llvm::Instruction *source = nullptr;
};

/// A basic block. The last step sends the lanes to other blocks.
using Block = std::vector<Step>;

/// A decoded kernel. Blocks are in the order in which lanes that have diverged
/// wait for each other: those of a loop are together, before all that follows
/// it (BlockOrder.h).
struct Program {
  const Target *target = nullptr;
  const llvm::Function *function = nullptr;
  std::vector<Block> blocks;
  Column columns = 0;
  /// Columns whose value never changes.
  std::vector<std::pair<Column, uint64_t>> constants;
  /// Columns that hold an address in LDS, from the start of a workgroup's.
  std::vector<std::pair<Column, uint64_t>> ldsAddresses;
  /// Columns of each parameter.
  std::vector<Columns> parameters;
  /// What a launch passes to a kernel besides its parameters (LLVM's
  /// AMDGPUUsage, "Code Object V5 Kernel Argument Metadata").
  std::array<uint32_t, 64> hidden{};
  /// Bytes that the static variables in LDS take, from its start.
  uint64_t ldsBytes = 0;
  /// Bytes of each lane's private memory.
  uint64_t privateBytes = 0;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_PROGRAM_H
