//===- Coalesce.cpp - Layouts in which memory is accessed well ------------===//

#include "passes/ttgir/Coalesce.h"
#include "dialects/tt/TT.h"
#include "passes/analysis/AxisInfo.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

namespace {
/// An access, as its pointers show it.
struct Access {
  Operation *op;
  RankedTensorType pointers;
  /// Dimensions from the most contiguous to the least.
  SmallVector<unsigned> order;
  /// Neighbours that one access of at most 128 bits may take.
  unsigned width;
  bool isLoad;
};
} // namespace

static std::optional<Access> describe(tt::GlobalAccessOpInterface op,
                                      const AxisInfoAnalysis &axes) {
  tt::GlobalAccess access = op.getGlobalAccess();
  auto type = dyn_cast<RankedTensorType>(access.addresses.getType());
  if (access.base || !type || type.getRank() == 0 || !hasWorkingLayout(op))
    return std::nullopt;
  AxisInfo info = axes.get(access.addresses);
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  // Of dimensions alike, the later is the faster, as tensors are usually laid.
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(info[a].contiguity, a) > std::pair(info[b].contiguity, b);
  });
  unsigned bits = access.elementBits();
  int64_t width =
      std::min<int64_t>(axes.accessElements(access.addresses, order[0], bits),
                        std::max(1u, 128 / bits));
  return Access{op, type, order, unsigned(width),
                access.reads && !access.isAtomic};
}

llvm::MapVector<Operation *, Attribute>
ttgir::chooseAccessLayouts(Operation *root, const AxisInfoAnalysis &axes,
                           const ThreadCounts &threads) {
  SmallVector<Access> accesses;
  root->walk([&](tt::GlobalAccessOpInterface op) {
    if (std::optional<Access> access = describe(op, axes))
      accesses.push_back(*access);
  });

  llvm::MapVector<Operation *, Attribute> layouts;
  for (const Access &access : accesses) {
    unsigned perThread = access.width;
    if (access.isLoad)
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

std::optional<ttgir::BlockedLoad> ttgir::asBlockedLoad(Operation *op,
                                                       Attribute layout) {
  auto load = dyn_cast<tt::LoadOp>(op);
  auto type =
      load ? dyn_cast<RankedTensorType>(load.getType()) : RankedTensorType();
  auto blocked = dyn_cast_or_null<ttg::BlockedEncodingAttr>(layout);
  if (!type || !blocked)
    return std::nullopt;
  return BlockedLoad{load, type, blocked};
}
