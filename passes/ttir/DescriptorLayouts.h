//===- DescriptorLayouts.h - Where TMA puts blocks --------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTIR_DESCRIPTORLAYOUTS_H
#define KERNELSCOPE_PASSES_TTIR_DESCRIPTORLAYOUTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope {

/// The layout in shared memory of a block that TMA copies by `desc`, which has
/// one: the descriptor's if that has as many dimensions, else the one that it
/// would get. `ctas` is the size of the cluster.
mlir::Attribute blockLayout(mlir::Value desc, mlir::RankedTensorType block,
                            unsigned ctas);

/// Whether each of `ctas` CTAs then has a part of its own of the block.
bool splitsBlock(mlir::Value desc, mlir::RankedTensorType block, unsigned ctas);

/// Gives a layout to each tensor descriptor of the module that has none:
/// `layoutOf` its block and the number of CTAs in a cluster.
void layOutDescriptors(
    mlir::ModuleOp module,
    llvm::function_ref<mlir::Attribute(mlir::RankedTensorType, unsigned)>
        layoutOf);

/// The same for TMA: rows are swizzled, and each CTA of a cluster has all of a
/// block, or its part of one that is added to a tensor, since each CTA adds.
void layOutDescriptorsForTma(mlir::ModuleOp module);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_DESCRIPTORLAYOUTS_H
