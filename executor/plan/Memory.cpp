//===- Memory.cpp - Global memory: the arguments' buffers -----------------===//
//
// The error message for an address outside all buffers.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Memory.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope::executor;

std::string Memory::describe(int64_t address, size_t size) const {
  const size_t index = static_cast<size_t>(address >> regionBits) - 1;
  if (index >= buffers.size() || !buffers[index].data)
    return llvm::formatv(
        "{0} bytes at address {1:x}, which is in no argument's buffer", size,
        address);
  const int64_t offset = (address & (regionSize - 1)) - middle;
  return llvm::formatv(
      "{0} bytes at offset {1} of argument {2}, whose buffer has {3} bytes",
      size, offset, index, buffers[index].bytes);
}
