//===- Decoder.h - From LLVM IR to steps on columns -------------*- C++ -*-===//
//
// What the files that give instructions their meaning build a program with.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_DECODER_H
#define KERNELSCOPE_EXECUTOR_WAVE_DECODER_H

#include "executor/wave/Scalar.h"
#include "executor/wave/Wave.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include <unordered_map>

namespace kernelscope::wave {

/// Where the variables of a module are.
using GlobalAddresses = llvm::DenseMap<const llvm::GlobalVariable *, uint64_t>;

class Decoder {
public:
  Decoder(Program &program, const GlobalAddresses &globals)
      : data(program.function->getDataLayout()), program(program),
        globals(globals) {}

  /// Decodes the function of the program, in which no function is called that
  /// has a body.
  llvm::Error decode();

  const Target &target() const { return *program.target; }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The columns of an operand.
  Columns operand(const llvm::Value *value);
  /// That of an operand that is one scalar.
  Column scalar(const llvm::Value *value) { return operand(value)[0]; }
  /// The scalars of a type, none with an error if it has no values here.
  llvm::SmallVector<Field> fields(llvm::Type *type);
  /// The kind of a value's first scalar, which its others share unless it is a
  /// struct.
  Scalar scalarOf(const llvm::Value *value) {
    auto found = fields(value->getType());
    return found.empty() ? Scalar() : found[0].scalar;
  }
  Column newColumn() { return program.columns++; }
  Columns newColumns(size_t count);
  /// A column that is `bits` in each lane.
  Column constant(uint64_t bits);
  /// A column that is an address in LDS, `offset` from its start.
  Column ldsAddress(uint64_t offset);
  /// New columns for what `value` computes.
  Columns define(const llvm::Value *value);
  /// Says that `value` is what is already in `columns`.
  void define(const llvm::Value *value, Columns columns) {
    values[value] = std::move(columns);
  }
  /// The number that a constant operand is; an error if it is none.
  uint64_t immediate(const llvm::Value *value);

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  void emit(std::function<void(Wave &)> run) {
    block->push_back({std::move(run), current});
  }
  /// What `emits` emits, which is left out of the block.
  Block collect(llvm::function_ref<void()> emits) {
    Block collected;
    Block *outer = std::exchange(block, &collected);
    emits();
    block = outer;
    return collected;
  }
  /// `to` = fn(a), and so on, in each lane.
  template <typename Fn> void unary(Column to, Column a, Fn fn) {
    emit([=](Wave &wave) {
      uint64_t *r = wave.column(to), *x = wave.column(a);
      wave.forLanes([&](unsigned lane) { r[lane] = fn(x[lane]); });
    });
  }
  template <typename Fn> void binary(Column to, Column a, Column b, Fn fn) {
    emit([=](Wave &wave) {
      uint64_t *r = wave.column(to), *x = wave.column(a), *y = wave.column(b);
      wave.forLanes([&](unsigned lane) { r[lane] = fn(x[lane], y[lane]); });
    });
  }
  template <typename Fn>
  void ternary(Column to, Column a, Column b, Column c, Fn fn) {
    emit([=](Wave &wave) {
      uint64_t *r = wave.column(to), *x = wave.column(a), *y = wave.column(b),
               *z = wave.column(c);
      wave.forLanes(
          [&](unsigned lane) { r[lane] = fn(x[lane], y[lane], z[lane]); });
    });
  }

  /// Says that an instruction has no meaning here.
  void fail(const llvm::Twine &message);
  bool hasFailed() const { return !error.empty(); }

  const llvm::DataLayout &data;
  Program &program;

private:
  void decodeInstruction(const llvm::Instruction &instruction);
  void decodeTerminator(const llvm::Instruction &instruction);
  /// A step's part: hands `from`'s values to the phis of `to`, for the lanes
  /// that go there.
  std::function<void(Wave &, uint64_t)> edge(const llvm::BasicBlock *from,
                                             const llvm::BasicBlock *to);
  llvm::SmallVector<uint64_t> constantBits(const llvm::Constant *constant);
  uint64_t addressOf(const llvm::Constant *constant);

  const GlobalAddresses &globals;
  llvm::DenseMap<const llvm::Value *, Columns> values;
  std::unordered_map<uint64_t, Column> constants, ldsAddresses;
  /// Whether the constant that was looked at last is an address in LDS.
  bool isInLds = false;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockNumbers;
  Block *block = nullptr;
  const llvm::Instruction *current = nullptr;
  std::string error;
};

/// Each decodes the instructions that it knows, and says whether it did.
bool decodeArithmetic(Decoder &decoder, const llvm::Instruction &instruction);
bool decodeWideInteger(Decoder &decoder, const llvm::Instruction &instruction);
bool decodeCast(Decoder &decoder, const llvm::Instruction &instruction);
bool decodeMove(Decoder &decoder, const llvm::Instruction &instruction);
bool decodeMemoryAccess(Decoder &decoder, const llvm::Instruction &instruction);
bool decodeCall(Decoder &decoder, const llvm::Instruction &instruction);

void decodeInlineAssembly(Decoder &decoder, const llvm::CallBase &call);

/// The bits of `columns`, which are `from`, as scalars of `to`, which take as
/// many bits.
Columns repack(Decoder &decoder, const Columns &columns,
               llvm::ArrayRef<Field> from, llvm::ArrayRef<Field> to);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_DECODER_H
