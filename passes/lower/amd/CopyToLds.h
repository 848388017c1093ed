//===- CopyToLds.h - Copies from global memory straight to LDS --*- C++ -*-===//
//
// gfx9 has one address in LDS for a warp, where its lanes write one after
// another, 32 or (gfx950) 128 bits each. gfx1250 has an address for each lane.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_COPYTOLDS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_COPYTOLDS_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// How the elements of a thread go to LDS.
struct LdsCopyPlan {
  /// Elements that a lane copies at once.
  unsigned elements;
  /// Copies of each thread, which all lanes of a warp make at once.
  unsigned copies;
};

/// The plan for a copy of a tensor like `lanes` to memory of `type`, as wide as
/// pointers, layouts and chip allow; the pointers allow the registers of
/// `access` at once (see GlobalAccess.h). Nothing where the chip has no such
/// copy.
std::optional<LdsCopyPlan> planLdsCopy(llvm::ArrayRef<unsigned> access,
                                       mlir::RankedTensorType lanes,
                                       ttg::MemDescType type,
                                       const Target &target);

/// The fewest instructions of those that a wait counts that a warp issues for
/// `op`; 0 for other ops, and where the mask may let a warp skip them.
unsigned fewestLdsCopies(mlir::Operation *op, const Target &target);

/// A bit for each CTA of the cluster that has the same in `type`, an i32; null
/// if there is only this one.
mlir::Value multicastMask(Builder &b, const TargetHooks &hooks,
                          mlir::ShapedType type);

/// A copy that is being lowered.
struct LdsCopy {
  mlir::Operation *op;
  mlir::RankedTensorType lanes;
  ttg::MemDescType type;
  /// The lowered buffer.
  mlir::Value memory = {};
  /// Of each register what `EmitLdsCopy` takes, and its mask; no masks for
  /// always.
  llvm::SmallVector<mlir::Value> sources = {}, masks = {};
  /// What is stored where the mask is false; none for zeros.
  llvm::SmallVector<mlir::Value> others = {};
  /// The other way round.
  bool isStore = false;
  /// Whether something takes the place of what is not copied.
  bool fillsMasked = true;
};

/// Emits one copy of `bytes` for each lane from `source` to LDS at `address`:
/// the lane's, or on gfx9 that of the warp's first lane.
using EmitLdsCopy = llvm::function_ref<void(
    mlir::Value address, unsigned bytes, mlir::Value source, mlir::Value mask)>;

/// Emits all copies of elements of the LLVM type `element`. With `isGuarded`
/// lanes whose mask is false make none, and store what takes its place; else
/// `emit` is given the mask, and sees to the zeros. An error on the op where
/// the chip has no such copy.
llvm::LogicalResult emitLdsCopy(Builder &b,
                                mlir::ConversionPatternRewriter &rewriter,
                                const TargetHooks &hooks, const LdsCopy &copy,
                                mlir::Type element, bool isGuarded,
                                EmitLdsCopy emit);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_COPYTOLDS_H
