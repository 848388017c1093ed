//===- AllocateTensorMemory.cpp - Columns for each buffer -----------------===//

#include "passes/Passes.h"
#include "passes/memory/Allocation.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ALLOCATETENSORMEMORY
#include "passes/Passes.h.inc"

namespace {

/// Of an SM (PTX ISA, "Tensor Memory").
constexpr unsigned columns = 512;

struct AllocateTensorMemory
    : impl::AllocateTensorMemoryBase<AllocateTensorMemory> {
  void runOnOperation() override {
    if (failed(memory::allocate(getOperation(), ttg::MemorySpace::Tensor,
                                columns)))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
