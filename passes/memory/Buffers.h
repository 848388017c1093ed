//===- Buffers.h - Who uses which memory, and when --------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_BUFFERS_H
#define KERNELSCOPE_PASSES_MEMORY_BUFFERS_H

#include "dialects/ttg/MemoryAccess.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace kernelscope::memory {

using ttg::MemorySpace;

/// A half-open range: of places in memory, or of time.
struct Interval {
  unsigned begin = 0, end = 0;
  bool overlaps(const Interval &other) const {
    return begin < other.end && other.begin < end;
  }
  void extend(const Interval &by) {
    begin = std::min(begin, by.begin);
    end = std::max(end, by.end);
  }
  bool operator==(const Interval &) const = default;
};

class TensorCoreWaits;

/// The attribute that holds an op's place in `space`.
llvm::StringRef placeNameOf(MemorySpace space);

/// The memory of one function: what it allocates, what its ops exchange data
/// through, and which values point to which of it.
class Buffers {
public:
  explicit Buffers(mlir::FunctionOpInterface function);

  /// A piece of memory that `owner` asks for (`AllocOpInterface`,
  /// `ScratchOpInterface`). Sizes and places are in bytes of shared memory, or
  /// in 32-bit columns of tensor memory.
  struct Buffer {
    mlir::Operation *owner;
    MemorySpace space;
    bool isScratch;
    unsigned size, alignment;
    /// When its contents matter: positions of ops in the function.
    Interval lifetime;
    /// The only partition that uses it, whose time runs parallel to that of all
    /// others, and when its contents matter there.
    mlir::Region *partition;
    Interval lifetimeThere;
    /// Where it is; set by `assignPlaces`.
    Interval place;
    /// A matrix in 16 of every 32 lanes of tensor memory, so that another fits
    /// beside it, and whether it has the upper ones; set by `assignPlaces`.
    bool isHalf = false, isUpper = false;

    bool livesWith(const Buffer &other) const {
      return partition && partition == other.partition
                 ? lifetimeThere.overlaps(other.lifetimeThere)
                 : lifetime.overlaps(other.lifetime);
    }
  };

  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  /// The buffers that a memory descriptor may point into.
  llvm::SmallVector<const Buffer *> buffersOf(mlir::Value memory) const;
  /// `memory`, an argument or the result of a call, may point into `buffer` of
  /// another function. False if that is known already.
  bool receive(mlir::Value memory, const Buffer *buffer);
  /// The scratch memory of an op, or null.
  const Buffer *scratchOf(mlir::Operation *op) const;

  /// Gives each buffer in `space` a place from `begin` on, such that no two
  /// that live at once overlap. Returns the end of all of them.
  unsigned assignPlaces(MemorySpace space, unsigned begin);
  /// Moves buffers of shared memory, of `function`, within [begin, end) such
  /// that fewer take the place of one that only a barrier ends. Returns the end
  /// of all of them.
  unsigned separatePlaces(mlir::FunctionOpInterface function, unsigned begin,
                          unsigned end);
  /// Takes the places that are recorded on the ops (`placeNameOf`).
  void readPlaces();

private:
  void collect(mlir::FunctionOpInterface function);
  void addBufferOf(mlir::Operation *op);
  void joinAliases(mlir::Operation *op);
  void findHalves(mlir::FunctionOpInterface function);
  void findLifetimes(mlir::FunctionOpInterface function);
  Interval timeOf(mlir::Operation *use, mlir::Operation *owner,
                  mlir::Region *partition = nullptr) const;
  Interval workOf(mlir::Operation *use, mlir::Operation *owner,
                  const TensorCoreWaits &waits) const;

  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Operation *, unsigned> bufferOfOwner;
  llvm::DenseMap<mlir::Operation *, Interval> times;
  llvm::EquivalenceClasses<mlir::Value> aliases;
  /// The buffers of other functions that values stand for.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<const Buffer *>> received;
  /// Numbers of buffers that must be in the same lanes.
  llvm::EquivalenceClasses<size_t> sameLanes;
  /// True if every branch goes to a block that comes later in the text.
  bool goesForward = true;
};

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_BUFFERS_H
