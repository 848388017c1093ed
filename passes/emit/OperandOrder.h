//===- OperandOrder.h - Instructions after their operands -------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_EMIT_OPERANDORDER_H
#define KERNELSCOPE_PASSES_EMIT_OPERANDORDER_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace kernelscope::emit {

/// Appends `result` to `order`, after those of its operands and theirs that are
/// members: depth first. What is in `placed` is left out, and what is appended
/// is added to it.
void placeAfterOperands(
    llvm::Instruction &result,
    llvm::function_ref<bool(const llvm::Instruction &)> isMember,
    llvm::SmallVectorImpl<llvm::Instruction *> &order,
    llvm::DenseSet<const llvm::Instruction *> &placed);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_OPERANDORDER_H
