//===- MemoryAccess.h - Values in memory ------------------------*- C++ -*-===//
//
// How values lie in memory, and what atomics make of two of them: for all
// instructions that access memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H
#define KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H

#include "executor/wave/Decoder.h"
#include "executor/wave/Wave.h"
#include "llvm/ADT/Hashing.h"

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

/// What a step finds in memory that other workgroups may change.
class Look {
public:
  explicit Look(unsigned space)
      : isShared(space == Global || space == Generic) {}
  /// A lane has found `before`, and has left `after`.
  void add(uint64_t before, uint64_t after) {
    found = llvm::hash_combine(found, before);
    changed |= before != after;
  }
  /// All lanes have looked.
  void end(Wave &wave) const {
    if (isShared && wave.active)
      wave.look(found, changed);
  }

private:
  const bool isShared;
  uint64_t found = 0;
  bool changed = false;
};

/// An atomic of one lane: sets its part of `results` to what is at `place`, and
/// that, by way of `combined`, to what `combine` makes of it and `operands`.
void exchange(Wave &wave, unsigned lane, const MemoryShape &shape, char *place,
              const Combination &combine, const Columns &operands,
              const Columns &results, const Columns &combined);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_MEMORYACCESS_H
