//===- OperandMemory.h - Operands of products in shared memory --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_OPERANDMEMORY_H
#define KERNELSCOPE_PASSES_TTGIR_OPERANDMEMORY_H

#include "dialects/tt/TT.h"
#include "mlir/IR/Builders.h"

namespace kernelscope::ttgir {

/// The least bytes of a row that such a buffer can have.
constexpr int64_t leastRowBytes = 32;

/// A buffer in shared memory with the elements of `operand`, a tensor with two
/// dimensions of which `depthDim` is K, in as wide a swizzle as its rows fill:
/// what `wgmma` and `tcgen05.mma` read. With `eitherDim` the unit reads
/// rows along either dimension, and elements stay in the order in which threads
/// have them; other rows go along K.
mlir::Value moveToMemory(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value operand, unsigned depthDim,
                         bool eitherDim);

/// Whether the rows of both operands are long enough for such buffers.
bool fitMemory(tt::DotOp op, bool eitherDim);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OPERANDMEMORY_H
