//===- Chains.h - Who counts the stages of a reference ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_CHAINS_H
#define KERNELSCOPE_PASSES_NVWS_CHAINS_H

#include "dialects/nvws/Owners.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::nvws {

/// One owner's regions on one side of a reference, in its order.
struct Chain {
  ArefCreateOp aref;
  Owner owner;
  bool isPut;
  llvm::SmallVector<mlir::Operation *> enters;

  int32_t depth();
};

/// Whether a region has no stage and phase, or constants, which hold where
/// counting gives the same.
template <typename Op> bool isCounted(Op op) {
  auto isConstant = [](mlir::Value value) {
    return !value || tt::constantOf(value).has_value();
  };
  if constexpr (requires { op.getPhase(); })
    if (!isConstant(op.getPhase()))
      return false;
  return isConstant(op.getStage());
}

/// The chains of all references with regions whose stages are to be counted.
std::vector<Chain> findChains(mlir::ModuleOp module);

/// All tokens that may come from an enter of `chains`.
llvm::DenseSet<mlir::Value> followTokens(llvm::ArrayRef<Chain> chains);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_CHAINS_H
