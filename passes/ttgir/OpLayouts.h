//===- OpLayouts.h - Layouts around an op follow each other -----*- C++ -*-===//
//
// The answers of `LayoutTransferOpInterface` for any op: one without it whose
// traits say so has the same layout for all operands and results. A layout is
// the encoding attribute of a tensor; null means that there is none, or none
// known.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_TTGIR_OPLAYOUTS_H
#define KERNELSCOPE_PASSES_TTGIR_OPLAYOUTS_H

#include "dialects/ttg/Cluster.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::ttgir {

/// The threads that share a tensor. All are powers of two.
struct ThreadCounts {
  unsigned warps = 4;
  unsigned threadsPerWarp = 32;
  unsigned ctas = 1;
};

/// A blocked layout in which a thread holds `perThread` neighbours along the
/// fastest dimension, `order[0]`.
mlir::Attribute blockedLayout(mlir::RankedTensorType type,
                              llvm::ArrayRef<unsigned> order,
                              unsigned perThread, const ThreadCounts &threads);

/// The same, with the tensor split over CTAs as `cluster` says.
mlir::Attribute blockedLayout(mlir::RankedTensorType type,
                              llvm::ArrayRef<unsigned> order,
                              unsigned perThread, const ThreadCounts &threads,
                              ttg::CGAEncodingAttr cluster);

/// For what nothing else decides: one element per thread, last dimension
/// fastest.
mlir::Attribute plainLayout(mlir::RankedTensorType type,
                            const ThreadCounts &threads);

/// Whether `op` has a working layout at all.
bool hasWorkingLayout(mlir::Operation *op);
/// Whether `op` may be computed in several layouts rather than its result moved
/// between threads: its results follow from its operands element by element.
bool isRecomputable(mlir::Operation *op);

/// Whether `op` chooses its working layout, whatever its neighbours have.
bool choosesLayout(mlir::Operation *op);

/// The layout that `op`, working in `working`, takes operand `index` in; null
/// when it takes any.
mlir::Attribute operandLayout(mlir::Operation *op, unsigned index,
                              mlir::Attribute working);
/// The layout that its results have; null when the op is free to choose.
mlir::Attribute resultLayout(mlir::Operation *op, mlir::Attribute working);
/// The working layout that takes operand `index` in `layout`; null if none.
mlir::Attribute workingLayoutForOperand(mlir::Operation *op, unsigned index,
                                        mlir::Attribute layout);
/// The working layout of a recomputable `op` that gives its results `layout`.
mlir::Attribute workingLayoutForResult(mlir::Operation *op,
                                       mlir::Attribute layout);
/// What `op` works in when its neighbours do not say.
mlir::Attribute plainWorkingLayout(mlir::Operation *op,
                                   const ThreadCounts &threads);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OPLAYOUTS_H
