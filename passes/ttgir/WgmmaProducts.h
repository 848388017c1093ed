//===- WgmmaProducts.h - Products of operands in memory ---------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_WGMMAPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_WGMMAPRODUCTS_H

#include "passes/ttgir/ProductLayout.h"
#include <optional>

namespace kernelscope::ttgir {

/// The layouts with which `wgmma` can do `op`: its accumulator's, and its left
/// operand's if that comes from another product and so is in registers. An
/// operand without a layout goes to shared memory from the one that it has; one
/// in a blocked layout, from that: the part that each CTA of `cluster` needs.
/// `columnsAfter` is how many columns the product has whose left operand is
/// computed from `op`; 0 if there is none. Nothing if the target, the warps,
/// the types or the shape do not fit.
std::optional<ProductLayout> chooseWgmmaLayout(tt::DotOp op,
                                               int64_t columnsAfter,
                                               ttg::CGAEncodingAttr cluster,
                                               const ThreadCounts &threads,
                                               const Target &target);

/// Makes a `ttng.warp_group_dot` of each `tt.dot` under `root` with such an
/// accumulator, its operands in shared memory in as wide a swizzle as their
/// rows fill.
void moveWgmmaOperandsToMemory(mlir::Operation *root);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_WGMMAPRODUCTS_H
