//===- SharedMemoryBytes.cpp - more shared memory than a block has --------===//
//
// Buffers in shared memory whose contents matter at the same time need places
// of their own. What ops need while they run, such as conversions of layouts,
// comes on top.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MemoryLimit.h"

#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"

using namespace mlir;
using namespace kernelscope;

bool kernelscope::isAboutSharedMemory(Operation *op) {
  return isa<ttg::LocalAllocOp>(op);
}

void kernelscope::lintSharedMemoryBytes(LintInput &input, EmitLint emit) {
  const std::optional<Target> target = ttg::lookupExactTarget(input.function);
  if (!target)
    return;
  int64_t sum = 0;
  input.function->walk([&](ttg::LocalAllocOp alloc) {
    sum += ttg::allocationBytes(alloc.getType()).value_or(0);
  });
  if (sum > int64_t{target->maxSharedBytes})
    checkMemoryLimit(input, emit, "shared-memory-bytes",
                     {memory::MemorySpace::Shared, target->maxSharedBytes,
                      "bytes of shared memory", "a block on " + target->arch});
}
