//===- AxisRules.cpp - What each op does to facts about axes --------------===//
//
// One function per kind of op: operand facts in, result facts out; at the end
// the table that gives each op its function. Arithmetic is in AxisArithmetic.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/AxisArithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

using namespace mlir;
using namespace kernelscope;

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
  return axis::perAxis(either.getRank(), [&](unsigned i) {
    unsigned whole = scalar ? Axis::maxExponent : condition[i].constancy;
    unsigned run = std::min(either[i].contiguity, whole);
    return Axis{run, either.divisibilityOfRuns(i, run),
                std::min(either[i].constancy, whole)};
  });
}

static AxisInfo constant(arith::ConstantOp op) {
  std::optional<int64_t> value = tt::constantOf(op.getResult());
  return value ? AxisInfo::splat(op.getType(), axis::wrap(*value, op.getType()))
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
  return axis::perAxis(type.getRank(), [&](unsigned i) {
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
  return axis::perAxis(operands.front().getRank(), [&](unsigned i) {
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
    int64_t extended = toUnsigned ? int64_t(axis::asUnsigned(*value, from))
                       : fromBool ? -*value
                                  : *value;
    return AxisInfo::splat(to, axis::wrap(extended, to));
  }
  // Neighbours stay neighbours only if both kinds step alike, and not in i1.
  unsigned stride = strideExponent(from);
  bool steps = stride == strideExponent(to) &&
               !getElementTypeOrSelf(to).isInteger(1) &&
               !getElementTypeOrSelf(from).isInteger(1);
  return axis::perAxis(source.getRank(), [&](unsigned i) {
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
      return rule(
          axis::Binary{op->getResult(0).getType(), operands[0], operands[1]});
    }});
  }
  template <typename... Ops> void addCasts(bool toUnsigned) {
    (add<Ops>({[toUnsigned](Operation *op, ArrayRef<AxisInfo> operands) {
       return cast(op, operands[0], toUnsigned);
     }}),
     ...);
  }
  template <typename... Ops> void addElementwise() {
    (addBinary<Ops>([](const axis::Binary &op) {
       return axis::elementwise(op, /*divides=*/true);
     }),
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

  addBinary<tt::AddPtrOp>([](const axis::Binary &op) {
    return axis::sum(op, strideExponent(op.type));
  });
  addBinary<arith::AddIOp>(
      [](const axis::Binary &op) { return axis::sum(op); });
  addBinary<arith::SubIOp>(axis::difference);
  addBinary<arith::MulIOp>(axis::product);
  addBinary<arith::DivSIOp>(
      [](const axis::Binary &op) { return axis::quotient(op, true); });
  addBinary<arith::DivUIOp>(
      [](const axis::Binary &op) { return axis::quotient(op, false); });
  addBinary<arith::RemSIOp>(
      [](const axis::Binary &op) { return axis::remainder(op, true); });
  addBinary<arith::RemUIOp>(
      [](const axis::Binary &op) { return axis::remainder(op, false); });
  addBinary<arith::ShLIOp>([](const axis::Binary &op) {
    return axis::shift(op, /*left=*/true, false);
  });
  addBinary<arith::ShRSIOp>([](const axis::Binary &op) {
    return axis::shift(op, /*left=*/false, true);
  });
  addBinary<arith::ShRUIOp>([](const axis::Binary &op) {
    return axis::shift(op, /*left=*/false, false);
  });
  addBinary<arith::AndIOp>(axis::bitwiseAnd);
  addElementwise<arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MinUIOp,
                 arith::MaxSIOp, arith::MaxUIOp>();

  add<arith::CmpIOp>({[](Operation *op, ArrayRef<AxisInfo> operands) {
    return axis::comparison(
        cast<arith::CmpIOp>(op),
        axis::Binary{op->getResult(0).getType(), operands[0], operands[1]});
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
