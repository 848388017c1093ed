//===- AsyncProducts.cpp - Products that exits of regions commit ----------===//

#include "passes/nvws/AsyncProducts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/nvws/Handing.h"

using namespace mlir;
using namespace kernelscope;

static bool isHandedOut(Value memory) {
  Operation *giver = nvws::rootOf(memory).getDefiningOp();
  return isa_and_nonnull<nvws::ArefPutEnterOp, nvws::ArefGetEnterOp,
                         nvws::ArefBufferOp>(giver);
}

/// Calls `fn` for each op that accesses buffers that `givers` hand out.
static void forEachGivenAccess(ArrayRef<Operation *> givers,
                               function_ref<void(Operation *)> fn) {
  for (Operation *giver : givers)
    for (Value buffer : giver->getResults())
      if (isa<ttg::MemDescType>(buffer.getType()))
        nvws::forEachAccess(buffer, fn);
}

/// Makes what threads have stored to `operand` before the loop visible to
/// tensor cores, once.
static void fenceAfterStore(Value operand) {
  auto alloc = nvws::rootOf(operand).getDefiningOp<ttg::LocalAllocOp>();
  if (!alloc || !alloc.getSrc() ||
      isa<ttng::FenceAsyncSharedOp>(alloc->getNextNode()))
    return;
  OpBuilder b(alloc->getContext());
  b.setInsertionPointAfter(alloc);
  auto fence =
      ttng::FenceAsyncSharedOp::create(b, alloc.getLoc(), /*bCluster=*/false);
  nvws::copyMarks(alloc, fence);
}

void nvws::markAsyncProducts(ArrayRef<Operation *> givers) {
  SmallVector<DenseI32ArrayAttr> readers;
  forEachGivenAccess(givers, [&](Operation *op) {
    if (isa<ttng::TMEMLoadOp>(op))
      readers.push_back(nvws::partitionOf(op));
  });
  auto isFixed = [](Value operand) {
    Operation *made = nvws::rootOf(operand).getDefiningOp();
    return isHandedOut(operand) || (isa_and_nonnull<ttg::LocalAllocOp>(made) &&
                                    !nvws::partitionOf(made));
  };
  forEachGivenAccess(givers, [&](Operation *op) {
    auto mark = [&](auto product) {
      if (product && isHandedOut(product.getD()) && isFixed(product.getA()) &&
          isFixed(product.getB()) &&
          !llvm::is_contained(readers, nvws::partitionOf(op)))
        product.setIsAsync(true);
      if (product)
        for (Value operand : {product.getA(), product.getB()})
          fenceAfterStore(operand);
    };
    mark(dyn_cast<ttng::TCGen5MMAOp>(op));
    mark(dyn_cast<ttng::TCGen5MMAScaledOp>(op));
  });
}

bool nvws::areProductsDoneAtOnce(ArrayRef<Operation *> givers) {
  bool isAsync = false, found = false;
  forEachGivenAccess(givers, [&](Operation *op) {
    auto look = [&](auto product) {
      found |= bool(product);
      isAsync |= product && product.getIsAsync();
    };
    look(dyn_cast<ttng::TCGen5MMAOp>(op));
    look(dyn_cast<ttng::TCGen5MMAScaledOp>(op));
  });
  return found && !isAsync;
}
