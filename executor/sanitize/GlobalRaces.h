//===- GlobalRaces.h - Races of programs in global memory -------*- C++ -*-===//
//
// Programs of a grid run in any order, so that none may write what another
// reads or writes, unless both do so atomically, or an atomic access of each to
// one address, such as that of a lock, orders the two.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_GLOBALRACES_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_GLOBALRACES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SparseBitVector.h"
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>

namespace kernelscope::executor::sanitize {

/// Who accessed the buffers of a launch. Threads share it.
class GlobalRaces {
public:
  /// Of each buffer the bytes of an element, zero where it is none, and its
  /// size. A buffer of too many elements is not looked at.
  struct BufferSize {
    size_t elementBytes;
    uint64_t bytes;
  };
  GlobalRaces(llvm::ArrayRef<BufferSize> buffers, uint64_t programs);

private:
  friend class ProgramAccesses;
  /// An access that was made: a program, counted from one, and an op.
  using Record = std::atomic<uint32_t>;
  static constexpr int programBits = 22;
  static constexpr uint32_t programMask = (uint32_t{1} << programBits) - 1;
  static constexpr uint32_t mostOps = uint32_t{1} << (32 - programBits);
  /// Of a lock or counter it has many, of a program's own flag one.
  using Programs = llvm::SparseBitVector<2048>;
  /// The last accesses of one kind to each element: zeroed memory, of which
  /// only what is used is there.
  class Records {
  public:
    Records() = default;
    explicit Records(uint64_t count)
        : records(static_cast<Record *>(std::calloc(count, sizeof(Record)))) {}
    explicit operator bool() const { return records != nullptr; }
    Record &operator[](uint64_t index) { return records[index]; }

  private:
    struct Free {
      void operator()(Record *records) const { std::free(records); }
    };
    std::unique_ptr<Record[], Free> records;
  };
  struct Shadow {
    unsigned shift = 0; ///< an element has 2^shift bytes
    uint64_t count = 0;
    Records writes, reads, otherReads; ///< reads of two programs
    /// Whether there is any: most buffers that are written are never read.
    std::unique_ptr<std::atomic<bool>> isRead;
  };
  uint32_t number(mlir::Operation *op);

  std::vector<Shadow> shadows;
  std::mutex mutex;
  std::vector<mlir::Operation *> ops;
  /// What a program learns that accesses an address atomically.
  llvm::DenseMap<int64_t, Programs> released;
};

/// The accesses of the program that a thread runs.
class ProgramAccesses {
public:
  explicit ProgramAccesses(GlobalRaces &all) : all(all) {}

  /// Program number `index` of the grid starts.
  void start(uint64_t index);
  /// An access that is not atomic, to these bytes of a buffer.
  void access(size_t buffer, int64_t offset, size_t size, bool isStore,
              mlir::Operation *op) {
    if (conflict || buffer >= all.shadows.size())
      return;
    GlobalRaces::Shadow &shadow = all.shadows[buffer];
    const int64_t bytes = int64_t{1} << shadow.shift;
    // Accesses as another type are not distinguished.
    if (!shadow.writes || ((offset | int64_t(size)) & (bytes - 1)) != 0)
      return;
    if (op != lastOp)
      change(op);
    const uint64_t first = uint64_t(offset) >> shadow.shift;
    if (int64_t(size) != bytes || !isAlone(shadow, first, isStore))
      look(buffer, first, size >> shadow.shift, isStore);
  }
  /// An atomic access to `address`: programs that did so before are ordered
  /// before this one.
  void synchronize(int64_t address);

  /// The first access that conflicts with one of another program.
  struct Conflict {
    mlir::Operation *op, *other;
    uint64_t program; ///< the other one's number
    size_t buffer;
    int64_t offset;
    bool isStore, wasStore;
  };
  std::optional<Conflict> conflict;

private:
  /// Records an access to an element that no other program has accessed so far;
  /// false when one has.
  bool isAlone(GlobalRaces::Shadow &shadow, uint64_t element, bool isStore) {
    constexpr auto relaxed = std::memory_order_relaxed;
    auto isMine = [&](uint32_t record) {
      return (record & GlobalRaces::programMask) == program;
    };
    if (element >= shadow.count)
      return true;
    const uint32_t wrote = shadow.writes[element].load(relaxed);
    if (wrote && !isMine(wrote))
      return false;
    if (isStore) {
      if (shadow.isRead->load(relaxed))
        return false;
      shadow.writes[element].store(mine, relaxed);
      return true;
    }
    if (!shadow.isRead->load(relaxed))
      shadow.isRead->store(true, relaxed);
    const uint32_t read = shadow.reads[element].load(relaxed);
    if (read && !isMine(read))
      return false;
    if (!read)
      shadow.reads[element].store(mine, relaxed);
    return true;
  }
  void change(mlir::Operation *op);
  void look(size_t buffer, uint64_t first, uint64_t count, bool isStore);
  bool meets(uint32_t record) const;

  GlobalRaces &all;
  uint32_t program = 0; ///< counted from one
  GlobalRaces::Programs known;
  mlir::Operation *lastOp = nullptr;
  uint32_t mine = 0; ///< the record of an access by it
};

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_GLOBALRACES_H
