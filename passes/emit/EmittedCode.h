//===- EmittedCode.h - What each line of the IR became ----------*- C++ -*-===//
//
// Reads assembly as it was emitted: which instructions belong to a line of the
// IR, and of what class each is.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_EMITTEDCODE_H
#define KERNELSCOPE_PASSES_EMIT_EMITTEDCODE_H

#include "passes/Compile.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace kernelscope::emit {

enum class InstructionClass {
  GlobalLoad,
  GlobalStore,
  SharedLoad,
  SharedStore,
  /// Memory of each thread's own, where registers are spilled to.
  LocalMemory,
  /// Between global and shared memory, without registers.
  AsyncCopy,
  /// From or to shared memory, transposed among lanes.
  MatrixLoad,
  MatrixStore,
  MatrixProduct,
  TensorMemory,
  Atomic,
  /// Between lanes of a warp.
  Exchange,
  Barrier,
  Wait,
  /// Arithmetic, addresses, control.
  Other
};

/// One instruction of PTX or AMDGCN.
struct Instruction {
  llvm::StringRef opcode, operands;
  /// PTX's `@%p`, or a `cp.async` that copies as much as a register says.
  bool isPredicated = false;
};

/// The instructions on a line of assembly; PTX can have several.
llvm::SmallVector<Instruction, 1> instructionsOn(llvm::StringRef line);

InstructionClass classOf(const Instruction &instruction);

/// Bytes that one lane moves; 0 where the instruction does not say.
unsigned bytesMoved(const Instruction &instruction);

/// The opcode without what all of its kind have: "ldmatrix.x4.trans".
std::string shortName(llvm::StringRef opcode);

/// The equal instructions of one line of the IR.
struct InstructionCount {
  std::string opcode;
  InstructionClass kind = InstructionClass::Other;
  unsigned count = 0;
  unsigned predicated = 0;
  /// Of each, moved by one lane.
  unsigned bytes = 0;
};

/// By line of the IR, from 1; in the order of the code.
using EmittedLines = std::map<unsigned, std::vector<InstructionCount>>;

/// Counts the instructions of `assembly`, PTX or AMDGCN, by the line of the IR
/// that `links` say each is from.
EmittedLines countInstructions(llvm::StringRef assembly,
                               llvm::ArrayRef<LineLink> links);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_EMITTEDCODE_H
