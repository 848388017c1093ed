//===- RemoveProxyFences.cpp - Fences without an access to order ----------===//
//
// Whoever makes a product or a store by TMA puts a fence in front, before it is
// known how its operands get to shared memory. What TMA brings, and what
// cp.async brings for a matrix unit, needs none; what is written before a loop
// needs one in front of it. InsertProxyFences, which knows the places of
// buffers, adds those for memory that is used again.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/Passes.h"
#include "passes/memory/Buffers.h"
#include "passes/memory/ProxyAccess.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

namespace kernelscope {
#define GEN_PASS_DEF_REMOVEPROXYFENCES
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// An op's access to a buffer.
struct BufferAccess : ProxyAccess {
  Operation *op;
};

class FenceSearch {
public:
  explicit FenceSearch(FunctionOpInterface function)
      : function(function), buffers(function) {
    function->walk([&](Operation *op) { collect(op); });
  }

  /// Erases the fences that nothing needs.
  void run() {
    if (fences.empty())
      return;
    llvm::SmallPtrSet<Operation *, 8> needed;
    for (auto &[buffer, accesses] : accessesOf)
      for (auto [index, next] : llvm::enumerate(accesses)) {
        SmallVector<Operation *> before;
        for (auto [other, access] : llvm::enumerate(accesses))
          if (access.needsFenceBefore(next) &&
              (other < index || areRepeated(access.op, next.op)))
            before.push_back(access.op);
        if (!before.empty())
          needed.insert(fenceBefore(hoisted(next.op, before), before));
      }
    for (Operation *fence : fences)
      if (!needed.contains(fence))
        fence->erase();
  }

private:
  void collect(Operation *op) {
    if (isa<ttng::FenceAsyncSharedOp>(op))
      fences.push_back(op);
    // Until it has a place, a buffer that is written once counts as a value.
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc()) {
      for (const Buffers::Buffer *buffer : buffers.buffersOf(alloc))
        accessesOf[buffer].push_back({ProxyAccess{/*isWrite=*/true}, op});
      return;
    }
    for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
      if (std::optional<ProxyAccess> found = ProxyAccess::of(access))
        for (const Buffers::Buffer *buffer : buffers.buffersOf(access.memory))
          accessesOf[buffer].push_back({*found, op});
  }

  /// Whether `first`, which the text has after `second`, may run before it.
  bool areRepeated(Operation *first, Operation *second) {
    if (!function.getFunctionBody().hasOneBlock())
      return true;
    for (Operation *around = second; around != function;
         around = around->getParentOp())
      if (isa<LoopLikeOpInterface>(around) && around->isAncestor(first))
        return true;
    return false;
  }

  /// The outermost loop around `op` without any of `before`, or `op`.
  Operation *hoisted(Operation *op, ArrayRef<Operation *> before) const {
    Operation *found = op;
    for (Operation *around = op->getParentOp(); around != function;
         around = around->getParentOp()) {
      if (llvm::any_of(before, [&](Operation *other) {
            return around->isProperAncestor(other);
          }))
        break;
      if (isa<LoopLikeOpInterface>(around))
        found = around;
    }
    return found;
  }

  /// The first fence after `before` and in front of `op`; a new one if there is
  /// none.
  Operation *fenceBefore(Operation *op, ArrayRef<Operation *> before) {
    auto isBefore = [&](Operation *other) {
      return llvm::any_of(
          before, [&](Operation *access) { return other->isAncestor(access); });
    };
    Operation *fence = nullptr;
    for (Operation *around = op; around != function;
         around = around->getParentOp()) {
      // What comes after it in a loop is before it, too.
      if (around != op && isBefore(around))
        break;
      Operation *prev = around->getPrevNode();
      for (; prev && !isBefore(prev); prev = prev->getPrevNode())
        if (isa<ttng::FenceAsyncSharedOp>(prev))
          fence = prev;
      if (prev)
        break;
    }
    if (fence)
      return fence;
    OpBuilder b(op);
    return ttng::FenceAsyncSharedOp::create(b, op->getLoc(),
                                            /*bCluster=*/false);
  }

  FunctionOpInterface function;
  Buffers buffers;
  SmallVector<Operation *> fences;
  llvm::MapVector<const Buffers::Buffer *, SmallVector<BufferAccess>>
      accessesOf;
};

struct RemoveProxyFences
    : kernelscope::impl::RemoveProxyFencesBase<RemoveProxyFences> {
  using RemoveProxyFencesBase::RemoveProxyFencesBase;

  void runOnOperation() override {
    getOperation().walk([](FunctionOpInterface function) {
      bool hasCalls =
          function
              ->walk([](CallOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
      // Whom a function shares memory with is not seen here.
      if (function.isPublic() && !function.isExternal() && !hasCalls)
        FenceSearch(function).run();
    });
  }
};

} // namespace
