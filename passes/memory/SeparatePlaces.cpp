//===- SeparatePlaces.cpp - Buffers that need not wait for each other -----===//
//
// A buffer that takes the place of one whose threads may not be done with it
// needs a barrier. Within the memory that a function takes anyway, buffers move
// to where that happens least: two places in turn, say, if each exchange of
// data has a barrier of its own in the middle.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/memory/Buffers.h"
#include "passes/memory/ThreadAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

namespace {

using Buffer = Buffers::Buffer;

/// Where all warps are sure to meet, wherever buffers are, and the loops, as
/// positions of ops in a function.
struct Meetings {
  SmallVector<unsigned> positions; // ascending
  SmallVector<Interval> loops;     // the outer ones first

  bool isBetween(unsigned after, unsigned before) const {
    auto next = llvm::upper_bound(positions, after);
    return next != positions.end() && *next < before;
  }

  /// Whether `next`, in the place of `last`, needs a barrier in front.
  bool isNeeded(const Interval &last, const Interval &next) const {
    if (last.end <= next.begin && !isBetween(last.end, next.begin))
      return true;
    for (const Interval &loop : llvm::reverse(loops))
      if (loop.begin < std::min(last.begin, next.begin) &&
          std::max(last.end, next.end) < loop.end)
        return next.end <= last.begin && !isBetween(last.end, loop.end) &&
               !isBetween(loop.begin, next.begin);
    return false;
  }

  /// How much more a barrier at `time` costs than one outside of loops.
  unsigned weightAt(const Interval &time) const {
    unsigned weight = 1;
    for (const Interval &loop : loops)
      if (loop.begin < time.begin && time.end < loop.end && weight < 64)
        weight *= 4;
    return weight;
  }
};

} // namespace

/// What barriers cost that `buffer` needs at `place`, and others because of it.
static unsigned costAt(Interval place, const Buffer &buffer,
                       ArrayRef<Buffer *> others, const Meetings &meetings) {
  unsigned before = 0, after = 0;
  for (const Buffer *other : others) {
    if (other == &buffer || !other->place.overlaps(place))
      continue;
    if (meetings.isNeeded(other->lifetime, buffer.lifetime))
      before = meetings.weightAt(buffer.lifetime);
    if (meetings.isNeeded(buffer.lifetime, other->lifetime))
      after += meetings.weightAt(other->lifetime);
  }
  return before + after;
}

/// Moves `buffer` to the place in [begin, end) at which it costs least.
static void moveApart(Buffer &buffer, ArrayRef<Buffer *> all, unsigned begin,
                      unsigned end, const Meetings &meetings) {
  unsigned least = costAt(buffer.place, buffer, all, meetings);
  if (!least)
    return;
  SmallVector<unsigned> candidates{begin};
  for (const Buffer *other : all) {
    candidates.push_back(other->place.begin);
    candidates.push_back(other->place.end);
  }
  for (unsigned &candidate : candidates)
    candidate = llvm::alignTo(candidate, buffer.alignment);
  llvm::sort(candidates);
  candidates.erase(llvm::unique(candidates), candidates.end());
  for (unsigned candidate : candidates) {
    const Interval place{candidate, candidate + buffer.size};
    auto isTaken = [&](const Buffer *other) {
      return other != &buffer && other->livesWith(buffer) &&
             other->place.overlaps(place);
    };
    if (place.end > end || llvm::any_of(all, isTaken))
      continue;
    const unsigned cost = costAt(place, buffer, all, meetings);
    if (cost < least) {
      least = cost;
      buffer.place = place;
    }
  }
}

void Buffers::separatePlaces(FunctionOpInterface function, unsigned begin,
                             unsigned end) {
  SmallVector<Buffer *> inOrder; // as their owners are in the text
  for (Buffer &buffer : buffers)
    if (buffer.space == MemorySpace::Shared)
      inOrder.push_back(&buffer);
  // Of more, each pair would be compared for each place.
  constexpr size_t most = 256;
  if (inOrder.size() < 2 || inOrder.size() > most || !goesForward)
    return;
  Meetings meetings;
  DenseMap<const Buffer *, unsigned> written; // and not read yet: when
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const Interval time = times.lookup(op);
    bool isMeeting =
        publishes(op) || ttg::ordersThreads(op, MemorySpace::Shared) ||
        (scratchOf(op) && !cast<ttg::ScratchOpInterface>(op).withinWarps());
    for (const LocatedAccess &located : threadAccessesOf(op, *this)) {
      if (located.access.kind != ThreadAccess::Data || !located.access.isDone())
        continue;
      for (const Buffer *buffer : buffersOf(located.memory)) {
        auto last = written.find(buffer);
        if (located.access.isWrite) {
          written[buffer] = time.begin;
        } else if (last != written.end()) {
          isMeeting |= !meetings.isBetween(last->second, time.begin);
          written.erase(last);
        }
      }
    }
    if (isa<LoopLikeOpInterface>(op))
      meetings.loops.push_back(time);
    if (isMeeting)
      meetings.positions.push_back(time.begin);
  });
  for (Buffer *buffer : inOrder)
    if (!buffer->partition)
      moveApart(*buffer, inOrder, begin, end, meetings);
}
