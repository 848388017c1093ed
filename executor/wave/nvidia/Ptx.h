//===- Ptx.h - What instructions of inline PTX do to a warp -----*- C++ -*-===//
//
// The registry of the instructions that do more than compute a value of each
// thread from others, which executor/assembly knows: memory, warps, barriers,
// matrices. One file for each concept.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PTX_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PTX_H

#include "executor/assembly/Opcode.h"
#include "executor/wave/Intrinsics.h"
#include "llvm/ADT/StringMap.h"

namespace kernelscope::wave::nvidia {

namespace assembly = executor::assembly;

/// One instruction of inline PTX, to be decoded.
class PtxCall {
public:
  PtxCall(Decoder &decoder, const assembly::Instruction &instruction,
          const Columns &registers)
      : decoder(decoder), opcode(llvm::StringRef()), instruction(instruction),
        registers(registers) {}

  Decoder &decoder;
  /// What follows the name by which its meaning was found: `.parity` of
  /// "mbarrier.try_wait.parity". What remains unclaimed is unknown.
  assembly::Opcode opcode;
  /// The name, such as "mbarrier.try_wait".
  llvm::StringRef name;

  size_t numOperands() const { return instruction.operands.size(); }
  /// The columns of `{$0, $1}`; those of numbers are constant. Of an operand in
  /// brackets first the address, its offset added. Fails for one that the
  /// instruction does not have.
  Columns parts(size_t operand);
  /// That of an operand that has one part.
  Column scalar(size_t operand) { return parts(operand)[0]; }
  /// The number that an operand is; none if it is in a register, or missing.
  std::optional<uint64_t> number(size_t operand) const;
  /// All registers of the call, its results first.
  const Columns &allRegisters() const { return registers; }
  /// Whether an operand is `_`, which receives an unused result.
  bool isSink(size_t operand) const;

  /// Emits what it does, for the lanes for which its predicate holds; nothing
  /// is done where it holds for none.
  void emit(std::function<void(Wave &)> run);
  /// Says that it has no meaning here, or why.
  void fail(const llvm::Twine &why = "");
  /// Whether all that the opcode says has been taken; fails otherwise.
  bool isUnderstood();

  const assembly::Instruction &instruction;

private:
  const Columns &registers;
};

using PtxMeaning = void (*)(PtxCall &);

/// By the words that an opcode starts with: "ld", "cp.async.bulk.tensor".
class PtxMeanings {
public:
  void add(const llvm::Twine &name, PtxMeaning meaning) {
    table[name.str()] = meaning;
  }
  /// Of the longest name that `opcode` starts with, with the name, which stays;
  /// null if there is none.
  const llvm::StringMapEntry<PtxMeaning> *find(llvm::StringRef opcode) const;

private:
  llvm::StringMap<PtxMeaning> table;
};

/// The address space that an opcode names, by default that of generic
/// addresses.
unsigned takeSpace(assembly::Opcode &opcode);
/// Takes what is said of memory order, scope and caches, of which nothing is
/// seen here: warps run one at a time.
void takeMemoryHints(assembly::Opcode &opcode);

/// Whether all lanes of a warp run an `.aligned` instruction; fails `wave`
/// otherwise.
bool isWholeWarp(Wave &wave, llvm::StringRef instruction);

/// Hints to caches, and fences, have no effect: warps run one at a time, so
/// that what a fence orders has happened.
inline void doNothing(PtxCall &) {}

/// Reads a special register, such as "tid.x"; null for one without a value.
using ReadSpecial = uint64_t (*)(const Wave &wave, unsigned lane);
ReadSpecial findSpecialRegister(llvm::StringRef name);
std::vector<llvm::StringRef> specialRegisterNames();

/// Emits the steps of a call of inline PTX.
void decodePtx(Decoder &decoder, const llvm::CallBase &call);
/// The same for `text`, whose operands are the results of the call, then what
/// it is given.
void decodePtxText(Decoder &decoder, const llvm::CallBase &call,
                   llvm::StringRef text);

void addMemoryInstructions(PtxMeanings &meanings);
void addAsyncCopies(PtxMeanings &meanings);
void addWarpInstructions(PtxMeanings &meanings);
void addBarrierInstructions(PtxMeanings &meanings);
void addMBarriers(PtxMeanings &meanings);
void addMatrixInstructions(PtxMeanings &meanings);
void addMatrixMoves(PtxMeanings &meanings);
void addWgmma(PtxMeanings &meanings);
void addTensorMaps(PtxMeanings &meanings);
void addTensorCopies(PtxMeanings &meanings);
void addBulkCopies(PtxMeanings &meanings);
void addLaunchControl(PtxMeanings &meanings);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PTX_H
