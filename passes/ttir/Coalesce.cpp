//===- Coalesce.cpp - Layouts in which memory is accessed well ------------===//

#include "passes/ttir/Coalesce.h"
#include "dialects/tt/TT.h"
#include "passes/analysis/AxisInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttir;

namespace {
/// An access, as its pointers show it.
struct Access {
  Operation *op;
  RankedTensorType pointers;
  /// Dimensions from the most contiguous to the least.
  SmallVector<unsigned> order;
  /// Neighbours that one access of at most 128 bits may take.
  unsigned width;
};
} // namespace

static Value pointersOf(Operation *op) {
  if (!isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return {};
  Value pointers = op->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(pointers.getType());
  return type && type.getRank() > 0 ? pointers : Value();
}

static Access describe(Operation *op, Value pointers,
                       const AxisInfoAnalysis &axes) {
  auto type = cast<RankedTensorType>(pointers.getType());
  AxisInfo info = axes.get(pointers);
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  // Of dimensions alike, the later is the faster, as tensors are usually laid.
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(info[a].contiguity, a) > std::pair(info[b].contiguity, b);
  });
  unsigned bits = std::max(8u, tt::getPointeeBitWidth(type));
  int64_t width = std::min<int64_t>(
      axes.accessElements(pointers, order[0], bits), std::max(1u, 128 / bits));
  return {op, type, order, unsigned(width)};
}

llvm::MapVector<Operation *, Attribute>
ttir::chooseAccessLayouts(Operation *root, const ThreadCounts &threads) {
  AxisInfoAnalysis axes(root);
  SmallVector<Access> accesses;
  root->walk([&](Operation *op) {
    if (Value pointers = pointersOf(op))
      accesses.push_back(describe(op, pointers, axes));
  });

  llvm::MapVector<Operation *, Attribute> layouts;
  for (const Access &access : accesses) {
    unsigned perThread = access.width;
    if (isa<tt::LoadOp>(access.op))
      for (const Access &other : accesses)
        if (other.order == access.order &&
            other.pointers.getShape() == access.pointers.getShape())
          perThread = std::max(perThread, other.width);
    int64_t threadCount = int64_t(threads.warps) * threads.threadsPerWarp;
    int64_t share =
        std::max<int64_t>(1, access.pointers.getNumElements() / threadCount);
    perThread = std::min<int64_t>(perThread, share);
    layouts[access.op] =
        blockedLayout(access.pointers, access.order, perThread, threads);
  }
  return layouts;
}
