//===- AxisArithmetic.h - Facts about axes of sums, products and the like *- C++
//-*-===//
//
// All numbers are exponents of two, so a product is a sum, and a common divisor
// a minimum.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_AXISARITHMETIC_H
#define KERNELSCOPE_PASSES_ANALYSIS_AXISARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/analysis/AxisInfo.h"

namespace kernelscope::axis {

/// The two operands of a binary op and what their facts have in common.
struct Binary {
  mlir::Type type;
  const AxisInfo &lhs, &rhs;

  std::optional<std::pair<int64_t, int64_t>> constants() const {
    std::optional<int64_t> l = lhs.getConstant(), r = rhs.getConstant();
    if (!l || !r)
      return std::nullopt;
    return std::pair(*l, *r);
  }
  unsigned constancy(unsigned axis) const {
    return std::min(lhs[axis].constancy, rhs[axis].constancy);
  }
};

/// `value` as an integer of `type`'s width would hold it, sign-extended.
int64_t wrap(int64_t value, mlir::Type type);

/// `value`'s bits read as unsigned in `type`'s width.
uint64_t asUnsigned(int64_t value, mlir::Type type);

/// Builds the facts axis by axis.
AxisInfo perAxis(unsigned rank, llvm::function_ref<Axis(unsigned)> axis);

/// Sums, with offsets counted in units of 2^`stride` (a pointer's element).
AxisInfo sum(const Binary &op, unsigned stride = 0);
AxisInfo difference(const Binary &op);
AxisInfo product(const Binary &op);
AxisInfo quotient(const Binary &op, bool isSigned);
AxisInfo remainder(const Binary &op, bool isSigned);

/// Shifts; `left` multiplies.
AxisInfo shift(const Binary &op, bool left, bool isSigned);
AxisInfo bitwiseAnd(const Binary &op);

/// Ops of which only this is known: equal operands give equal results, and a
/// divisor of both, if `divides`, divides the result.
AxisInfo elementwise(const Binary &op, bool divides);
AxisInfo comparison(mlir::arith::CmpIOp cmp, const Binary &op);

} // namespace kernelscope::axis

#endif // KERNELSCOPE_PASSES_ANALYSIS_AXISARITHMETIC_H
