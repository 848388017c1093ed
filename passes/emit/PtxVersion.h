//===- PtxVersion.h - The PTX that a module needs ---------------*- C++ -*-===//
//
// Each chip's code is PTX of the oldest version that most of its instructions
// need, so that old drivers take it. A few need a newer one, and only modules
// with those ask for it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_PTXVERSION_H
#define KERNELSCOPE_PASSES_EMIT_PTXVERSION_H

#include "dialects/target/Target.h"

namespace llvm {
class Module;
} // namespace llvm

namespace kernelscope::emit {

/// LLVM's features for the code of `module`: those of `target`, and the PTX
/// version of the instructions in its inline assembly if that is newer.
std::string requiredFeatures(const llvm::Module &module, const Target &target);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_PTXVERSION_H
