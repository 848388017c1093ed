//===- LayoutParts.h - What the layout conversions share --------*- C++ -*-===//
//
// Internal to this folder: the pieces that layouts are put together from.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_LAYOUTPARTS_H
#define KERNELSCOPE_DIALECTS_TTG_LAYOUTPARTS_H

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope::ttg::parts {

/// A layout, or nothing with `error` set.
using MaybeLayout = std::optional<LinearLayout>;

/// [rank - 1, ..., 0], with the first two swapped unless `rowMajor`.
llvm::SmallVector<unsigned> matrixOrder(unsigned rank, bool rowMajor);

/// Walks `shape` in `order`, fastest first, with the in-dim `in`.
LinearLayout identityND(mlir::StringAttr in, llvm::ArrayRef<unsigned> shape,
                        llvm::ArrayRef<unsigned> order);

/// As identityND, but dimension `sharedDim` does not move: all of the in-dim's
/// values along it hold the same.
LinearLayout identityNDExcept(mlir::StringAttr in,
                              llvm::ArrayRef<unsigned> shape,
                              llvm::ArrayRef<unsigned> order,
                              unsigned sharedDim);

/// Repeats `tile` along its first in-dim, out-dims in their order, until it
/// covers `shape`; where it is larger, the surplus places hold copies.
LinearLayout fitToShape(LinearLayout tile, llvm::ArrayRef<int64_t> shape);

/// The part of `shape` that one CTA of the cluster has.
llvm::SmallVector<int64_t> shapePerCTA(CGAEncodingAttr cga,
                                       llvm::ArrayRef<int64_t> shape);

/// The layout of a CTA, `tile`, fitted to its part of `shape`, and then spread
/// over the cluster. Out-dims are in the standard order.
LinearLayout spreadOverCluster(const LinearLayout &tile, CGAEncodingAttr cga,
                               llvm::ArrayRef<int64_t> shape);

/// True if all are powers of two, with a product of at most 2^20.
bool arePlausibleSizes(llvm::ArrayRef<unsigned> sizes);

// One per family of encodings.
MaybeLayout mmaLayout(NvidiaMmaEncodingAttr mma, llvm::ArrayRef<int64_t> shape,
                      std::string &error);
MaybeLayout mfmaLayout(AMDMfmaEncodingAttr mfma, llvm::ArrayRef<int64_t> shape,
                       std::string &error);
MaybeLayout wmmaLayout(AMDWmmaEncodingAttr wmma, llvm::ArrayRef<int64_t> shape,
                       std::string &error);
MaybeLayout dotOperandLayout(DotOperandEncodingAttr operand,
                             llvm::ArrayRef<int64_t> shape, std::string &error);
MaybeLayout sharedLayout(SharedEncodingTrait shared,
                         llvm::ArrayRef<int64_t> shape, std::string &error);

} // namespace kernelscope::ttg::parts

#endif // KERNELSCOPE_DIALECTS_TTG_LAYOUTPARTS_H
