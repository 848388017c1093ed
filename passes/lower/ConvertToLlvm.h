//===- ConvertToLlvm.h - TTGIR to the LLVM dialect --------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_CONVERTTOLLVM_H
#define KERNELSCOPE_PASSES_LOWER_CONVERTTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Target.h"

namespace kernelscope {

/// Checks that the module says how it is launched and that this is possible on
/// `target`: `ttg.num-warps`, `ttg.threads-per-warp`.
llvm::LogicalResult checkLaunch(mlir::ModuleOp module, const Target &target);

/// Lowers TTGIR as it stands to the LLVM dialect. Every op without a lowering
/// is an error of its own.
llvm::LogicalResult convertToLlvm(mlir::ModuleOp module, const Target &target);

/// `convert-ttgir-to-llvm{arch=sm_90a}`: the above as a pass. Without `arch` it
/// takes the module's `ttg.target`.
std::unique_ptr<mlir::Pass> createConvertTtgirToLlvm();

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LOWER_CONVERTTOLLVM_H
