//===- MemoryLimit.h - Buffers that do not fit together ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LINT_MEMORYLIMIT_H
#define KERNELSCOPE_PASSES_LINT_MEMORYLIMIT_H

#include "passes/lint/Lint.h"
#include "passes/memory/Buffers.h"

namespace kernelscope {

/// Memory of which a CTA has `size`, in `unit` ("bytes of shared memory").
struct MemoryLimit {
  memory::MemorySpace space;
  int64_t size;
  llvm::StringRef unit;
  /// "a CTA", or "a block on gfx942".
  std::string owner;
};

/// Reports the largest of the function's buffers if those that matter at the
/// same time need more than there is, and one that lives beside it.
void checkMemoryLimit(LintInput &input, EmitLint emit, llvm::StringLiteral code,
                      const MemoryLimit &limit);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_MEMORYLIMIT_H
