//===- Binding.h - Operands in the order of a meaning -----------*- C++ -*-===//
//
// What the text of an instruction says of its operands, for all that run it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_ASSEMBLY_BINDING_H
#define KERNELSCOPE_EXECUTOR_ASSEMBLY_BINDING_H

#include "executor/assembly/Arithmetic.h"

namespace kernelscope::executor::assembly {

/// An instruction's results, then its sources, without PTX's carry; and what it
/// computes of the sources as the text has them: `!p`, `-v0`, `|v0|`.
struct Binding {
  Compute compute;
  llvm::SmallVector<const Operand *> operands;
};

/// An error says what is wrong with the operands. They stay the instruction's.
llvm::Expected<Binding> bind(const Instruction &instruction,
                             const Meaning &meaning);

/// The bits of an operand that is a number, read as `type`: to bits and
/// integers, too, those of a float.
uint64_t constantBits(Type type, const Operand &operand);

} // namespace kernelscope::executor::assembly

#endif // KERNELSCOPE_EXECUTOR_ASSEMBLY_BINDING_H
