//===- MemoryLimit.cpp - Buffers that do not fit together -----------------===//

#include "passes/lint/MemoryLimit.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelscope;

void kernelscope::checkMemoryLimit(LintInput &input, EmitLint emit,
                                   llvm::StringLiteral code,
                                   const MemoryLimit &limit) {
  memory::Buffers buffers(cast<FunctionOpInterface>(input.function));
  const unsigned needed = buffers.assignPlaces(limit.space, /*begin=*/0);
  if (int64_t{needed} <= limit.size)
    return;
  using Buffer = memory::Buffers::Buffer;
  const Buffer *largest = nullptr, *beside = nullptr;
  auto isLarger = [&](const Buffer &buffer, const Buffer *than) {
    return buffer.space == limit.space && (!than || buffer.size > than->size);
  };
  for (const Buffer &buffer : buffers.getBuffers())
    if (isLarger(buffer, largest))
      largest = &buffer;
  for (const Buffer &buffer : buffers.getBuffers())
    if (&buffer != largest && isLarger(buffer, beside) &&
        buffer.livesWith(*largest))
      beside = &buffer;
  emit({largest->owner, code,
        "takes " + std::to_string(largest->size) + " of " +
            std::to_string(needed) + " " + limit.unit.str() +
            " that the kernel needs at the same time; " + limit.owner +
            " has " + std::to_string(limit.size),
        beside ? beside->owner : nullptr,
        beside ? "takes " + std::to_string(beside->size) + " " +
                     limit.unit.split(' ').first.str() + " at the same time"
               : "",
        LintLevel::Error});
}
