//===- GoodTensors.h - tensor types that were verified ----------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TT_GOODTENSORS_H
#define KERNELSCOPE_DIALECTS_TT_GOODTENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"

namespace kernelscope::tt {

/// While one lives on a thread, a type that keeps the rules of `ValidTensors`
/// on one op is not looked at again on the other ops of its region. The IR must
/// not change meanwhile.
class GoodTensors {
public:
  GoodTensors();
  ~GoodTensors();
  GoodTensors(const GoodTensors &) = delete;
  GoodTensors &operator=(const GoodTensors &) = delete;

  /// Whether `type` was found good for an op like this one.
  static bool contains(mlir::Operation *op, mlir::Type type);
  static void add(mlir::Operation *op, mlir::Type type);

private:
  using Entry = llvm::PointerIntPair<const void *, 1, bool>;
  static Entry entryFor(mlir::Operation *op, mlir::Type type);

  mlir::Region *region = nullptr; ///< Whose warps the types are laid out on.
  llvm::SmallDenseSet<Entry, 16> good;
};

} // namespace kernelscope::tt

#endif // KERNELSCOPE_DIALECTS_TT_GOODTENSORS_H
