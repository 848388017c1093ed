//===- RelaxStoreWaits.cpp - The wait for TMA's stores at a kernel's end --===//

#include "dialects/ttg/MemoryAccess.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_RELAXSTOREWAITS
#include "passes/Passes.h.inc"

static bool touchesGlobalMemory(Operation &op) {
  if (isMemoryEffectFree(&op))
    return false;
  return op.getNumRegions() != 0 || !isa<MemoryEffectOpInterface>(op) ||
         llvm::any_of(ttg::accessesOf(&op),
                      [](const ttg::MemoryAccess &access) {
                        return access.space == ttg::MemorySpace::Global;
                      });
}

/// Whether a thread that has come to `op` does nothing with global memory any
/// more.
static bool isLast(ttng::TMAStoreWaitOp op) {
  auto function = dyn_cast<tt::FuncOp>(op->getParentOp());
  Operation *end = op->getBlock()->getTerminator();
  return function && function.isPublic() && isa<tt::ReturnOp>(end) &&
         llvm::none_of(
             llvm::make_range(std::next(op->getIterator()), end->getIterator()),
             touchesGlobalMemory);
}

namespace {

struct RelaxStoreWaits
    : kernelscope::impl::RelaxStoreWaitsBase<RelaxStoreWaits> {
  void runOnOperation() override {
    getOperation().walk([](ttng::TMAStoreWaitOp op) {
      if (isLast(op))
        op.setReadOnly(true);
    });
  }
};

} // namespace
} // namespace kernelscope
