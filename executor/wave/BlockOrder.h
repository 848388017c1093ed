//===- BlockOrder.h - Where diverged lanes reconverge -----------*- C++ -*-===//
//
// A wave always runs the lanes that are in the first block of this order. So
// lanes that leave a loop early, or take the short side of a branch, wait where
// the others will come by, as the exec mask makes them on the chip.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_BLOCKORDER_H
#define KERNELSCOPE_EXECUTOR_WAVE_BLOCKORDER_H

#include "llvm/IR/Function.h"
#include <vector>

namespace kernelscope::wave {

/// The blocks of `function` that can be reached: a block is after those that
/// branch to it, except from inside a loop to its header, and the blocks of a
/// loop are together.
std::vector<llvm::BasicBlock *> orderBlocks(llvm::Function &function);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_BLOCKORDER_H
