//===- InferLayout.h - What layouts become under ops of tt ------*- C++ -*-===//
//
// The layouts of results from those of operands, such that no data moves, and
// the rules that a layout keeps in its module.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_INFERLAYOUT_H
#define KERNELSCOPE_DIALECTS_TTG_INFERLAYOUT_H

#include "dialects/tt/LayoutInterface.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope::ttg {

/// `ttg`'s implementation of what `tt` needs to know about encodings.
class InferLayout : public tt::LayoutInterface {
public:
  using LayoutInterface::LayoutInterface;

  mlir::FailureOr<mlir::Attribute> inferTrans(mlir::Attribute src, Shape shape,
                                              llvm::ArrayRef<int32_t> order,
                                              OptionalLoc loc) const override;
  mlir::FailureOr<mlir::Attribute> inferReduce(mlir::Attribute src,
                                               unsigned axis,
                                               OptionalLoc loc) const override;
  mlir::FailureOr<mlir::Attribute>
  inferExpandDims(mlir::Attribute src, unsigned axis,
                  OptionalLoc loc) const override;
  mlir::FailureOr<mlir::Attribute> inferReshape(mlir::Attribute src,
                                                Shape srcShape, Shape dstShape,
                                                mlir::Attribute hint,
                                                bool allowReorder,
                                                OptionalLoc loc) const override;
  mlir::FailureOr<mlir::Attribute> inferJoin(mlir::Attribute src, Shape shape,
                                             OptionalLoc loc) const override;
  mlir::FailureOr<mlir::Attribute> inferSplit(mlir::Attribute src, Shape shape,
                                              OptionalLoc loc) const override;
  mlir::Attribute inferDotOperand(mlir::Attribute result,
                                  unsigned index) const override;
  mlir::Attribute inferCat(mlir::RankedTensorType operand,
                           mlir::RankedTensorType result) const override;
  llvm::LogicalResult verifyDotOperand(mlir::Attribute operand, unsigned index,
                                       mlir::Attribute result,
                                       OptionalLoc loc) const override;
  std::optional<int64_t>
  elementsPerThread(mlir::RankedTensorType type) const override;
  llvm::LogicalResult verifyDotOperands(mlir::Operation *op, mlir::Attribute a,
                                        mlir::Attribute b) const override;
  bool areEquivalent(Shape shape, mlir::Attribute a, mlir::Attribute b,
                     bool ignoreRegisterBroadcast) const override;
  llvm::LogicalResult verifyTensor(mlir::Attribute layout,
                                   mlir::RankedTensorType type,
                                   mlir::Operation *op,
                                   EmitError emitError) const override;
};

/// A distributed layout that is this map: `#ttg.linear` where it may be, else
/// `#ttg.generic_linear`; null when it is neither.
mlir::Attribute toDistributedEncoding(mlir::MLIRContext *context,
                                      const LinearLayout &layout);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_INFERLAYOUT_H
