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
  return llvm::formatv("{0} bytes at offset {1} of {2}, whose buffer has {3} "
                       "bytes",
                       size, offset, nameOf(buffers, index),
                       buffers[index].bytes);
}

std::string Memory::nameOf(llvm::ArrayRef<Buffer> buffers, size_t index) {
  auto argument = [&](size_t number) -> std::string {
    const std::string &name = buffers[number].name;
    return llvm::formatv(name.empty() ? "argument {0}" : "argument '{1}'",
                         number, name);
  };
  size_t behind = buffers.size();
  for (const Buffer &buffer : buffers)
    behind -= buffer.pointees.size();
  for (size_t owner = 0; index >= behind && owner < behind; ++owner) {
    const size_t count = buffers[owner].pointees.size();
    if (index < behind + count)
      return llvm::formatv("what element {0} of {1} points to", index - behind,
                           argument(owner));
    behind += count;
  }
  return argument(index);
}
