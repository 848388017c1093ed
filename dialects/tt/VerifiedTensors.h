//===- VerifiedTensors.h - Tensor types that are verified once -*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TT_VERIFIEDTENSORS_H
#define KERNELSCOPE_DIALECTS_TT_VERIFIEDTENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"

#include <utility>

namespace kernelscope::tt {

/// While one lives on a thread, a type that satisfies `ValidTensors` on one op
/// is not checked again on the other ops of its region. The IR must not change
/// meanwhile.
class VerifiedTensors {
public:
  VerifiedTensors();
  ~VerifiedTensors();
  VerifiedTensors(const VerifiedTensors &) = delete;
  VerifiedTensors &operator=(const VerifiedTensors &) = delete;

  /// Whether `type` was found valid for an op like this one.
  static bool contains(mlir::Operation *op, mlir::Type type);
  static void add(mlir::Operation *op, mlir::Type type);

private:
  /// A type, whether sizes are bounded, and the region whose warps the type is
  /// laid out on.
  using Entry =
      std::pair<llvm::PointerIntPair<const void *, 1, bool>, mlir::Region *>;
  static Entry entryFor(mlir::Operation *op, mlir::Type type);

  llvm::SmallDenseSet<Entry, 64> valid;
};

/// Whether the encodings of the results are layouts, for ops of any dialect. An
/// encoding that an operand has already is an error only where it comes from.
llvm::LogicalResult verifyResultEncodings(mlir::Operation *op);

} // namespace kernelscope::tt

#endif // KERNELSCOPE_DIALECTS_TT_VERIFIEDTENSORS_H
