//===- TTTraits.h - what ops of tt and its kin must keep --------*- C++ -*-===//
//
// Rules that many ops share, as traits that verify themselves.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TT_TTTRAITS_H
#define KERNELSCOPE_DIALECTS_TT_TTTRAITS_H

#include "dialects/tt/TTTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace kernelscope::tt {

/// The largest number of elements a tensor may have.
inline constexpr int64_t maxTensorElements = 1048576;

namespace detail {
llvm::LogicalResult verifySizedTensors(mlir::Operation *op);
llvm::LogicalResult verifyValidTensors(mlir::Operation *op);
llvm::LogicalResult verifySameOperandsEncoding(mlir::Operation *op);
llvm::LogicalResult verifySameOperandsAndResultEncoding(mlir::Operation *op);
llvm::LogicalResult verifySameAccessShape(mlir::Operation *op);
llvm::LogicalResult verifyCachePolicy(mlir::Operation *op);
} // namespace detail

/// Every tensor has a power of two of elements, not too many.
template <typename Op>
struct SizedTensors : mlir::OpTrait::TraitBase<Op, SizedTensors> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySizedTensors(op);
  }
};

/// Every tensor has a power of two of elements, of `tt` at most
/// `maxTensorElements`, and an encoding that fits it and the module.
template <typename Op>
struct ValidTensors : mlir::OpTrait::TraitBase<Op, ValidTensors> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyValidTensors(op);
  }
};

/// All operands that have an encoding have the same one.
template <typename Op>
struct SameOperandsEncoding
    : mlir::OpTrait::TraitBase<Op, SameOperandsEncoding> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameOperandsEncoding(op);
  }
};

/// All operands and results that have an encoding have the same one.
template <typename Op>
struct SameOperandsAndResultEncoding
    : mlir::OpTrait::TraitBase<Op, SameOperandsAndResultEncoding> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameOperandsAndResultEncoding(op);
  }
};

/// All operands and results have the same shape, where a block pointer has the
/// shape of its block.
template <typename Op>
struct SameAccessShape : mlir::OpTrait::TraitBase<Op, SameAccessShape> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameAccessShape(op);
  }
};

/// Whether two lists of types are the same up to encodings that mean the same.
/// Register copies of an element are ignored with `ignoreRegisterBroadcast`.
bool equivalentTypes(mlir::TypeRange a, mlir::TypeRange b,
                     bool ignoreRegisterBroadcast = false);

/// How elements are packed in a stored one: `factor` of them, along K or along
/// the other dimension of the matrix.
struct Packing {
  int64_t factor = 1;
  bool alongK = true;
};

/// Verifies ranks and sizes of a `DotOpInterface` op.
llvm::LogicalResult verifyDotShapes(mlir::Operation *op);

/// Whether `order` names each dimension of a tensor of rank `rank` once.
bool isPermutation(llvm::ArrayRef<int32_t> order, int64_t rank);

/// The attribute `cachePolicy` is absent or a policy that fits the op.
template <typename Op>
struct HasCachePolicy : mlir::OpTrait::TraitBase<Op, HasCachePolicy> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyCachePolicy(op);
  }
};

} // namespace kernelscope::tt

#endif
