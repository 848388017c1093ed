//===- ChipRules.h - What the module's chip can do --------------*- C++ -*-===//
//
// Rules about a chip, which verifiers check for the one that the module names,
// and a compilation for the one that it is for.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_CHIPRULES_H
#define KERNELSCOPE_DIALECTS_TTG_CHIPRULES_H

#include "dialects/target/MatrixInstructions.h"
#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::ttg {

/// The chip that the module around `op` names, if it is one that we compile
/// for. Of others not enough is known for these rules.
std::optional<Target> lookupExactTarget(mlir::Operation *op);

/// The instructions of `target` for the types of `op`.
llvm::SmallVector<const MatrixInstruction *>
productInstructions(tt::DotOp op, const Target &target);

/// `target` multiplies the types of `op`, which is laid out for a matrix
/// instruction, and has the kind of instruction that its layout is for.
llvm::LogicalResult verifyProductTypes(tt::DotOp op, const Target &target);

/// Whether the layout of `op` is for an instruction of tf32 (AMD's xf32) of a
/// depth that `target` has no instruction for.
bool lacksRoundedProduct(tt::DotOp op, const Target &target);

/// `target` has instructions for the types of `op`, and for as many and such
/// scales, if it is laid out for a matrix instruction.
llvm::LogicalResult verifyScaledProduct(tt::DotScaledOp op,
                                        const Target &target);

/// The launch that `module` describes in its attributes fits `target`: lanes
/// of a warp; CTAs of a cluster; threads of a block; registers of a thread.
llvm::LogicalResult verifyLanes(mlir::ModuleOp module, const Target &target);
llvm::LogicalResult verifyClusterSize(mlir::ModuleOp module,
                                      const Target &target);
llvm::LogicalResult verifyThreads(mlir::ModuleOp module, const Target &target);
llvm::LogicalResult verifyRegisters(mlir::ModuleOp module,
                                    const Target &target);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_CHIPRULES_H
