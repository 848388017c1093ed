//===- ScaledProductLayout.h - Layouts of microscaled products --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_SCALEDPRODUCTLAYOUT_H
#define KERNELSCOPE_PASSES_TTGIR_SCALEDPRODUCTLAYOUT_H

#include "passes/analysis/AxisInfo.h"
#include "passes/ttgir/ProductLayout.h"

namespace kernelscope::ttgir {

/// Layouts for a product that an instruction of `target` computes with its
/// scales: `tcgen05.mma`, for which tensor memory has `columns` left, or a
/// matrix instruction on registers. Nothing if there is none, and the product
/// has to be decomposed.
///
/// An operand of e2m1 that is packed along M or N has no layout: it is packed
/// along K as it is read from shared memory (`packAlongK`).
std::optional<ProductLayout> chooseScaledLayout(tt::DotScaledOp op,
                                                const ThreadCounts &threads,
                                                const Target &target,
                                                int64_t &columns);

/// Stores each operand of e2m1 under `root` that is packed along M or N, where
/// AMD's matrix instructions compute the product, and loads it packed along K.
void packAlongK(mlir::Operation *root);

/// Lets loads of scales alone work in layouts in which no scale moves between
/// lanes afterwards.
void loadScalesByRows(
    llvm::MapVector<mlir::Operation *, mlir::Attribute> &accessLayouts,
    const llvm::MapVector<mlir::Operation *, ProductLayout> &productLayouts,
    const AxisInfoAnalysis &axes);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_SCALEDPRODUCTLAYOUT_H
