//===- AxisArithmetic.cpp - Facts about axes of sums, products and the like
//===//

#include "passes/analysis/AxisArithmetic.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace kernelscope::axis {

/// `value` as an integer of `type`'s width would hold it, sign-extended.
int64_t wrap(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return value;
  if (integer.getWidth() == 1)
    return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), integer.getWidth());
}

/// `value`'s bits read as unsigned in `type`'s width.
uint64_t asUnsigned(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(value) &
         llvm::maskTrailingOnes<uint64_t>(integer.getWidth());
}

/// Builds the facts axis by axis.
AxisInfo perAxis(unsigned rank, llvm::function_ref<Axis(unsigned)> axis) {
  SmallVector<Axis> axes;
  for (unsigned i = 0; i < rank; ++i)
    axes.push_back(axis(i));
  return AxisInfo(axes);
}

/// Sums, with offsets counted in units of 2^`stride` (a pointer's element).
AxisInfo sum(const Binary &op, unsigned stride) {
  if (auto values = op.constants())
    return AxisInfo::splat(op.type,
                           wrap(int64_t(uint64_t(values->first) +
                                        (uint64_t(values->second) << stride)),
                                op.type));
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    const Axis &l = op.lhs[i], &r = op.rhs[i];
    unsigned run = std::max(std::min(l.contiguity, r.constancy),
                            std::min(l.constancy, r.contiguity));
    unsigned divisibility =
        std::min(op.lhs.divisibilityOfRuns(i, run, stride),
                 op.rhs.divisibilityOfRuns(i, run) + stride);
    return Axis{run, std::min(divisibility, Axis::maxExponent),
                op.constancy(i)};
  });
}

AxisInfo difference(const Binary &op) {
  if (auto values = op.constants())
    return AxisInfo::splat(op.type, wrap(int64_t(uint64_t(values->first) -
                                                 uint64_t(values->second)),
                                         op.type));
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    unsigned run = std::min(op.lhs[i].contiguity, op.rhs[i].constancy);
    return Axis{run,
                std::min(op.lhs.divisibilityOfRuns(i, run),
                         op.rhs.divisibilityOfRuns(i, run)),
                op.constancy(i)};
  });
}

AxisInfo product(const Binary &op) {
  if (auto values = op.constants())
    return AxisInfo::splat(op.type, wrap(int64_t(uint64_t(values->first) *
                                                 uint64_t(values->second)),
                                         op.type));
  if (op.lhs.getConstant() == 1)
    return op.rhs;
  if (op.rhs.getConstant() == 1)
    return op.lhs;
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    return Axis{0,
                std::min(op.lhs.divisibilityOfRuns(i, 0) +
                             op.rhs.divisibilityOfRuns(i, 0),
                         Axis::maxExponent),
                op.constancy(i)};
  });
}

/// Quotients by a divisor that is a multiple of 2^`divisor` (exactly that when
/// `exact`) and equal along runs of 2^`divisorRun`.
static Axis quotient(const AxisInfo &lhs, unsigned i, unsigned divisor,
                     unsigned divisorRun, bool exact) {
  // A run that starts at a multiple of its length, and is no longer than the
  // divisor's, has one quotient.
  unsigned run =
      std::min({lhs[i].contiguity, lhs[i].divisibility, divisor, divisorRun});
  unsigned all = lhs.divisibilityOfRuns(i, 0);
  return Axis{0, exact && all > divisor ? all - divisor : 0,
              std::max(run, std::min(lhs[i].constancy, divisorRun))};
}

AxisInfo quotient(const Binary &op, bool isSigned) {
  if (auto values = op.constants(); values && values->second != 0) {
    auto [l, r] = *values;
    if (!isSigned)
      return AxisInfo::splat(op.type, wrap(int64_t(asUnsigned(l, op.type) /
                                                   asUnsigned(r, op.type)),
                                           op.type));
    // The one signed quotient that overflows wraps to its dividend's negation.
    return AxisInfo::splat(
        op.type, wrap(r == -1 ? int64_t(0 - uint64_t(l)) : l / r, op.type));
  }
  if (op.rhs.getConstant() == 1)
    return op.lhs;
  bool exact = op.rhs.getConstant() && *op.rhs.getConstant() > 0 &&
               llvm::isPowerOf2_64(*op.rhs.getConstant());
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    return quotient(op.lhs, i, op.rhs.divisibilityOfRuns(i, 0),
                    op.rhs[i].constancy, exact);
  });
}

/// Remainders by a divisor as in `quotient`.
static Axis remainder(const AxisInfo &lhs, unsigned i, unsigned divisor,
                      unsigned divisorRun) {
  unsigned run =
      std::min({lhs[i].contiguity, lhs[i].divisibility, divisor, divisorRun});
  return Axis{run, std::min(lhs.divisibilityOfRuns(i, run), divisor),
              std::min(lhs[i].constancy, divisorRun)};
}

AxisInfo remainder(const Binary &op, bool isSigned) {
  if (auto values = op.constants(); values && values->second != 0) {
    auto [l, r] = *values;
    if (!isSigned)
      return AxisInfo::splat(op.type, wrap(int64_t(asUnsigned(l, op.type) %
                                                   asUnsigned(r, op.type)),
                                           op.type));
    return AxisInfo::splat(op.type, r == -1 ? 0 : l % r);
  }
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    return remainder(op.lhs, i, op.rhs.divisibilityOfRuns(i, 0),
                     op.rhs[i].constancy);
  });
}

/// Shifts; `left` multiplies. A negative or too large amount is poison, of
/// which anything holds.
AxisInfo shift(const Binary &op, bool left, bool isSigned) {
  std::optional<int64_t> amount = op.rhs.getConstant();
  if (!amount || *amount < 0 || *amount >= 64)
    return perAxis(op.lhs.getRank(), [&](unsigned i) {
      return Axis{0, left ? op.lhs.divisibilityOfRuns(i, 0) : 0,
                  op.constancy(i)};
    });
  if (*amount == 0)
    return op.lhs;
  if (std::optional<int64_t> value = op.lhs.getConstant()) {
    int64_t result = left ? int64_t(uint64_t(*value) << *amount)
                     : isSigned
                         ? *value >> *amount
                         : int64_t(asUnsigned(*value, op.type) >> *amount);
    return AxisInfo::splat(op.type, wrap(result, op.type));
  }
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    if (!left)
      return quotient(op.lhs, i, *amount, op.rhs[i].constancy, /*exact=*/true);
    return Axis{0,
                std::min<unsigned>(op.lhs.divisibilityOfRuns(i, 0) + *amount,
                                   Axis::maxExponent),
                op.constancy(i)};
  });
}

AxisInfo bitwiseAnd(const Binary &op) {
  if (auto values = op.constants())
    return AxisInfo::splat(op.type, values->first & values->second);
  // Masking the low bits is a remainder.
  std::optional<int64_t> mask = op.rhs.getConstant();
  if (mask && *mask > 0 && llvm::isMask_64(*mask))
    return perAxis(op.lhs.getRank(), [&](unsigned i) {
      return remainder(op.lhs, i, llvm::popcount(uint64_t(*mask)),
                       op.rhs[i].constancy);
    });
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    return Axis{0,
                std::max(op.lhs.divisibilityOfRuns(i, 0),
                         op.rhs.divisibilityOfRuns(i, 0)),
                op.constancy(i)};
  });
}

/// Ops of which only this is known: equal operands give equal results, and a
/// divisor of both, when `divides`, divides the result.
AxisInfo elementwise(const Binary &op, bool divides) {
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    return Axis{0,
                divides ? std::min(op.lhs.divisibilityOfRuns(i, 0),
                                   op.rhs.divisibilityOfRuns(i, 0))
                        : 0,
                op.constancy(i)};
  });
}

static bool compare(arith::CmpIPredicate predicate, int64_t l, int64_t r,
                    Type type) {
  uint64_t ul = asUnsigned(l, type), ur = asUnsigned(r, type);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return l == r;
  case arith::CmpIPredicate::ne:
    return l != r;
  case arith::CmpIPredicate::slt:
    return l < r;
  case arith::CmpIPredicate::sle:
    return l <= r;
  case arith::CmpIPredicate::sgt:
    return l > r;
  case arith::CmpIPredicate::sge:
    return l >= r;
  case arith::CmpIPredicate::ult:
    return ul < ur;
  case arith::CmpIPredicate::ule:
    return ul <= ur;
  case arith::CmpIPredicate::ugt:
    return ul > ur;
  case arith::CmpIPredicate::uge:
    return ul >= ur;
  }
  return false;
}

/// A run of n values from a multiple of n lies all below or all at and above
/// any multiple of n.
AxisInfo comparison(arith::CmpIOp cmp, const Binary &op) {
  using P = arith::CmpIPredicate;
  P predicate = cmp.getPredicate();
  if (auto values = op.constants())
    return AxisInfo::splat(op.type,
                           compare(predicate, values->first, values->second,
                                   cmp.getLhs().getType()));
  bool below = llvm::is_contained({P::slt, P::ult, P::sge, P::uge}, predicate);
  bool above = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  auto run = [](const AxisInfo &range, const AxisInfo &bound, unsigned i) {
    return std::min({range[i].contiguity, range[i].divisibility,
                     bound[i].constancy, bound.divisibilityOfRuns(i, 0)});
  };
  return perAxis(op.lhs.getRank(), [&](unsigned i) {
    unsigned constancy = op.constancy(i);
    if (below)
      constancy = std::max(constancy, run(op.lhs, op.rhs, i));
    if (above)
      constancy = std::max(constancy, run(op.rhs, op.lhs, i));
    return Axis{0, 0, constancy};
  });
}

} // namespace kernelscope::axis
