//===- AttrRules.h - Rules that layouts share -------------------*- C++ -*-===//
//
// Internal to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_ATTRRULES_H
#define KERNELSCOPE_DIALECTS_TTG_ATTRRULES_H

#include "dialects/ttg/TTG.h"

namespace kernelscope::ttg::rules {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// A layout has at least one dimension, and no more than Triton's tensors need.
mlir::LogicalResult verifyRank(EmitError emitError, size_t rank);

/// `order` is a permutation of the dimensions.
mlir::LogicalResult verifyOrder(EmitError emitError,
                                llvm::ArrayRef<unsigned> order);

mlir::LogicalResult verifyPowersOfTwo(EmitError emitError, llvm::StringRef name,
                                      llvm::ArrayRef<unsigned> values);

mlir::LogicalResult verifyPowerOfTwo(EmitError emitError, llvm::StringRef name,
                                     unsigned value);

/// The field `name` has one value per dimension.
mlir::LogicalResult verifySameRank(EmitError emitError, llvm::StringRef name,
                                   size_t found, size_t needed);

mlir::LogicalResult verifyClusterRank(EmitError emitError,
                                      CGAEncodingAttr cluster, size_t rank);

/// The product of `factors`, powers of two, fits a linear layout.
mlir::LogicalResult
verifyTileSize(EmitError emitError,
               llvm::ArrayRef<llvm::ArrayRef<unsigned>> factors);

/// The in-dims are `inDims`, the out-dims dim0, dim1, ...
mlir::LogicalResult verifyDims(EmitError emitError, const LinearLayout &layout,
                               llvm::ArrayRef<llvm::StringRef> inDims);

/// Each basis is zero or moves along one dimension, with `byPowerOfTwo` by a
/// power of two.
bool movesAlongOneDim(const LinearLayout &layout, mlir::StringAttr inDim,
                      bool byPowerOfTwo);

} // namespace kernelscope::ttg::rules

#endif // KERNELSCOPE_DIALECTS_TTG_ATTRRULES_H
