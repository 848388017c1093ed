//===- MemoryAccess.h - Values in memory ------------------------*- C++ -*-===//
//
// How values lie in memory, and what atomics make of two of them: for all
// instructions that access memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H
#define KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H

#include "executor/wave/Decoder.h"

namespace kernelscope::wave {

/// A type in memory.
struct MemoryShape {
  llvm::SmallVector<Field> fields;
  /// Bytes that a load or store of it accesses.
  uint64_t bytes = 0;

  static MemoryShape of(Decoder &decoder, llvm::Type *type);

  /// Sets a lane's part of `columns` to what is at `from`.
  void load(Wave &wave, const Columns &columns, unsigned lane,
            const char *from) const;
  /// Writes a lane's part of `columns` to `to`.
  void store(Wave &wave, const Columns &columns, unsigned lane, char *to) const;
};

/// What an atomic makes of what is in memory and of its operand.
using Combination = std::function<uint64_t(uint64_t, uint64_t)>;
Combination combination(Decoder &decoder, llvm::AtomicRMWInst::BinOp operation,
                        Scalar scalar);

/// An atomic of one lane: sets its part of `results` to what is at `place`, and
/// that, by way of `combined`, to what `combine` makes of it and `operands`.
void exchange(Wave &wave, unsigned lane, const MemoryShape &shape, char *place,
              const Combination &combine, const Columns &operands,
              const Columns &results, const Columns &combined);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H
