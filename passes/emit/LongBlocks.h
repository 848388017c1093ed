//===- LongBlocks.h - Blocks with more values than registers ----*- C++ -*-===//
//
// Ops on tensors become code op by op, so that all elements of a thread are
// live at once. AMD's code generator finds a better order in blocks of usual
// size. In long ones its register allocation takes most of a preview's time
// limit: for each value it looks at every register and what could leave it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_LONGBLOCKS_H
#define KERNELSCOPE_PASSES_EMIT_LONGBLOCKS_H

#include "dialects/target/Target.h"
#include "llvm/IR/PassManager.h"

namespace kernelscope::emit {

/// Orders the long blocks of `function` for AMD's `target` that need more
/// registers than its threads have, if fewer suffice in another order: each
/// access of memory after what only it needs. Spills what is still too much.
/// Functions with a schedule of their own stay as they are. Returns whether
/// there are such blocks.
bool limitRegisters(llvm::Function &function, const Target &target,
                    llvm::FunctionAnalysisManager &analyses);

/// Splits long blocks of `function`, in which LLVM's code generator takes too
/// long: the load vectorizer numbers a block again after each vector, and the
/// schedulers compare instructions with each other. `isLimited` if
/// `limitRegisters` has found some. Functions with matrix products stay as they
/// are.
void splitLongBlocks(llvm::Function &function, const Target &target,
                     bool isLimited);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_LONGBLOCKS_H
