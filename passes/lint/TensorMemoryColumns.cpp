//===- TensorMemoryColumns.cpp - more columns than a CTA has --------------===//
//
// Buffers in tensor memory whose contents matter at the same time need columns
// of their own, of which a CTA has 512 (PTX ISA, "Tensor Memory"). What one op
// takes, its verifier checks.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/memory/Buffers.h"

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
  memory::Buffers buffers(cast<FunctionOpInterface>(input.function));
  const unsigned needed =
      buffers.assignPlaces(memory::MemorySpace::Tensor, /*begin=*/0);
  if (needed <= unsigned(tensorMemoryColumns))
    return;
  using Buffer = memory::Buffers::Buffer;
  const Buffer *largest = nullptr, *beside = nullptr;
  auto isLarger = [](const Buffer &buffer, const Buffer *than) {
    return buffer.space == memory::MemorySpace::Tensor &&
           (!than || buffer.size > than->size);
  };
  for (const Buffer &buffer : buffers.getBuffers())
    if (isLarger(buffer, largest))
      largest = &buffer;
  for (const Buffer &buffer : buffers.getBuffers())
    if (&buffer != largest && isLarger(buffer, beside) &&
        buffer.livesWith(*largest))
      beside = &buffer;
  emit({largest->owner, "tensor-memory-columns",
        "takes " + std::to_string(largest->size) + " of " +
            std::to_string(needed) +
            " columns of tensor memory that the kernel needs at the same time; "
            "a CTA has " +
            std::to_string(tensorMemoryColumns),
        beside ? beside->owner : nullptr,
        beside ? "takes " + std::to_string(beside->size) +
                     " columns at the same time"
               : "",
        LintLevel::Error});
}
