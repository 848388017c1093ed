//===- NamedBarriers.cpp - Barriers of some of a block's warps ------------===//
//
// To LLVM a named barrier is a variable in LDS, of which it makes a number; it
// takes no bytes. A wave joins it, signals with the number of its members, and
// waits at the one that it has joined (LLVM's AMDGPUUsage, "Barriers").
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/NamedBarriers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace kernelscope::lower {

static Value barrierVariable(Builder &b) {
  OpBuilder &builder = b.getBuilder();
  auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
  const std::string name =
      "named_barrier_" + std::to_string(b.getScope().barrier);
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMTargetExtType::get(builder.getContext(),
                                             "amdgcn.named.barrier", {}, {0});
    auto variable = LLVM::GlobalOp::create(
        builder, builder.getUnknownLoc(), type, /*isConstant=*/false,
        LLVM::Linkage::Internal, name,
        /*value=*/Attribute(), /*alignment=*/0, Shared);
    builder.createBlock(&variable.getInitializer());
    LLVM::ReturnOp::create(
        builder, b.getLoc(),
        LLVM::PoisonOp::create(builder, b.getLoc(), type).getResult());
  }
  return LLVM::AddressOfOp::create(builder, b.getLoc(), b.pointerType(Shared),
                                   name);
}

void namedBarrier(Builder &b) {
  /// What s_barrier_wait names the barrier that the wave has joined by.
  constexpr int64_t joined = 1;
  Value barrier = barrierVariable(b);
  b.intrinsic("llvm.amdgcn.s.barrier.join", {}, {barrier});
  b.intrinsic("llvm.amdgcn.s.barrier.signal.var", {},
              {barrier, b.i32(static_cast<int32_t>(b.getScope().warps))});
  b.intrinsic("llvm.amdgcn.s.barrier.wait", {},
              {b.intConstant(b.intType(16), joined)});
}

} // namespace kernelscope::lower
