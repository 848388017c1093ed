//===- SharedArithmetic.h - Computed once for many --------------*- C++ -*-===//
//
// What the threads of a block, or the elements of a thread, have in common.
// LLVM's Reassociate does not know which values all threads share, and its
// strength reduction not that `x | 1` can be `x + 1`.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_SHAREDARITHMETIC_H
#define KERNELSCOPE_PASSES_EMIT_SHAREDARITHMETIC_H

#include "llvm/IR/PassManager.h"

namespace kernelscope::emit {

/// Changes `(n ^ u) ^ v` into `n ^ (u ^ v)` where all threads have the same `u`
/// and `v`, for other associative ops on integers, too. A product of `x + c`
/// and a constant becomes a sum where that of `x` is there already.
void shareArithmetic(llvm::Function &function,
                     llvm::FunctionAnalysisManager &analyses);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_SHAREDARITHMETIC_H
