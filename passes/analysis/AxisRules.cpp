//===- AxisRules.cpp - What each op does to facts about axes --------------===//
//
// One function per kind of op: operand facts in, result facts out; at the end
// the table that gives each op its function. All numbers are exponents of two,
// so a product is a sum, and a common divisor a minimum.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/AxisInfo.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

using namespace mlir;
using namespace kernelscope;

namespace {

/// The two operands of a binary op and what their facts have in common.
struct Binary {
  Type type;
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

} // namespace

/// `value` as an integer of `type`'s width would hold it, sign-extended.
static int64_t wrap(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return value;
  if (integer.getWidth() == 1)
    return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), integer.getWidth());
}

/// `value`'s bits read as unsigned in `type`'s width.
static uint64_t asUnsigned(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(value) &
         llvm::maskTrailingOnes<uint64_t>(integer.getWidth());
}

/// Builds the facts axis by axis.
static AxisInfo perAxis(unsigned rank,
                        llvm::function_ref<Axis(unsigned)> axis) {
  SmallVector<Axis> axes;
  for (unsigned i = 0; i < rank; ++i)
    axes.push_back(axis(i));
  return AxisInfo(axes);
}

/// Sums, with offsets counted in units of 2^`stride` (a pointer's element).
static AxisInfo sum(const Binary &op, unsigned stride = 0) {
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

static AxisInfo difference(const Binary &op) {
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

static AxisInfo product(const Binary &op) {
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

static AxisInfo quotient(const Binary &op, bool isSigned) {
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

static AxisInfo remainder(const Binary &op, bool isSigned) {
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
static AxisInfo shift(const Binary &op, bool left, bool isSigned) {
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

static AxisInfo bitwiseAnd(const Binary &op) {
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
static AxisInfo elementwise(const Binary &op, bool divides) {
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
static AxisInfo comparison(arith::CmpIOp cmp, const Binary &op) {
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

/// The condition chooses element by element, or once when it is a scalar.
static AxisInfo selection(Operation *op, ArrayRef<AxisInfo> operands) {
  const AxisInfo &condition = operands[0], &a = operands[1], &b = operands[2];
  bool scalar = !isa<ShapedType>(op->getOperand(0).getType());
  if (a.getRank() != b.getRank() ||
      (!scalar && condition.getRank() != a.getRank()))
    return AxisInfo::unknown(op->getResult(0).getType());
  if (std::optional<int64_t> known = condition.getConstant())
    return *known ? a : b;
  AxisInfo either = AxisInfo::join(a, b);
  return perAxis(either.getRank(), [&](unsigned i) {
    unsigned whole = scalar ? Axis::maxExponent : condition[i].constancy;
    unsigned run = std::min(either[i].contiguity, whole);
    return Axis{run, either.divisibilityOfRuns(i, run),
                std::min(either[i].constancy, whole)};
  });
}

static AxisInfo constant(arith::ConstantOp op) {
  std::optional<int64_t> value = tt::constantOf(op.getResult());
  return value ? AxisInfo::splat(op.getType(), wrap(*value, op.getType()))
               : AxisInfo::unknown(op.getType());
}

static AxisInfo range(tt::MakeRangeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || type.getRank() != 1)
    return AxisInfo::unknown(op.getType());
  return AxisInfo(ArrayRef(Axis{divisorExponent(type.getDimSize(0)),
                                divisorExponent(int32_t(op.getStart())), 0}));
}

static AxisInfo splat(tt::SplatOp op, const AxisInfo &scalar) {
  if (scalar.getConstant())
    return AxisInfo::splat(op.getType(), *scalar.getConstant());
  auto type = cast<RankedTensorType>(op.getType());
  return perAxis(type.getRank(), [&](unsigned i) {
    return Axis{0, scalar.divisibilityOfAll(),
                divisorExponent(type.getDimSize(i))};
  });
}

static AxisInfo expandDims(tt::ExpandDimsOp op, const AxisInfo &source) {
  SmallVector<Axis> axes(source.getAxes());
  if (op.getAxis() > axes.size())
    return AxisInfo::unknown(op.getType());
  unsigned all =
      source.divisibilityOfAll(strideExponent(op.getSrc().getType()));
  axes.insert(axes.begin() + op.getAxis(), Axis{0, all, 0});
  return AxisInfo(axes, source.getConstant());
}

/// A step along a dimension of the result is `step` elements along one
/// dimension of the source, because both count in row-major order.
static AxisInfo reshape(tt::ReshapeOp op, const AxisInfo &source) {
  RankedTensorType from = op.getSrc().getType(), to = op.getType();
  if (source.getConstant())
    return AxisInfo::splat(to, *source.getConstant());
  if (op.getAllowReorder() || source.getRank() != from.getRank())
    return AxisInfo::unknown(to);
  const unsigned stride = strideExponent(from);
  const unsigned all = source.divisibilityOfAll(stride);
  SmallVector<Axis> axes(to.getRank(), Axis{0, all, 0});
  int64_t inner = 1, innerBefore = 1, before = from.getRank() - 1;
  for (int64_t i = to.getRank() - 1; i >= 0; inner *= to.getDimSize(i--)) {
    while (before >= 0 && innerBefore * from.getDimSize(before) <= inner)
      innerBefore *= from.getDimSize(before--);
    if (before < 0 || inner % innerBefore)
      break;
    const int64_t step = inner / innerBefore;
    if (from.getDimSize(before) % step)
      continue;
    const Axis &axis = source[before];
    const unsigned longest =
        std::min(divisorExponent(to.getDimSize(i)),
                 divisorExponent(from.getDimSize(before) / step));
    if (step == 1)
      axes[i].contiguity = std::min(axis.contiguity, longest);
    if (axes[i].contiguity)
      axes[i].divisibility =
          source.divisibilityOfRuns(before, axes[i].contiguity, stride);
    if (const unsigned skipped = divisorExponent(step);
        int64_t(1) << skipped == step && axis.constancy > skipped)
      axes[i].constancy = std::min(axis.constancy - skipped, longest);
  }
  return AxisInfo(axes);
}

static AxisInfo broadcast(tt::BroadcastOp op, const AxisInfo &source) {
  auto from = cast<RankedTensorType>(op.getSrc().getType());
  auto to = cast<RankedTensorType>(op.getType());
  if (from.getRank() != to.getRank())
    return AxisInfo::unknown(to);
  SmallVector<Axis> axes(source.getAxes());
  for (auto [i, axis] : llvm::enumerate(axes))
    if (from.getDimSize(i) == 1)
      axis.constancy = divisorExponent(to.getDimSize(i));
  return AxisInfo(axes, source.getConstant());
}

static AxisInfo transpose(tt::TransOp op, const AxisInfo &source) {
  SmallVector<Axis> axes;
  for (int32_t from : op.getOrder()) {
    if (from < 0 || unsigned(from) >= source.getRank())
      return AxisInfo::unknown(op.getType());
    axes.push_back(source[from]);
  }
  return AxisInfo(axes, source.getConstant());
}

/// Equal pointers under equal masks load equal values.
static AxisInfo load(tt::LoadOp op, ArrayRef<AxisInfo> operands) {
  if (op.getIsVolatile())
    return AxisInfo::unknown(op.getType());
  return perAxis(operands.front().getRank(), [&](unsigned i) {
    unsigned constancy = Axis::maxExponent;
    for (const AxisInfo &operand : operands)
      constancy = std::min(constancy, operand[i].constancy);
    return Axis{0, 0, constancy};
  });
}

/// Conversions between integers, pointers and integers, or pointers of two
/// kinds. `toUnsigned` zero-extends.
static AxisInfo cast(Operation *op, const AxisInfo &source, bool toUnsigned) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (std::optional<int64_t> value = source.getConstant()) {
    bool fromBool = getElementTypeOrSelf(from).isInteger(1);
    int64_t extended = toUnsigned ? int64_t(asUnsigned(*value, from))
                       : fromBool ? -*value
                                  : *value;
    return AxisInfo::splat(to, wrap(extended, to));
  }
  // Neighbours stay neighbours only if both kinds step alike, and not in i1.
  unsigned stride = strideExponent(from);
  bool steps = stride == strideExponent(to) &&
               !getElementTypeOrSelf(to).isInteger(1) &&
               !getElementTypeOrSelf(from).isInteger(1);
  return perAxis(source.getRank(), [&](unsigned i) {
    unsigned run = steps ? source[i].contiguity : 0;
    return Axis{run, source.divisibilityOfRuns(i, run, stride),
                source[i].constancy};
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// What is known of an op's one result, given what is known of its operands.
struct Rule {
  std::function<AxisInfo(Operation *, ArrayRef<AxisInfo>)> result;
  /// Operands may have another rank than the result; else no rule is asked,
  /// since IR that does not verify may mix ranks.
  bool mixesRanks = false;
};

class Rules {
public:
  Rules();
  const Rule *find(Operation *op) const {
    auto found = rules.find(op->getName().getTypeID());
    return found == rules.end() ? nullptr : &found->second;
  }

private:
  template <typename Op> void add(Rule rule) {
    rules[TypeID::get<Op>()] = std::move(rule);
  }
  /// `rule(op, operand facts...)`.
  template <typename Op> void addUnary(AxisInfo (*rule)(Op, const AxisInfo &)) {
    add<Op>({[rule](Operation *op, ArrayRef<AxisInfo> operands) {
      return rule(cast<Op>(op), operands[0]);
    }});
  }
  /// `rule(operands)`.
  template <typename Op, typename F> void addBinary(F rule) {
    add<Op>({[rule](Operation *op, ArrayRef<AxisInfo> operands) {
      return rule(Binary{op->getResult(0).getType(), operands[0], operands[1]});
    }});
  }
  template <typename... Ops> void addCasts(bool toUnsigned) {
    (add<Ops>({[toUnsigned](Operation *op, ArrayRef<AxisInfo> operands) {
       return cast(op, operands[0], toUnsigned);
     }}),
     ...);
  }
  template <typename... Ops> void addElementwise() {
    (addBinary<Ops>(
         [](const Binary &op) { return elementwise(op, /*divides=*/true); }),
     ...);
  }

  DenseMap<TypeID, Rule> rules;
};

} // namespace

Rules::Rules() {
  add<arith::ConstantOp>({[](Operation *op, ArrayRef<AxisInfo>) {
    return constant(cast<arith::ConstantOp>(op));
  }});
  add<tt::MakeRangeOp>({[](Operation *op, ArrayRef<AxisInfo>) {
    return range(cast<tt::MakeRangeOp>(op));
  }});
  add<tt::LoadOp>({[](Operation *op, ArrayRef<AxisInfo> operands) {
    return load(cast<tt::LoadOp>(op), operands);
  }});
  addUnary(splat);
  addUnary(expandDims);
  addUnary(reshape);
  rules[TypeID::get<tt::SplatOp>()].mixesRanks = true;
  rules[TypeID::get<tt::ExpandDimsOp>()].mixesRanks = true;
  rules[TypeID::get<tt::ReshapeOp>()].mixesRanks = true;
  addUnary(broadcast);
  addUnary(transpose);
  add<ttg::ConvertLayoutOp>(
      {[](Operation *, ArrayRef<AxisInfo> operands) { return operands[0]; }});

  addBinary<tt::AddPtrOp>(
      [](const Binary &op) { return sum(op, strideExponent(op.type)); });
  addBinary<arith::AddIOp>([](const Binary &op) { return sum(op); });
  addBinary<arith::SubIOp>(difference);
  addBinary<arith::MulIOp>(product);
  addBinary<arith::DivSIOp>(
      [](const Binary &op) { return quotient(op, true); });
  addBinary<arith::DivUIOp>(
      [](const Binary &op) { return quotient(op, false); });
  addBinary<arith::RemSIOp>(
      [](const Binary &op) { return remainder(op, true); });
  addBinary<arith::RemUIOp>(
      [](const Binary &op) { return remainder(op, false); });
  addBinary<arith::ShLIOp>(
      [](const Binary &op) { return shift(op, /*left=*/true, false); });
  addBinary<arith::ShRSIOp>(
      [](const Binary &op) { return shift(op, /*left=*/false, true); });
  addBinary<arith::ShRUIOp>(
      [](const Binary &op) { return shift(op, /*left=*/false, false); });
  addBinary<arith::AndIOp>(bitwiseAnd);
  addElementwise<arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MinUIOp,
                 arith::MaxSIOp, arith::MaxUIOp>();

  add<arith::CmpIOp>({[](Operation *op, ArrayRef<AxisInfo> operands) {
    return comparison(
        cast<arith::CmpIOp>(op),
        Binary{op->getResult(0).getType(), operands[0], operands[1]});
  }});
  add<arith::SelectOp>({[](Operation *op, ArrayRef<AxisInfo> operands) {
                          return selection(op, operands);
                        },
                        /*mixesRanks=*/true});
  addCasts<arith::ExtUIOp, arith::IndexCastUIOp>(/*toUnsigned=*/true);
  addCasts<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, tt::PtrToIntOp,
           tt::IntToPtrOp, tt::BitcastOp>(/*toUnsigned=*/false);
}

SmallVector<AxisInfo> kernelscope::axisInfoOf(Operation *op,
                                              ArrayRef<AxisInfo> operands) {
  static const Rules rules;
  SmallVector<AxisInfo> results;
  for (Type type : op->getResultTypes())
    results.push_back(AxisInfo::unknown(type));
  const Rule *rule = rules.find(op);
  if (!rule || op->getNumResults() != 1)
    return results;
  unsigned rank = results[0].getRank();
  if (!rule->mixesRanks && llvm::any_of(operands, [&](const AxisInfo &info) {
        return info.getRank() != rank;
      }))
    return results;
  AxisInfo info = rule->result(op, operands);
  if (info.getRank() == rank)
    results[0] = info;
  return results;
}
