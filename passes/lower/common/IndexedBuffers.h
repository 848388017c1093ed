//===- IndexedBuffers.h - Elements at computed positions --------*- C++ -*-===//
//
// The position along an axis comes from a tensor of indices, those along the
// other dimensions are the element's own.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_COMMON_INDEXEDBUFFERS_H
#define KERNELSCOPE_PASSES_LOWER_COMMON_INDEXEDBUFFERS_H

#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// The coordinates that each register of `indices`, whose elements are
/// `positions`, names: its own, except for the one along `axis`.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
namedCoordinates(Builder &b, const TargetHooks &hooks,
                 mlir::RankedTensorType indices,
                 llvm::ArrayRef<mlir::Value> positions, unsigned axis);

/// Patterns for ttg.local_gather, local_scatter and local_atomic_scatter_rmw.
void addIndexedBufferPatterns(const TypeConverter &converter,
                              Patterns &patterns, const TargetHooks &hooks);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_COMMON_INDEXEDBUFFERS_H
