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

/// Where all warps meet, wherever buffers are, and the loops, as positions of
/// ops in a function.
struct Meetings {
  /// Whether they are sure to meet there, or only may.
  bool areSure;
  SmallVector<unsigned> positions; // ascending
  SmallVector<Interval> loops;     // the outer ones first

  /// A loop that both times are outside of may not run at all, so that none
  /// there is sure.
  bool isBetween(unsigned after, unsigned before) const {
    auto next = llvm::upper_bound(positions, after);
    while (next != positions.end() && *next < before) {
      auto around = llvm::find_if(loops, [&](const Interval &loop) {
        return areSure && loop.begin < *next && *next < loop.end &&
               after <= loop.begin && loop.end <= before;
      });
      if (around == loops.end())
        return true;
      next = llvm::lower_bound(positions, around->end);
    }
    return false;
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

  /// Whether a buffer that lives at `time` in a loop needs a barrier in front
  /// because of what it was in the iteration before.
  bool isNeededByItself(const Interval &time) const {
    for (const Interval &loop : llvm::reverse(loops))
      if (loop.begin < time.begin && time.end < loop.end)
        return !isBetween(time.end, loop.end) &&
               !isBetween(loop.begin, time.begin);
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

/// What barriers cost that `buffer` needs at `place`, and because of it
/// `others`, except those that are `ordered` anyway.
static unsigned costAt(Interval place, const Buffer &buffer,
                       ArrayRef<Buffer *> others,
                       const SmallPtrSetImpl<const Buffer *> &ordered,
                       const Meetings &meetings) {
  unsigned before = 0, after = 0;
  for (const Buffer *other : others) {
    if (other == &buffer || !other->place.overlaps(place))
      continue;
    if (!ordered.contains(&buffer) &&
        meetings.isNeeded(other->lifetime, buffer.lifetime))
      before = meetings.weightAt(buffer.lifetime);
    if (!ordered.contains(other) &&
        meetings.isNeeded(buffer.lifetime, other->lifetime))
      after += meetings.weightAt(other->lifetime);
  }
  return before + after;
}

/// Those of `all` that are sure to need a barrier in front wherever `buffer`
/// is: at all meetings that there may be, threads do not meet between.
static SmallPtrSet<const Buffer *, 8> orderedWithout(const Buffer &buffer,
                                                     ArrayRef<Buffer *> all,
                                                     const Meetings &possible) {
  SmallPtrSet<const Buffer *, 8> ordered;
  for (const Buffer *next : all)
    if (possible.isNeededByItself(next->lifetime) ||
        (next != &buffer && llvm::any_of(all, [&](const Buffer *last) {
           return last != &buffer && last != next &&
                  last->place.overlaps(next->place) &&
                  possible.isNeeded(last->lifetime, next->lifetime);
         })))
      ordered.insert(next);
  return ordered;
}

/// Moves `buffer` to the place in [begin, end) at which it costs least.
static void moveApart(Buffer &buffer, ArrayRef<Buffer *> all, unsigned begin,
                      unsigned end, const Meetings &meetings,
                      const Meetings &possible) {
  if (!costAt(buffer.place, buffer, all, SmallPtrSet<const Buffer *, 0>(),
              meetings))
    return;
  const auto ordered = orderedWithout(buffer, all, possible);
  unsigned least = costAt(buffer.place, buffer, all, ordered, meetings);
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
    const unsigned cost = costAt(place, buffer, all, ordered, meetings);
    if (cost < least) {
      least = cost;
      buffer.place = place;
    }
  }
}

unsigned Buffers::separatePlaces(FunctionOpInterface function, unsigned begin,
                                 unsigned end) {
  SmallVector<Buffer *> inOrder; // as their owners are in the text
  for (Buffer &buffer : buffers)
    if (buffer.space == MemorySpace::Shared)
      inOrder.push_back(&buffer);
  auto endOfAll = [&] {
    unsigned last = begin;
    for (const Buffer *buffer : inOrder)
      last = std::max(last, buffer->place.end);
    return last;
  };
  // Of more, each pair would be compared for each place.
  constexpr size_t most = 256;
  if (inOrder.size() < 2 || inOrder.size() > most || !goesForward)
    return endOfAll();
  Meetings meetings{/*areSure=*/true, {}, {}},
      possible{/*areSure=*/false, {}, {}};
  DenseMap<const Buffer *, unsigned> written; // and not read yet: when
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const Interval time = times.lookup(op);
    bool isMeeting =
        publishes(op) || ttg::ordersThreads(op, MemorySpace::Shared) ||
        (scratchOf(op) && !cast<ttg::ScratchOpInterface>(op).withinWarps());
    // One that writes memory again may need a barrier in front.
    bool mayMeet = false;
    for (const LocatedAccess &located : threadAccessesOf(op, *this)) {
      mayMeet |= located.access.isWrite && !isa<ttg::AllocOpInterface>(op);
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
    if (isMeeting || mayMeet)
      possible.positions.push_back(time.begin);
  });
  possible.loops = meetings.loops;
  // Once more where others were in the way that have moved since.
  for (unsigned pass = 0; pass < 2; ++pass)
    for (Buffer *buffer : inOrder)
      if (!buffer->partition)
        moveApart(*buffer, inOrder, begin, end, meetings, possible);
  return endOfAll();
}
