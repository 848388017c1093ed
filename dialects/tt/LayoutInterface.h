//===- LayoutInterface.h - what tt needs from tensor encodings --*- C++ -*-===//
//
// The dialect that owns the encodings of tensors says what an op of `tt` makes
// of them. `tt` itself knows none.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TT_LAYOUTINTERFACE_H
#define KERNELSCOPE_DIALECTS_TT_LAYOUTINTERFACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectInterface.h"

namespace kernelscope::tt {

/// Encodings of results from those of operands, so that no data moves, and the
/// rules that encodings keep. The `infer` functions report an error at `loc`,
/// if there is one, when they fail.
class LayoutInterface : public mlir::DialectInterface::Base<LayoutInterface> {
public:
  using Shape = llvm::ArrayRef<int64_t>;
  using OptionalLoc = std::optional<mlir::Location>;
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

  explicit LayoutInterface(mlir::Dialect *dialect) : Base(dialect) {}

  virtual mlir::FailureOr<mlir::Attribute>
  inferTrans(mlir::Attribute src, Shape shape, llvm::ArrayRef<int32_t> order,
             OptionalLoc loc) const = 0;
  virtual mlir::FailureOr<mlir::Attribute>
  inferReduce(mlir::Attribute src, unsigned axis, OptionalLoc loc) const = 0;
  virtual mlir::FailureOr<mlir::Attribute>
  inferExpandDims(mlir::Attribute src, unsigned axis,
                  OptionalLoc loc) const = 0;
  /// `hint` (may be null) is preferred when `allowReorder` makes it valid.
  virtual mlir::FailureOr<mlir::Attribute>
  inferReshape(mlir::Attribute src, Shape srcShape, Shape dstShape,
               mlir::Attribute hint, bool allowReorder,
               OptionalLoc loc) const = 0;
  /// The usual encoding of a join of two tensors of `shape`; others are valid.
  virtual mlir::FailureOr<mlir::Attribute>
  inferJoin(mlir::Attribute src, Shape shape, OptionalLoc loc) const = 0;
  /// The encoding of the halves of a tensor of `shape`.
  virtual mlir::FailureOr<mlir::Attribute>
  inferSplit(mlir::Attribute src, Shape shape, OptionalLoc loc) const = 0;

  /// The encoding of operand `index` of a product whose result is encoded by
  /// `result`; null if products do not take it.
  virtual mlir::Attribute inferDotOperand(mlir::Attribute result,
                                          unsigned index) const = 0;
  /// The encoding of two tensors of type `operand` one after the other, with
  /// the registers of a thread put together. The encoding of `operand` itself
  /// where none has room for them.
  virtual mlir::Attribute inferCat(mlir::RankedTensorType operand,
                                   mlir::RankedTensorType result) const = 0;

  /// Verifies that `operand` may encode operand 0 (a) or 1 (b) of a product
  /// whose result is encoded by `result`.
  virtual llvm::LogicalResult verifyDotOperand(mlir::Attribute operand,
                                               unsigned index,
                                               mlir::Attribute result,
                                               OptionalLoc loc) const = 0;
  /// How many different elements of a tensor with a layout a thread holds, if
  /// the layout says so.
  virtual std::optional<int64_t>
  elementsPerThread(mlir::RankedTensorType) const {
    return std::nullopt;
  }

  /// Verifies that `a` and `b` can be the operands of the product `op`.
  virtual llvm::LogicalResult verifyDotOperands(mlir::Operation *op,
                                                mlir::Attribute a,
                                                mlir::Attribute b) const = 0;

  /// Whether two encodings place the elements of a tensor of `shape` alike.
  virtual bool areEquivalent(Shape shape, mlir::Attribute a, mlir::Attribute b,
                             bool ignoreRegisterBroadcast) const = 0;

  /// Verifies that `layout` fits the tensor `type` in `op`'s module.
  virtual llvm::LogicalResult verifyTensor(mlir::Attribute layout,
                                           mlir::RankedTensorType type,
                                           mlir::Operation *op,
                                           EmitError emitError) const = 0;
};

/// The interface of the dialect that owns `encoding`; null when it has none.
const LayoutInterface *getLayoutInterface(mlir::Attribute encoding);

} // namespace kernelscope::tt

#endif
