//===- TensorMemoryColumns.cpp - more columns than a CTA has --------------===//
//
// Buffers in tensor memory whose contents matter at the same time need columns
// of their own, of which a CTA has 512 (PTX ISA, "Tensor Memory"). What one op
// takes, its verifier checks.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/MemoryLimit.h"

#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttng/TTNG.h"

using namespace mlir;
using namespace kernelscope;

bool kernelscope::isAboutTensorMemory(Operation *op) {
  return isa<ttng::TMEMAllocOp>(op);
}

void kernelscope::lintTensorMemoryColumns(LintInput &input, EmitLint emit) {
  int64_t sum = 0;
  input.function->walk([&](ttng::TMEMAllocOp alloc) {
    sum += alloc.getAllocSize().value_or(0);
  });
  if (sum <= tensorMemoryColumns)
    return;
  checkMemoryLimit(input, emit, "tensor-memory-columns",
                   {memory::MemorySpace::Tensor, tensorMemoryColumns,
                    "columns of tensor memory", "a CTA"});
}
