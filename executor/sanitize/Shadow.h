//===- Shadow.h - Who accessed which bytes ----------------------*- C++ -*-===//
//
// For each allocation of shared and tensor memory, the last write and the reads
// since, by bytes: a part of a buffer, an element of a ring and a view with
// another type are distinct or overlap as they do in memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_SHADOW_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_SHADOW_H

#include "dialects/ttg/MemoryAccess.h"
#include "executor/sanitize/Knowledge.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>

namespace kernelscope::executor::sanitize {

/// Bytes from `begin` up to `end`, relative to something.
struct Piece {
  int64_t begin, end;
};

/// Bytes of memory: pieces in ascending order that do not overlap.
struct Region {
  const char *base;
  llvm::ArrayRef<Piece> pieces;
};

/// The pieces that a strided view of `shape` touches, from its first element.
llvm::SmallVector<Piece, 4> piecesOf(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<int64_t> strides,
                                     int64_t elementBytes);

/// One access that was made, or is in flight.
struct Access {
  mlir::Operation *op = nullptr;
  Moment moment;
  ttg::Proxy proxy = ttg::Proxy::Generic;
  /// It is done at some time after its issue.
  bool isAsync = false;
  /// What initialised the barrier that its end signals, if there is one.
  mlir::Operation *barrier = nullptr;
  bool isAtomic = false;
  uint16_t cta = 0; ///< whose access it is
  /// Of a write that each CTA which holds the elements makes, which run of its
  /// op it is, from 1 on; 0 for other accesses.
  uint32_t copy = 0;
};

/// Whether nothing need order the two: both are atomic, or they write the same
/// values.
inline bool mayMeet(const Access &a, const Access &b) {
  return (a.isAtomic && b.isAtomic) ||
         (a.copy && a.copy == b.copy && a.op == b.op);
}

/// Bytes with the same history.
struct Segment {
  Piece bytes;
  Access write;
  /// Earlier writes that may overlap it and that nothing orders before it.
  llvm::SmallVector<Access, 0> others;
  llvm::SmallVector<Access, 2> reads; ///< since that write
  bool isInitialized = false;
};

/// A buffer that an op has allocated.
struct Allocation {
  const char *base;
  int64_t size;
  ttg::MemorySpace space;
  mlir::Operation *op;
  unsigned cta = 0; ///< whose memory it is in
  /// Where the compiler has put it in that; none when it has not.
  std::optional<Piece> place = std::nullopt;
  mlir::Operation *freedBy = nullptr;
  /// In order; they cover all bytes.
  std::vector<Segment> segments = {};

  /// Calls `fn` for each segment of `piece`, split so that none reaches
  /// outside.
  void forEach(Piece piece, llvm::function_ref<void(Segment &)> fn);
  /// `piece` becomes one segment with this write, by someone who knows this.
  void recordWrite(Piece piece, const Access &write, const Clock &known);

private:
  /// The index of the segment that begins at `at`, which is made.
  size_t splitAt(int64_t at);
};

/// The allocations of a program.
class Shadow {
public:
  /// Memory that is allocated again keeps its accesses: the new life of a
  /// buffer is at the place of the last one.
  void allocate(Allocation made);
  /// The allocation that `at` is in; null for memory that is none.
  Allocation *find(const char *at);
  /// Other buffers of the function that the compiler has put where `made` is.
  llvm::SmallVector<Allocation *, 2> atPlaceOf(const Allocation &made);
  void clear() { allocations.clear(); }

private:
  std::map<const char *, Allocation> allocations;
};

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_SHADOW_H
