//===- Scalars.h - integers while a program runs ----------------*- C++ -*-===//
//
// What an integer op computes from integers that are known. Two-valued logic
// and selects give an answer where one operand decides it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H
#define KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"

#include <optional>

namespace kernelscope {

/// An integer of at most 64 bits, sign-extended; nothing where it is not known.
using Scalar = std::optional<int64_t>;

/// Whether `ScalarOp` knows `op`: an op on integers, each with one result.
bool isScalarOp(mlir::Operation *op);

/// An op on integers, looked up once to be computed often.
class ScalarOp {
public:
  ScalarOp() = default;
  /// Of an op that is one.
  explicit ScalarOp(mlir::Operation *op);

  Scalar compute(llvm::ArrayRef<Scalar> operands) const;

private:
  using Combine = std::optional<llvm::APInt> (*)(const llvm::APInt &,
                                                 const llvm::APInt &);
  enum Kind : uint8_t {
    Unknown,
    Constant,
    Select,
    ZeroExtend,
    SignExtend,
    Two
  };

  static Combine combineOf(mlir::Operation *op);
  llvm::APInt operand(Scalar value) const {
    return {operandBits, uint64_t(*value), /*isSigned=*/true,
            /*implicitTrunc=*/true};
  }

  Kind kind = Unknown;
  /// Of the result, and of the operands.
  unsigned bits = 0, operandBits = 0;
  Combine combine = nullptr;
  /// A constant, or what decides an op of two operands if one of them is
  /// `decider`.
  Scalar constant, decider;
};

/// What an integer is that depends on nothing but constants.
Scalar knownScalar(mlir::Value value);

/// Whether two integers that depend on one value, and on the same, are seen to
/// differ whatever it is.
bool differAlways(mlir::Value a, mlir::Value b);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_SCALARS_H
