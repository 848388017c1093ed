//===- InsertBarriers.cpp - Order between threads in shared memory --------===//
//
// Walks each function in order of execution with the shared memory that threads
// may still be reading or writing since the last barrier. An op that would
// write what is read, or touch what is written, gets a barrier in front.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/lower/SharedBuffers.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A set of ranges of shared memory; small.
class Ranges {
public:
  void add(Range range) {
    if (!llvm::is_contained(ranges, range))
      ranges.push_back(range);
  }
  void add(const Ranges &other) {
    for (const Range &range : other.ranges)
      add(range);
  }
  bool overlaps(const Ranges &other) const {
    return llvm::any_of(ranges, [&](const Range &a) {
      return llvm::any_of(other.ranges,
                          [&](const Range &b) { return a.overlaps(b); });
    });
  }
  size_t size() const { return ranges.size(); }

private:
  SmallVector<Range, 4> ranges;
};

/// What threads may be doing to shared memory since the last barrier, or what
/// one op does.
struct Accesses {
  Ranges reads, writes;
  /// Writes that the copy engine does: of two, a barrier orders neither.
  Ranges copies;

  void add(const Accesses &other) {
    reads.add(other.reads);
    writes.add(other.writes);
    copies.add(other.copies);
  }
  /// True if `next` must wait for these.
  bool conflictsWith(const Accesses &next) const {
    return writes.overlaps(next.reads) || writes.overlaps(next.writes) ||
           writes.overlaps(next.copies) || copies.overlaps(next.reads) ||
           copies.overlaps(next.writes) || reads.overlaps(next.writes) ||
           reads.overlaps(next.copies);
  }
  size_t size() const { return reads.size() + writes.size() + copies.size(); }
};

class BarrierInserter {
public:
  explicit BarrierInserter(FunctionOpInterface function) : buffers(function) {
    buffers.readPlaces();
    visit(function.getFunctionBody(), {});
  }

private:
  /// Gives what is pending at the end of the region.
  Accesses visit(Region &region, const Accesses &before) {
    // States only grow until nothing changes; barriers, once needed, stay so.
    std::map<Block *, Accesses> atStart;
    Accesses atEnd;
    SmallVector<Block *> work;
    if (!region.empty()) {
      atStart[&region.front()] = before;
      work.push_back(&region.front());
    }
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      Accesses pending = atStart[block];
      for (Operation &op : llvm::make_early_inc_range(*block))
        visit(&op, pending);
      if (block->getNumSuccessors() == 0)
        atEnd.add(pending);
      for (Block *successor : block->getSuccessors()) {
        auto [start, isNew] = atStart.try_emplace(successor);
        size_t known = start->second.size();
        start->second.add(pending);
        if (isNew || start->second.size() != known)
          work.push_back(successor);
      }
    }
    return atEnd;
  }

  void visit(Operation *op, Accesses &pending) {
    bool isBarrier = isa<gpu::BarrierOp>(op);
    if (auto barrier = dyn_cast<ttg::BarrierOp>(op))
      isBarrier = barrier.hasLocal();
    if (isBarrier) {
      pending = {};
      return;
    }
    // A wait is for this thread's own copies: others' need a barrier as well.
    if (op->hasTrait<ttg::MemWaitTrait>()) {
      insertAfter(op);
      pending = {};
      return;
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      visit(specialize.getDefaultRegion(), {});
      for (Region *region : specialize.getPartitionRegions())
        visit(*region, {});
      pending = {};
      return;
    }
    if (op->getNumRegions() && !buffers.scratchOf(op)) {
      visitRegions(op, pending);
      return;
    }

    Accesses accesses = accessesOf(op);
    const SharedBuffers::Buffer *scratch = buffers.scratchOf(op);
    if (scratch)
      accesses.writes.add(scratch->place);
    if (pending.conflictsWith(accesses)) {
      OpBuilder builder(op);
      insert(builder, op->getLoc());
      pending = {};
    }
    pending.add(accesses);
    if (scratch) {
      // The op has a barrier between its stores and its loads.
      pending = {};
      pending.reads.add(scratch->place);
    }
  }

  void visitRegions(Operation *op, Accesses &pending) {
    bool isLoop = isa<LoopLikeOpInterface>(op);
    Accesses before = pending;
    size_t known = 0;
    do {
      known = pending.size();
      Accesses start = isLoop ? pending : before;
      for (Region &region : op->getRegions()) {
        Accesses end = visit(region, start);
        pending.add(end);
        if (isLoop)
          start.add(end);
      }
    } while (isLoop && pending.size() != known);
  }

  Accesses accessesOf(Operation *op) {
    Accesses accesses;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return accesses;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances) {
      Value memory = instance.getValue();
      if (!memory || !isa<ttg::MemDescType>(memory.getType()))
        continue;
      for (const SharedBuffers::Buffer *buffer : buffers.buffersOf(memory)) {
        if (isa<MemoryEffects::Read>(instance.getEffect()))
          accesses.reads.add(buffer->place);
        else if (isa<MemoryEffects::Write>(instance.getEffect()))
          (isa<ttg::AsyncCopyGlobalToLocalOp>(op) ? accesses.copies
                                                  : accesses.writes)
              .add(buffer->place);
      }
    }
    return accesses;
  }

  static void insert(OpBuilder &builder, Location loc) {
    ttg::BarrierOp::create(builder, loc, ttg::AddrSpace::Local);
  }
  static void insertAfter(Operation *op) {
    Operation *next = op->getNextNode();
    if (isa_and_nonnull<ttg::BarrierOp, gpu::BarrierOp>(next) ||
        (next && next->hasTrait<ttg::MemWaitTrait>()))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    insert(builder, op->getLoc());
  }

  SharedBuffers buffers;
};

} // namespace

void lower::insertBarriers(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal())
      BarrierInserter inserter(function);
}
