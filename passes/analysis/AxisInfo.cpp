//===- AxisInfo.cpp - How values run along a tensor's axes ----------------===//
//
// The lattice and the dataflow analysis; AxisRules.cpp has the rule of each op.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/AxisInfo.h"
#include "dialects/tt/TT.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace kernelscope;

//===----------------------------------------------------------------------===//
// The facts
//===----------------------------------------------------------------------===//

unsigned kernelscope::divisorExponent(int64_t value) {
  if (value == 0)
    return Axis::maxExponent;
  return std::min<unsigned>(llvm::countr_zero(static_cast<uint64_t>(value)),
                            Axis::maxExponent);
}

unsigned kernelscope::strideExponent(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(getElementTypeOrSelf(type));
  return pointer ? divisorExponent(tt::bytesInMemory(pointer.getPointeeType()))
                 : 0;
}

/// Rank of the facts about values of `type`.
static unsigned rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::max<int64_t>(1, tensor.getRank()) : 1;
}

AxisInfo AxisInfo::unknown(Type type) {
  return AxisInfo(SmallVector<Axis>(rankOf(type)));
}

AxisInfo AxisInfo::splat(Type type, int64_t value) {
  SmallVector<Axis> axes(rankOf(type), Axis{0, divisorExponent(value), 0});
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (auto [axis, size] : llvm::zip(axes, tensor.getShape()))
      axis.constancy = divisorExponent(size);
  return AxisInfo(axes, value);
}

unsigned AxisInfo::divisibilityOfRuns(unsigned axis, unsigned run,
                                      unsigned stride) const {
  const Axis &facts = axes[axis];
  if (run >= facts.contiguity)
    return facts.divisibility;
  // A shorter run starts 2^run elements after the one before.
  return std::min(facts.divisibility, run + stride);
}

unsigned AxisInfo::divisibilityOfAll(unsigned stride) const {
  // What holds of single elements along any one axis holds of all.
  unsigned best = 0;
  for (unsigned axis = 0; axis < getRank(); ++axis)
    best = std::max(best, divisibilityOfRuns(axis, 0, stride));
  return best;
}

AxisInfo AxisInfo::join(const AxisInfo &a, const AxisInfo &b) {
  if (a.isUninitialized())
    return b;
  if (b.isUninitialized())
    return a;
  SmallVector<Axis> axes(std::min(a.getRank(), b.getRank()));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    unsigned run = std::min(a[i].contiguity, b[i].contiguity);
    // Along a run shorter than its own, a value is only as aligned as the run;
    // a pointer's stride is unknown here, and one byte is the least.
    axis = {
        run,
        std::min(a.divisibilityOfRuns(i, run), b.divisibilityOfRuns(i, run)),
        std::min(a[i].constancy, b[i].constancy)};
  }
  return AxisInfo(axes, a.constant == b.constant ? a.constant : std::nullopt);
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, unsigned Axis::*fact) {
    os << name << " = [";
    llvm::interleaveComma(
        axes, os, [&](const Axis &axis) { os << (int64_t(1) << axis.*fact); });
    os << "]";
  };
  list("contiguity", &Axis::contiguity);
  list(", divisibility", &Axis::divisibility);
  list(", constancy", &Axis::constancy);
  if (constant)
    os << ", constant = " << *constant;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// Replaces `fact` of each axis by what the hint says: a number for all axes,
/// or one per axis. A hint of another form, or that is not positive, says
/// nothing.
static void applyHint(MutableArrayRef<Axis> axes, Attribute hint,
                      unsigned Axis::*fact) {
  auto apply = [&](Axis &axis, const APInt &value) {
    if (value.isStrictlyPositive())
      axis.*fact = std::min(value.countr_zero(), Axis::maxExponent);
  };
  if (auto number = dyn_cast_or_null<IntegerAttr>(hint)) {
    for (Axis &axis : axes)
      apply(axis, number.getValue());
  } else if (auto numbers = dyn_cast_or_null<DenseIntElementsAttr>(hint)) {
    if (numbers.getNumElements() == int64_t(axes.size()))
      for (auto [axis, value] : llvm::zip(axes, numbers.getValues<APInt>()))
        apply(axis, value);
  }
}

static AxisInfo withHints(const AxisInfo &info,
                          llvm::function_ref<Attribute(StringRef)> hint) {
  SmallVector<Axis> axes(info.getAxes());
  applyHint(axes, hint("tt.contiguity"), &Axis::contiguity);
  applyHint(axes, hint("tt.divisibility"), &Axis::divisibility);
  applyHint(axes, hint("tt.constancy"), &Axis::constancy);
  return AxisInfo(axes, info.getConstant());
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
using AxisLattice = dataflow::Lattice<AxisInfo>;

class Propagation
    : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    SmallVector<AxisInfo> inputs;
    for (const AxisLattice *operand : operands) {
      if (operand->getValue().isUninitialized())
        return success();
      inputs.push_back(operand->getValue());
    }
    for (auto [lattice, info] : llvm::zip(results, axisInfoOf(op, inputs))) {
      auto hint = [&](StringRef name) { return op->getDiscardableAttr(name); };
      propagateIfChanged(lattice, lattice->join(withHints(info, hint)));
    }
    return success();
  }

  void setToEntryState(AxisLattice *lattice) override {
    Value value = lattice->getAnchor();
    AxisInfo info = AxisInfo::unknown(value.getType());
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
    if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent);
        function && argument.getOwner()->isEntryBlock() &&
        argument.getArgNumber() < function.getNumArguments())
      info = withHints(info, [&](StringRef name) {
        return function.getArgAttr(argument.getArgNumber(), name);
      });
    propagateIfChanged(lattice, lattice->join(info));
  }

  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<AxisLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || arguments.empty() ||
        arguments.front()->getAnchor() != loop.getInductionVar())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    // The induction variable is the lower bound and some steps more.
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &lower =
        getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step =
        getLatticeElementFor(point, loop.getStep())->getValue();
    if (lower.isUninitialized() || step.isUninitialized())
      return;
    unsigned divisibility =
        std::min(lower.divisibilityOfAll(), step.divisibilityOfAll());
    AxisLattice *variable = arguments.front();
    propagateIfChanged(
        variable, variable->join(AxisInfo(ArrayRef(Axis{0, divisibility, 0}))));
  }
};
} // namespace

AxisInfoAnalysis::AxisInfoAnalysis(Operation *root)
    : solver(std::make_unique<DataFlowSolver>()) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<Propagation>();
  // It fails only if a rule does, and none of ours can; then nothing is known.
  if (failed(solver->initializeAndRun(root)))
    solver = std::make_unique<DataFlowSolver>();
}

AxisInfoAnalysis::~AxisInfoAnalysis() = default;

AxisInfo AxisInfoAnalysis::get(Value value) const {
  const auto *lattice = solver->lookupState<AxisLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized() ||
      lattice->getValue().getRank() != rankOf(value.getType()))
    return AxisInfo::unknown(value.getType());
  return lattice->getValue();
}

int64_t AxisInfoAnalysis::accessElements(Value pointersOrOffsets, unsigned axis,
                                         unsigned elementBits) const {
  AxisInfo info = get(pointersOrOffsets);
  if (axis >= info.getRank())
    return 1;
  unsigned divisibility = info[axis].divisibility;
  // Of pointers it is counted in bytes.
  if (isa<tt::PointerType>(getElementTypeOrSelf(pointersOrOffsets.getType()))) {
    unsigned bytes = llvm::Log2_32_Ceil(std::max(1u, elementBits / 8));
    divisibility -= std::min(divisibility, bytes);
  }
  return int64_t(1) << std::min(divisibility, info[axis].contiguity);
}

int64_t AxisInfoAnalysis::maskRun(Value mask, unsigned axis) const {
  AxisInfo info = get(mask);
  return axis < info.getRank() ? int64_t(1) << info[axis].constancy : 1;
}
