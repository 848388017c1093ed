//===- AllocateSharedMemory.cpp - Bytes for each buffer and scratch -------===//

#include "dialects/ttg/TTG.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"
#include "passes/memory/LaunchControl.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "passes/Passes.h.inc"

namespace {

struct AllocateSharedMemory
    : impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  using AllocateSharedMemoryBase::AllocateSharedMemoryBase;

  void runOnOperation() override {
    unsigned maxBytes = 0;
    std::string chip;
    if (!arch.empty() || ttg::lookupTarget(getOperation())) {
      FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
      if (failed(target))
        return signalPassFailure();
      maxBytes = target->maxSharedBytes;
      chip = target->arch;
    }
    if (failed(checkLayouts(getOperation())))
      return signalPassFailure();
    memory::awaitLaunchControl(getOperation());
    if (failed(memory::allocate(
            getOperation(), ttg::MemorySpace::Shared,
            {maxBytes, chip, getOperation()->hasAttr(ownLayoutsName)})))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
