//===- ClusterProducts.h - Products that CTAs share -------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_CLUSTERPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_CLUSTERPRODUCTS_H

#include "passes/ttgir/ProductLayout.h"

namespace kernelscope::ttgir {

/// How `ctas` CTAs split a product's result of type `type`: its columns while
/// each CTA keeps 64 of them, then its rows while they are more, then either.
/// Null if there is nothing left to split.
ttg::CGAEncodingAttr splitProduct(mlir::RankedTensorType type, unsigned ctas);

/// How they then share operand `index`: each has all of K.
ttg::CGAEncodingAttr splitOperand(ttg::CGAEncodingAttr result, unsigned index);

/// The part of a tensor of type `type` that each CTA of `cluster` has.
mlir::RankedTensorType partOf(mlir::RankedTensorType type,
                              ttg::CGAEncodingAttr cluster);

/// Lets loads of what a product multiplies give each CTA its part, so that
/// CTAs need not exchange it.
void loadPartsOfOperands(
    llvm::MapVector<mlir::Operation *, mlir::Attribute> &accessLayouts,
    llvm::MapVector<mlir::Operation *, ProductLayout> &productLayouts,
    const ThreadCounts &threads);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_CLUSTERPRODUCTS_H
