//===- Memory.h - Global memory: the arguments' buffers --------*- C++ -*-===//
//
// Pointers in the IR are numbers that name a buffer and an offset, so that any
// arithmetic on them is possible and every access can be checked.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_MEMORY_H
#define KERNELSCOPE_EXECUTOR_PLAN_MEMORY_H

#include "executor/Executor.h"
#include "executor/sanitize/GlobalRaces.h"
#include <algorithm>
#include <string>

namespace kernelscope::executor {

/// The buffers of a launch, seen by one thread.
class Memory {
public:
  /// `buffers[k]` belongs to argument k; one without data is not a buffer. With
  /// `measure`, accesses outside are recorded and allowed.
  Memory(std::vector<Buffer> buffers, bool measure)
      : buffers(std::move(buffers)), extents(this->buffers.size()),
        measuring(measure) {}

  /// The address of the first byte of buffer `index`.
  static int64_t addressOf(size_t index) {
    return (static_cast<int64_t>(index + 1) << regionBits) + middle;
  }

  /// The bytes at `address`, or null when they are not all in one buffer.
  char *find(int64_t address, size_t size) {
    const size_t index = static_cast<size_t>(address >> regionBits) - 1;
    const int64_t offset = (address & (regionSize - 1)) - middle;
    if (index >= buffers.size() || offset < 0 ||
        static_cast<uint64_t>(offset) + size > buffers[index].bytes)
      return nullptr;
    return static_cast<char *>(buffers[index].data) + offset;
  }

  /// Whether nothing is stored to the buffer at `address`.
  bool isReadOnly(int64_t address) const {
    const size_t index = static_cast<size_t>(address >> regionBits) - 1;
    return index < buffers.size() && buffers[index].isReadOnly;
  }

  /// Whether nothing is loaded from the buffer at `address`.
  bool isNeverLoaded(int64_t address) const {
    const size_t index = static_cast<size_t>(address >> regionBits) - 1;
    return index < buffers.size() && buffers[index].isNeverLoaded;
  }

  /// Reports an access of `op` that is not atomic to the sanitizer, if there is
  /// one.
  void note(int64_t address, size_t size, bool isStore, mlir::Operation *op) {
    if (races)
      races->access(static_cast<size_t>(address >> regionBits) - 1,
                    (address & (regionSize - 1)) - middle, size, isStore, op);
  }
  /// The sanitizer's record of the running program; null for none.
  sanitize::ProgramAccesses *races = nullptr;

  /// Records an access, for a caller that needs the extents.
  void record(int64_t address, size_t size, bool isStore) {
    const size_t index = static_cast<size_t>(address >> regionBits) - 1;
    if (index >= extents.size())
      return;
    const int64_t offset = (address & (regionSize - 1)) - middle;
    Extent &extent = extents[index];
    const bool untouched = extent.begin == extent.end;
    extent.begin = untouched ? offset : std::min(extent.begin, offset);
    extent.end = std::max(untouched ? offset : extent.end,
                          offset + static_cast<int64_t>(size));
    (isStore ? extent.stored : extent.loaded) = true;
  }

  /// What an address that `find` rejects points to, in words.
  std::string describe(int64_t address, size_t size) const;
  /// "argument 'x'", or "argument 2" if it has no name; of one that an array of
  /// pointers leads to, "what element 3 of argument 'x' points to". `buffers`
  /// are those of the arguments first, then their pointees in the same order.
  static std::string nameOf(llvm::ArrayRef<Buffer> buffers, size_t index);

  /// Adds a buffer that is not an argument's and returns its address.
  int64_t addBuffer(Buffer buffer) {
    buffers.push_back(buffer);
    extents.emplace_back();
    return addressOf(buffers.size() - 1);
  }

  bool isMeasuring() const { return measuring; }
  const std::vector<Extent> &getExtents() const { return extents; }

private:
  // Each buffer lies in the middle of a region of its own, so that a small step
  // before or after it is still known to be that buffer's.
  static constexpr int regionBits = 40;
  static constexpr int64_t regionSize = int64_t{1} << regionBits;
  static constexpr int64_t middle = regionSize / 2;

  std::vector<Buffer> buffers;
  std::vector<Extent> extents;
  bool measuring;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_MEMORY_H
