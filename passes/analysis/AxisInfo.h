//===- AxisInfo.h - How values run along a tensor's axes --------*- C++ -*-===//
//
// What loads, stores and layouts need to know about the integers and pointers
// of a tensor: where they are consecutive, what divides them, where they
// repeat.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_AXISINFO_H
#define KERNELSCOPE_PASSES_ANALYSIS_AXISINFO_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Value.h"
#include <memory>
#include <optional>

namespace kernelscope {

/// Facts about one axis of a tensor. All are powers of two and held as their
/// exponents, so no sum or product of them overflows.
struct Axis {
  /// Zero has every power of two for a divisor; this one stands for all.
  static constexpr unsigned maxExponent = 62;

  /// The axis falls into aligned runs of 2^contiguity elements in which each
  /// value is one more (a pointer: one element further) than the one before.
  unsigned contiguity = 0;
  /// 2^divisibility divides the first value of each such run; bytes for
  /// pointers.
  unsigned divisibility = 0;
  /// The axis falls into aligned runs of 2^constancy elements that are equal.
  unsigned constancy = 0;

  bool operator==(const Axis &) const = default;
};

/// What is known of all values of an integer, boolean or pointer, or of a
/// tensor of them; a scalar has one axis of one element. A default-constructed
/// object says that no value got here yet.
class AxisInfo {
public:
  AxisInfo() = default;
  AxisInfo(llvm::ArrayRef<Axis> axes, std::optional<int64_t> constant = {})
      : axes(axes), constant(constant) {}

  /// Nothing is known of a value of `type`.
  static AxisInfo unknown(mlir::Type type);
  /// Every element of a value of `type` is `value`.
  static AxisInfo splat(mlir::Type type, int64_t value);

  bool isUninitialized() const { return axes.empty(); }
  unsigned getRank() const { return axes.size(); }
  llvm::ArrayRef<Axis> getAxes() const { return axes; }
  const Axis &operator[](unsigned axis) const { return axes[axis]; }
  std::optional<int64_t> getConstant() const { return constant; }

  /// Exponent of the divisor of the first value of every aligned run of 2^run
  /// elements along `axis`; `stride` is the exponent of an element's bytes for
  /// pointers, 0 for integers.
  unsigned divisibilityOfRuns(unsigned axis, unsigned run,
                              unsigned stride = 0) const;
  /// Exponent of a divisor of every element.
  unsigned divisibilityOfAll(unsigned stride = 0) const;

  bool operator==(const AxisInfo &) const = default;
  /// The facts that hold of both.
  static AxisInfo join(const AxisInfo &a, const AxisInfo &b);
  /// `contiguity = [1], divisibility = [8], constancy = [4], constant = 24`;
  /// the constant only when there is one.
  void print(llvm::raw_ostream &os) const;

private:
  llvm::SmallVector<Axis, 2> axes;
  std::optional<int64_t> constant;
};

/// The result of the analysis of everything under one operation.
///
/// Seeds are the attributes `tt.divisibility`, `tt.contiguity`,
/// `tt.constancy` of function arguments (a number) and of operations (a number
/// or one per axis). As in Triton, an index that is divided or taken modulo is
/// taken to be non-negative, and index arithmetic not to wrap.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *root);
  ~AxisInfoAnalysis();
  AxisInfoAnalysis(AxisInfoAnalysis &&) = default;

  /// What is known of `value`; of a value that the analysis did not reach,
  /// nothing.
  AxisInfo get(mlir::Value value) const;

  /// How many elements along `axis` of the pointers (or integer offsets to
  /// elements of `elementBits`) one aligned access may take: they lie one after
  /// another, and the first is aligned to all of them.
  int64_t accessElements(mlir::Value pointersOrOffsets, unsigned axis,
                         unsigned elementBits) const;
  /// How many elements along `axis` of a mask are sure to agree.
  int64_t maskRun(mlir::Value mask, unsigned axis) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const AxisInfo &info) {
  info.print(os);
  return os;
}

/// The facts about the results of `op`, given those of its operands. Operands
/// are initialised; an operation that no rule covers has unknown results.
llvm::SmallVector<AxisInfo> axisInfoOf(mlir::Operation *op,
                                       llvm::ArrayRef<AxisInfo> operands);

/// Exponent of the largest power of two that divides `value`.
unsigned divisorExponent(int64_t value);
/// Exponent of the bytes between neighbours that values of `type` point to; 0
/// for integers.
unsigned strideExponent(mlir::Type type);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_AXISINFO_H
