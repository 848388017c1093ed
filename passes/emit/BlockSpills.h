//===- BlockSpills.h - Values of a block beyond its registers ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_EMIT_BLOCKSPILLS_H
#define KERNELSCOPE_PASSES_EMIT_BLOCKSPILLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace kernelscope::emit {

/// The vector registers of 32 bits that a value takes; 0 if it takes none, or
/// is cheaply recomputed.
using RegisterCount = llvm::function_ref<unsigned(const llvm::Instruction &)>;

/// The most registers that values of `block` take at once if it is in `order`.
unsigned pressureOf(const llvm::BasicBlock &block,
                    llvm::ArrayRef<llvm::Instruction *> order,
                    RegisterCount registersOf);

/// Takes values out of registers until those of `block` take at most `most` at
/// once: always the value whose next use is farthest (L. A. Belady, "A study of
/// replacement algorithms for a virtual-storage computer", 1966). They go to
/// `accumulators` further registers that arithmetic cannot read, AMD's AGPRs,
/// and beyond these to scratch memory.
void spillBeyond(llvm::BasicBlock &block, unsigned most, unsigned accumulators,
                 RegisterCount registersOf);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_BLOCKSPILLS_H
