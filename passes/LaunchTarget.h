//===- LaunchTarget.h - Where a module can be launched ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LAUNCHTARGET_H
#define KERNELSCOPE_PASSES_LAUNCHTARGET_H

#include "dialects/target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelscope {

/// On a module that was TTIR and has its layouts from us: its kernels may take
/// more shared memory than Triton's.
constexpr llvm::StringLiteral ownLayoutsName = "kernelscope.own_layouts";

/// Whether `module` is TTGIR: it says for how many warps it is, or a tensor has
/// a layout.
bool hasLayouts(mlir::Operation *root);

/// An error on the first op that has a tensor without a layout. What asks for
/// the linear map of any tensor needs it first.
llvm::LogicalResult checkLayouts(mlir::ModuleOp module);

/// Makes `module` say that it is for `target`, as Triton's newest release does
/// of kernels without clusters.
void declareTarget(mlir::ModuleOp module, const Target &target);

/// The architecture of that name; an error on `module` if it is not known.
mlir::FailureOr<Target> parseTarget(mlir::ModuleOp module,
                                    llvm::StringRef arch);

/// The architecture that a TTGIR module is lowered for: `arch`, or what the
/// module's `ttg.target` says when that is empty. An error if neither is known,
/// or if the module cannot be launched there: it must say how many warps it is
/// for, its warps must have as many lanes as the architecture's, and its blocks
/// and clusters must not be larger than there.
mlir::FailureOr<Target> findLaunchTarget(mlir::ModuleOp module,
                                         llvm::StringRef arch);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LAUNCHTARGET_H
