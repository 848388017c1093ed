//===- BlockAccess.h - A block of a tensor, by pointers ---------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTIR_BLOCKACCESS_H
#define KERNELSCOPE_PASSES_TTIR_BLOCKACCESS_H

#include "dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace kernelscope::ttir {

/// A tensor in global memory: a pointer to its first element and, for each
/// dimension, its size (i32 or i64) and its stride in elements (i64).
struct TensorView {
  mlir::Value base;
  llvm::SmallVector<mlir::Value> shape, strides;
};

/// Accesses a block of a tensor through plain pointers, with a mask where it
/// may reach out of bounds. Each dimension must be added before the access.
class BlockAccess {
public:
  /// Builds before `op`. `block` has the block's shape and element type.
  BlockAccess(mlir::Operation *op, TensorView view,
              mlir::RankedTensorType block);

  /// Adds dimension `dim` of the tensor, from `first`, an i32 or i64, on. Only
  /// with `isChecked` may it reach out of bounds.
  void addRange(unsigned dim, mlir::Value first, bool isChecked = true);
  /// The same with an index, an i32 or i64, for each element of the dimension.
  void addIndices(unsigned dim, mlir::Value indices, bool isChecked = true);

  /// The block, as `result`, which has as many elements. What is out of bounds
  /// is as `padding` says, and anything without it.
  mlir::Value load(mlir::RankedTensorType result,
                   std::optional<tt::PaddingOption> padding,
                   tt::CacheModifier cache, tt::EvictionPolicy evict,
                   bool isVolatile = false);
  void store(mlir::Value value,
             tt::CacheModifier cache = tt::CacheModifier::NONE,
             tt::EvictionPolicy evict = tt::EvictionPolicy::NORMAL);
  void update(tt::RMWOp operation, mlir::Value value);

private:
  mlir::RankedTensorType ofDim(unsigned dim, mlir::Type element) const;
  mlir::Value spread(unsigned dim, mlir::Value values);
  mlir::Value pointers();
  mlir::Value reshaped(mlir::Value value, mlir::RankedTensorType type);

  mlir::OpBuilder b;
  mlir::Location loc;
  TensorView view;
  mlir::RankedTensorType block;
  mlir::Value offsets, mask;
};

} // namespace kernelscope::ttir

#endif // KERNELSCOPE_PASSES_TTIR_BLOCKACCESS_H
