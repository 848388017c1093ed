//===- RelaxedLoads.h - Loads that need not wait for copies -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_RELAXEDLOADS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_RELAXEDLOADS_H

#include "llvm/ADT/StringRef.h"

namespace kernelscope::lower {

/// Marks an `llvm.load` of LDS whose data an async_wait has waited for, and an
/// `llvm.store` in place of a copy whose mask is false. The conversion gives it
/// a scope of aliases that copies to LDS are in (`passes/emit/Backend.cpp`), so
/// that LLVM does not wait for all of them.
constexpr llvm::StringLiteral relaxedLoadName = "lds.relaxed";

/// Marks a module whose text waits for copies to LDS itself, so that barriers
/// are not to.
constexpr llvm::StringLiteral ownWaitsName = "lds.own-waits";

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_RELAXEDLOADS_H
