//===- OverwrittenPuts.h - Puts that need no earlier contents ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_OVERWRITTENPUTS_H
#define KERNELSCOPE_PASSES_NVWS_OVERWRITTENPUTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace kernelscope::nvws {

/// Whether those who put into a buffer of tensor memory overwrite it, so that
/// each put may have another stage.
class OverwrittenPuts {
public:
  /// `access` is one to the whole buffer, not to a view of it.
  void noteWhole(mlir::Operation *access) { wholeAccesses.insert(access); }
  /// A put is entered by `enter` where `condition` is `value`.
  void noteCondition(mlir::Operation *enter, mlir::Value condition,
                     bool value) {
    conditions[enter] = {condition, value};
  }
  /// `access` is the first after each of `enters`; null if that depends. Leaves
  /// `enters` empty.
  void noteFirst(llvm::SmallVectorImpl<mlir::Operation *> &enters,
                 mlir::Operation *access);

  /// Whether there are such puts, and no first access needs what was there.
  bool areOverwritten() const;

private:
  bool overwrites(mlir::Operation *access, mlir::Operation *enter) const;

  llvm::SmallPtrSet<mlir::Operation *, 8> wholeAccesses;
  std::vector<std::pair<mlir::Operation *, mlir::Operation *>> firstAccesses;
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, bool>> conditions;
};

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_OVERWRITTENPUTS_H
