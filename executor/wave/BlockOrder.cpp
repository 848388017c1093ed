//===- BlockOrder.cpp - Where diverged lanes reconverge -------------------===//
//
// A topological order in which each loop is one node, and in it the order of
// its own blocks.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/BlockOrder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace kernelscope::wave {

namespace {
class Orderer {
public:
  Orderer(const LoopInfo &loops, std::vector<BasicBlock *> &order)
      : loops(loops), order(order) {}

  /// Appends the blocks of `region`, or of all that is in no loop, that can be
  /// reached from `entry`.
  void appendRegion(const Loop *region, BasicBlock *entry) {
    // Depth first, without recursion over blocks; what ends first comes last.
    SmallPtrSet<BasicBlock *, 32> seen;
    std::vector<BasicBlock *> ended;
    struct Open {
      BasicBlock *node;
      SmallVector<BasicBlock *, 8> successors;
    };
    std::vector<Open> stack;
    auto open = [&](BasicBlock *block) {
      BasicBlock *node = nodeOf(region, block);
      if (node && seen.insert(node).second)
        stack.push_back({node, successorsOf(region, node)});
    };
    open(entry);
    while (!stack.empty()) {
      if (stack.back().successors.empty()) {
        ended.push_back(stack.back().node);
        stack.pop_back();
        continue;
      }
      BasicBlock *next = stack.back().successors.pop_back_val();
      open(next);
    }
    for (BasicBlock *node : llvm::reverse(ended)) {
      const Loop *inner = childOf(region, node);
      if (inner)
        appendRegion(inner, node);
      else
        order.push_back(node);
    }
  }

private:
  /// The loop directly inside `region` that `block` is in; none if it is in
  /// the region itself.
  const Loop *childOf(const Loop *region, const BasicBlock *block) const {
    const Loop *inner = loops.getLoopFor(block);
    if (inner == region)
      return nullptr;
    while (inner && inner->getParentLoop() != region)
      inner = inner->getParentLoop();
    return inner;
  }
  /// The block that stands for `block` in `region`: itself, or the header of
  /// the loop inside the region that it is in; none outside of the region.
  BasicBlock *nodeOf(const Loop *region, BasicBlock *block) const {
    if (region && !region->contains(block))
      return nullptr;
    const Loop *inner = childOf(region, block);
    return inner ? inner->getHeader() : block;
  }
  SmallVector<BasicBlock *, 8> successorsOf(const Loop *region,
                                            BasicBlock *node) const {
    SmallVector<BasicBlock *, 8> found;
    if (const Loop *inner = childOf(region, node))
      inner->getExitBlocks(found);
    else
      append_range(found, successors(node));
    return found;
  }

  const LoopInfo &loops;
  std::vector<BasicBlock *> &order;
};
} // namespace

std::vector<BasicBlock *> orderBlocks(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  std::vector<BasicBlock *> order;
  Orderer(loops, order).appendRegion(nullptr, &function.getEntryBlock());
  return order;
}

} // namespace kernelscope::wave
