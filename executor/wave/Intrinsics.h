//===- Intrinsics.h - What intrinsics mean ----------------------*- C++ -*-===//
//
// The registry of the functions that kernels call without a body: LLVM's
// intrinsics, AMDGPU's among them. One file for each concept.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_INTRINSICS_H
#define KERNELSCOPE_EXECUTOR_WAVE_INTRINSICS_H

#include "executor/wave/Decoder.h"
#include "llvm/ADT/StringMap.h"

namespace kernelscope::wave {

/// One call of an intrinsic.
struct Call {
  Decoder &decoder;
  const llvm::CallBase &call;
  /// The intrinsic, without the types that its name ends with.
  llvm::StringRef name;

  unsigned numOperands() const { return call.arg_size(); }
  /// Fails for an operand that the call does not have: LLVM does not check
  /// those of AMDGPU's intrinsics (Spelling.h).
  const llvm::Value *value(unsigned i) const;
  Columns operand(unsigned i) const { return decoder.operand(value(i)); }
  /// The same; fails unless it has so many scalars.
  Columns operand(unsigned i, size_t scalars) const;
  Column scalar(unsigned i) const { return decoder.scalar(value(i)); }
  uint64_t immediate(unsigned i) const { return decoder.immediate(value(i)); }
  /// That of the operand's scalars; fails unless they are floats.
  Scalar::Kind floatKind(unsigned i) const;
  /// At least one column; fails for a call without a result.
  Columns define() const;
  /// The same; fails unless it has so many scalars.
  Columns defineScalars(size_t scalars) const;
  void define(Columns columns) const {
    decoder.define(&call, std::move(columns));
  }
  /// The operand as 32-bit words, whatever its type.
  Columns words(unsigned i) const;
  /// The size of the result; fails for a call without one.
  uint64_t resultBits() const;
  /// Says that the result is these 32-bit words.
  void defineWords(const Columns &words) const;
};

/// Emits the steps of a call.
using Meaning = void (*)(const Call &);

/// By name, such as "llvm.amdgcn.ballot".
class Meanings {
public:
  void add(const llvm::Twine &name, Meaning meaning) {
    table[name.str()] = meaning;
  }
  /// With the name, which stays; null if there is none.
  const llvm::StringMapEntry<Meaning> *find(llvm::StringRef name) const {
    auto found = table.find(name);
    return found == table.end() ? nullptr : &*found;
  }

private:
  llvm::StringMap<Meaning> table;
};

void addMathFunctions(Meanings &meanings);
void addIntegerFunctions(Meanings &meanings);
void addAngleReduction(Meanings &meanings);
void addLaunchIds(Meanings &meanings);
void addLaneMoves(Meanings &meanings);
void addBufferAccesses(Meanings &meanings);
void addMatrixProducts(Meanings &meanings);
void addDotProducts(Meanings &meanings);
void addMaskedAccesses(Meanings &meanings);
void addScaledProducts(Meanings &meanings);
void addLdsBarriers(Meanings &meanings);
void addLdsTransfers(Meanings &meanings);
void addFloatConversions(Meanings &meanings);
void addTensorDataMover(Meanings &meanings);
void addSynchronisation(Meanings &meanings);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_INTRINSICS_H
