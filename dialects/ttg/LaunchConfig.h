//===- LaunchConfig.h - What the module says about its launch ---*- C++ -*-===//
//
// The attributes by which a module, a function or a partition says how many
// threads run it, and for what target. None of these assert: a missing or
// malformed attribute is `std::nullopt`.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_LAUNCHCONFIG_H
#define KERNELSCOPE_DIALECTS_TTG_LAUNCHCONFIG_H

#include "dialects/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace kernelscope::ttg {

constexpr llvm::StringLiteral numWarpsName = "ttg.num-warps";
constexpr llvm::StringLiteral totalNumWarpsName = "ttg.total-num-warps";
constexpr llvm::StringLiteral numCTAsName = "ttg.num-ctas";
constexpr llvm::StringLiteral threadsPerWarpName = "ttg.threads-per-warp";
constexpr llvm::StringLiteral targetName = "ttg.target";
constexpr llvm::StringLiteral maxRegistersName = "ttg.maxnreg";
constexpr llvm::StringLiteral sharedBytesName = "ttg.shared";
/// Columns of tensor memory that the kernels need.
constexpr llvm::StringLiteral tensorMemorySizeName = "ttg.tensor_memory_size";
/// Whether the module's matrix instructions and copies work on pairs of CTAs.
constexpr llvm::StringLiteral twoCTAsName = "ttng.two-ctas";

/// Warps that run `op`: of the partition of `ttg.warp_specialize` it is in,
/// else what the nearest function or module says.
std::optional<int> lookupNumWarps(mlir::Operation *op);
/// As above, of an op placed in `region`.
std::optional<int> lookupNumWarps(mlir::Region *region);

/// Lanes of a warp, by the module around `op`; 32 when the module does not say.
std::optional<int> lookupThreadsPerWarp(mlir::Operation *op);

/// CTAs of a cluster, by the module around `op`; 1 when the module does not
/// say.
std::optional<int> lookupNumCTAs(mlir::Operation *op);

/// The chip that the module's `ttg.target` names, `cuda:90` or `hip:gfx942`;
/// nothing without one.
std::optional<Target> lookupTarget(mlir::Operation *op);

/// Whether the module is a whole dump of Triton 3.6 or older: one for a target,
/// without `ttng.two-ctas`. There a barrier that all CTAs were written to share
/// stood for one in every CTA, and a window of memory said nothing of what it
/// was cut from.
bool isOlderDump(mlir::Operation *op);

/// Warps of the whole CTA once partitions are added to the default warps; falls
/// back to `ttg.num-warps`.
std::optional<int> lookupTotalNumWarps(mlir::Operation *op);

/// Checks one attribute of this dialect, on the op that carries it.
llvm::LogicalResult verifyLaunchAttribute(mlir::Operation *op,
                                          mlir::NamedAttribute attribute);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_LAUNCHCONFIG_H
