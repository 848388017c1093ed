//===- TensorMemory.h - Blackwell's memory of accumulators ------*- C++ -*-===//
//
// The tensor memory of a CTA: who has which of its columns, and what moves its
// cells. An address has the lane in its upper half and the column in its lower.
// PTX ISA, "Tensor Memory".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMEMORY_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMEMORY_H

#include "dialects/target/TensorMemoryShapes.h"
#include "executor/wave/nvidia/SharedMatrix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <bitset>
#include <map>
#include <optional>
#include <vector>

namespace kernelscope::wave::nvidia {

/// Some columns of some lanes.
struct TensorMemoryCells {
  uint32_t lane = 0, lanes = 0, column = 0, columns = 0;

  bool overlap(const TensorMemoryCells &other) const {
    return lane < other.lane + other.lanes && other.lane < lane + lanes &&
           column < other.column + other.columns &&
           other.column < column + columns;
  }
};

class TensorMemory {
public:
  static constexpr uint32_t lanes = tensorMemoryRows,
                            columns = tensorMemoryColumns;

  /// The address of `count` columns that are free; nothing if there are none
  /// now, so that the instruction waits. An error for a count that
  /// tcgen05.alloc does not take, or after `relinquish`.
  llvm::Expected<std::optional<uint32_t>> allocate(uint32_t count);
  /// An error unless `address` and `count` are those of an allocation.
  llvm::Error deallocate(uint32_t address, uint32_t count);
  /// Nothing is allocated any more.
  void relinquish() { hasRelinquished = true; }
  /// "64 columns from column 0": what is still allocated; empty for nothing.
  std::string leftOver() const;

  /// An error, which says what `user` does, unless all of these cells are
  /// allocated.
  llvm::Error checkRead(const llvm::Twine &user, TensorMemoryCells cells) const;
  /// The same for what changes them: no load may still be reading them.
  llvm::Error checkWrite(const llvm::Twine &user,
                         TensorMemoryCells cells) const;

  /// A tcgen05.ld reads cells until its warp waits.
  void beginLoad(unsigned warp, TensorMemoryCells cells) {
    loads.push_back({warp, cells});
  }
  void endLoads(unsigned warp) {
    llvm::erase_if(loads, [&](const Load &load) { return load.warp == warp; });
  }

  /// A place that has been checked.
  uint32_t &at(uint32_t lane, uint32_t column) {
    return cells[size_t{lane} * columns + column];
  }

  /// tcgen05.shift: each of 32 lanes but the last gets the 32 bytes of the next
  /// one; what the last one needs, `.4x256b` copies.
  llvm::Error shiftDown(uint32_t address);

private:
  struct Load {
    unsigned warp;
    TensorMemoryCells cells;
  };

  /// Full of NaN, as floats of every width.
  std::vector<uint32_t> cells =
      std::vector<uint32_t>(size_t{lanes} * columns, ~uint32_t{0});
  std::map<uint32_t, uint32_t> allocations; ///< columns by the first of them
  std::bitset<columns> taken;
  std::vector<Load> loads; ///< that nothing has waited for
  bool hasRelinquished = false;
};

constexpr uint32_t laneOf(uint32_t address) { return address >> 16; }
constexpr uint32_t columnOf(uint32_t address) { return address & 0xffff; }

/// What a tcgen05.ld or .st moves, as its modifiers say.
struct TensorMemoryMessage {
  const TensorMemoryShape *shape = nullptr;
  unsigned repeat = 1;
  /// A register has the lower halves of two columns.
  bool isPacked = false;
  /// Of .16x32bx2: the columns from what the first half of a warp moves to what
  /// the second does.
  int32_t halfOffset = 0;

  /// From ".32x32b.x4" or ".16x64b.x1.pack::16b", what follows ".aligned";
  /// other modifiers, such as ".b32", are left to the caller. Nothing if there
  /// is no such shape.
  static std::optional<TensorMemoryMessage> parse(llvm::StringRef modifiers);

  /// Whether the instruction says where the second half of a warp moves what.
  bool needsHalfOffset() const {
    return llvm::is_contained(shape->lanes, placeInInstruction);
  }
  /// Of each lane.
  unsigned registers() const { return (1u << shape->registerBits) * repeat; }
};

/// The registers of a warp: those of lane 0, then of lane 1.
using WarpRegisters = std::vector<uint32_t>;

/// tcgen05.ld and .st by warp `warp` of a CTA, at `address`, which all its
/// lanes agree on. A load reads until `endLoads`.
llvm::Expected<WarpRegisters> loadMessage(TensorMemory &memory,
                                          const TensorMemoryMessage &message,
                                          unsigned warp, uint32_t address);
llvm::Error storeMessage(TensorMemory &memory,
                         const TensorMemoryMessage &message, unsigned warp,
                         uint32_t address, llvm::ArrayRef<uint32_t> registers);

/// What a tcgen05.cp moves, as its modifiers say.
struct TensorMemoryCopy {
  uint32_t rows = 0, bytes = 0; ///< of the matrix in shared memory
  /// How far apart the lanes are that row 0 goes to, and how many; in
  /// `.4x256b` and with .warpx2::01_23 rows are apart, too.
  enum class Spread { None, Quarters, Halves02And13, Halves01And23, FourRows };
  Spread spread = Spread::None;
  /// Bits of the elements that become bytes: 16 of them are in 16 bytes, with
  /// padding after it. 0: bytes are copied as they are.
  unsigned elementBits = 0;

  /// From ".128x256b", ".32x128b.warpx4.b8x16.b4x16_p64", in any order.
  static std::optional<TensorMemoryCopy> parse(llvm::StringRef modifiers);
};

/// tcgen05.cp from the shared memory of a CTA to its tensor memory.
llvm::Error copyMatrix(TensorMemory &memory, const TensorMemoryCopy &copy,
                       uint32_t address, const SharedView &shared,
                       uint64_t descriptor);

/// Where a narrow float is in the byte that an operand in tensor memory has for
/// each: the lowest bit. PTX ISA, "Packing formats of elements in Tensor and
/// Shared memory".
constexpr unsigned narrowFloatShift(unsigned bits) { return bits == 4 ? 2 : 0; }

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMEMORY_H
