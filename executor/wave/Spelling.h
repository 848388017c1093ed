//===- Spelling.h - LLVM IR of other releases -------------------*- C++ -*-===//
//
// Triton's own `.llir` is written by the LLVM that it is built with, which is
// newer than ours.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_SPELLING_H
#define KERNELSCOPE_EXECUTOR_WAVE_SPELLING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kernelscope::wave {

/// `text`, a module of LLVM IR, such that LLVM 22 reads it: floats as it writes
/// them, without attributes that it does not know. AMDGPU's intrinsics become
/// functions without a meaning to LLVM, "amdgcn.ballot.i64", because their
/// operands differ from release to release.
std::string respell(llvm::StringRef text);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_SPELLING_H
