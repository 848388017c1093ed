//===- SelectKernel.cpp - One kernel of a module --------------------------===//

#include "dialects/tt/TT.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_SELECTKERNEL
#include "passes/Passes.h.inc"

namespace {

struct SelectKernel : impl::SelectKernelBase<SelectKernel> {
  using SelectKernelBase::SelectKernelBase;

  void runOnOperation() override {
    if (failed(select(getOperation())))
      signalPassFailure();
  }

  LogicalResult select(ModuleOp module) {
    SmallVector<tt::FuncOp> kernels;
    for (auto function : module.getOps<tt::FuncOp>())
      if (function.isPublic())
        kernels.push_back(function);
    if (kernels.empty())
      return module.emitError()
             << "the module has no kernel; a kernel is a `tt.func public`";
    if (kernel.empty())
      return success();
    auto isWanted = [&](tt::FuncOp f) { return f.getName() == kernel; };
    if (llvm::none_of(kernels, isWanted))
      return module.emitError()
             << "the module has no kernel '" << kernel << "'; it has "
             << llvm::join(llvm::map_range(
                               kernels,
                               [](tt::FuncOp f) { return f.getName().str(); }),
                           ", ");
    for (tt::FuncOp other : kernels)
      if (!isWanted(other))
        other.erase();
    return success();
  }
};

} // namespace
} // namespace kernelscope
