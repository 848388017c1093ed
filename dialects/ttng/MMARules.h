//===- MMARules.h - Rules and effects that several ops share -----*- C++
//-*-===//
//
// Internal to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTNG_MMARULES_H
#define KERNELSCOPE_DIALECTS_TTNG_MMARULES_H

#include "dialects/target/DescribedProducts.h"
#include "dialects/ttng/TTNG.h"

namespace kernelscope::ttng::rules {

using Effects = llvm::SmallVectorImpl<
    mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

/// `type` has a layout of shared memory that matrix descriptors can describe.
bool isMatrixInShared(mlir::Type type);

/// Reading `operand` from wherever it is.
void addRead(Effects &effects, mlir::OpOperand &operand);

/// Writing `accumulator`, and reading it unless `useAccumulator` is false.
void addAccumulate(Effects &effects, mlir::OpOperand &accumulator,
                   mlir::Value useAccumulator);

/// Arriving at `barriers`.
void addArrive(Effects &effects, mlir::MutableOperandRange barriers);

/// `unit`, of the chip that the module names if it names one, multiplies `a` by
/// `b` into `d`.
mlir::LogicalResult verifyElements(mlir::Operation *op, MatrixUnit unit,
                                   mlir::Type a, mlir::Type b, mlir::Type d);

/// K is a multiple of the `step` elements that `instruction` multiplies.
mlir::LogicalResult verifyDepth(mlir::Operation *op,
                                const llvm::Twine &instruction, int64_t depth,
                                unsigned step);

/// `unit` finds `outerSize` by `kSize` elements of `memory`, in shared memory
/// with K along `kDim`, by one descriptor; `side` is "left" or "right".
mlir::LogicalResult verifyDescriptor(mlir::Operation *op, MatrixUnit unit,
                                     llvm::StringRef side,
                                     ttg::MemDescType memory, unsigned kDim,
                                     unsigned outerSize, unsigned kSize);

/// `left` is in tensor memory or, as `right` must be, in #ttg.nvmma_shared.
mlir::LogicalResult verifyOperandMemory(mlir::Operation *op,
                                        ttg::MemDescType left,
                                        ttg::MemDescType right);

/// `memory` is tensor memory.
mlir::LogicalResult verifyInTensorMemory(mlir::Operation *op,
                                         ttg::MemDescType memory);

/// The chip that the module names, if any, has tensor memory.
mlir::LogicalResult verifyChip(mlir::Operation *op);

/// A product of two CTAs has two.
mlir::LogicalResult verifyPairs(mlir::Operation *op, bool twoCTAs);

/// Each barrier has a predicate and is a barrier of the op's own CTA; an op
/// that is not asynchronous has none.
mlir::LogicalResult verifyCompletion(mlir::Operation *op, bool isAsync,
                                     mlir::ValueRange barriers,
                                     mlir::ValueRange predicates);

/// `product` can compute `rows` by `columns` in one instruction.
mlir::LogicalResult verifyTile(mlir::Operation *op,
                               const DescribedProduct &product, unsigned ctas,
                               unsigned rows, unsigned columns);

/// `d` is an accumulator in tensor memory.
mlir::LogicalResult verifyAccumulator(mlir::Operation *op, ttg::MemDescType d);

} // namespace kernelscope::ttng::rules

#endif // KERNELSCOPE_DIALECTS_TTNG_MMARULES_H
