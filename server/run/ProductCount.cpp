//===- ProductCount.cpp - How much a kernel multiplies --------------------===//

#include "server/run/ProductCount.h"

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cmath>

using namespace mlir;

namespace kernelscope::run {
namespace {

using ProgramId = std::array<int64_t, 3>;

/// Folds integers of a kernel from its arguments, and from the program's id if
/// there is one.
class Integers {
public:
  Integers(FunctionOpInterface kernel, const Launch &launch,
           std::optional<ProgramId> program = std::nullopt)
      : launch(launch), program(program) {
    for (auto [value, argument] :
         llvm::zip(kernel.getArguments(), launch.arguments))
      if (isa<IntegerType>(value.getType()))
        known[value] = IntegerAttr::get(
            value.getType(), APInt(value.getType().getIntOrFloatBitWidth(),
                                   argument.scalar.bits, /*isSigned=*/false,
                                   /*implicitTrunc=*/true));
  }

  /// Whether a program's id would have been needed.
  bool needsProgram() const { return lacksProgram; }

  /// The same in one iteration of the loop whose induction variable is `value`.
  Integers with(Value value, int64_t number) const {
    Integers inside = *this;
    inside.known.clear();
    for (const auto &[one, attribute] : known)
      if (attribute)
        inside.known[one] = attribute;
    inside.known[value] = IntegerAttr::get(value.getType(), number);
    return inside;
  }

  std::optional<int64_t> valueOf(Value value) {
    if (auto integer = dyn_cast_or_null<IntegerAttr>(fold(value, 0)))
      return integer.getValue().getSExtValue();
    return std::nullopt;
  }

private:
  static constexpr unsigned deepest = 64;

  Attribute fold(Value value, unsigned depth) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    Attribute result;
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (Value captured = capturedBy(argument); captured && depth < deepest)
        result = fold(captured, depth + 1);
    if (op && depth < deepest && op->getNumRegions() == 0)
      result = foldOp(op, cast<OpResult>(value).getResultNumber(), depth);
    return known[value] = result;
  }

  /// What the argument of a partition of `ttg.warp_specialize` is outside.
  static Value capturedBy(BlockArgument argument) {
    auto partitions = dyn_cast_or_null<ttg::WarpSpecializePartitionsOp>(
        argument.getOwner()->getParentOp());
    return partitions && argument.getArgNumber() < partitions->getNumOperands()
               ? partitions->getOperand(argument.getArgNumber())
               : Value();
  }

  Attribute foldOp(Operation *op, unsigned number, unsigned depth) {
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
      const auto axis = static_cast<unsigned>(id.getAxis());
      lacksProgram |= !program;
      return program && axis < program->size()
                 ? IntegerAttr::get(id.getType(), (*program)[axis])
                 : nullptr;
    }
    if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op)) {
      const uint32_t sizes[] = {launch.grid.x, launch.grid.y, launch.grid.z};
      return IntegerAttr::get(
          programs.getType(),
          sizes[std::min<unsigned>(static_cast<unsigned>(programs.getAxis()),
                                   2)]);
    }
    Attribute constant;
    if (op->getNumOperands() == 0)
      return matchPattern(op, m_Constant(&constant)) ? constant : nullptr;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      if (Attribute folded = fold(operand, depth + 1))
        operands.push_back(folded);
      else
        return nullptr;
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() <= number)
      return nullptr;
    if (auto value = dyn_cast<Value>(results[number]))
      return fold(value, depth + 1);
    return cast<Attribute>(results[number]);
  }

  const Launch &launch;
  const std::optional<ProgramId> program;
  bool lacksProgram = false;
  /// Null for what is not known.
  DenseMap<Value, Attribute> known;
};

/// The predicate without which `op` does nothing; null without one.
Value predicateOf(Operation *op) {
  auto accesses = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  return accesses ? accesses.getAccessMode().predicate : Value();
}

struct Bounds {
  int64_t begin, end, step;
  double steps() const {
    double range = static_cast<double>(end) - static_cast<double>(begin);
    return std::max(std::ceil(range / static_cast<double>(step)), 0.0);
  }
};

std::optional<Bounds> boundsOf(scf::ForOp loop, Integers &integers) {
  auto begin = integers.valueOf(loop.getLowerBound());
  auto end = integers.valueOf(loop.getUpperBound());
  auto step = integers.valueOf(loop.getStep());
  if (!begin || !end || !step || *step <= 0)
    return std::nullopt;
  return Bounds{*begin, *end, *step};
}

/// How often `op` is done in one program, leaving its predicate out.
std::optional<double> timesOf(Operation *op, Integers &integers) {
  double times = 1;
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (isa<scf::WhileOp>(parent))
      return std::nullopt;
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      auto condition = integers.valueOf(branch.getCondition());
      if (!condition)
        return std::nullopt;
      if (branch.getThenRegion().isAncestor(op->getParentRegion()) !=
          (*condition != 0))
        return 0;
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      continue;
    auto bounds = boundsOf(loop, integers);
    if (!bounds)
      return std::nullopt;
    times *= bounds->steps();
  }
  return times;
}

/// The same, counting only what its predicate lets happen.
std::optional<double> timesWithPredicate(Operation *op, Integers &integers) {
  Value predicate = predicateOf(op);
  if (!predicate)
    return timesOf(op, integers);
  if (auto isDone = integers.valueOf(predicate))
    return *isDone ? timesOf(op, integers) : 0;
  // It may differ between the iterations of the loop around it.
  constexpr double mostSteps = 4096;
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  auto bounds = loop ? boundsOf(loop, integers) : std::nullopt;
  if (!bounds || bounds->steps() > mostSteps)
    return std::nullopt;
  double done = 0;
  for (int64_t i = bounds->begin; i < bounds->end; i += bounds->step) {
    auto isDone = integers.with(loop.getInductionVar(), i).valueOf(predicate);
    if (!isDone)
      return std::nullopt;
    done += *isDone != 0;
  }
  auto loops = timesOf(loop, integers);
  return loops ? std::optional<double>(*loops * done) : std::nullopt;
}

/// The products of one program, or of each where ids do not matter.
std::optional<ProductCount> countIn(ArrayRef<tt::DotOpInterface> products,
                                    Integers &integers) {
  ProductCount count;
  for (tt::DotOpInterface product : products) {
    auto a = dyn_cast<ShapedType>(product.getA().getType());
    auto b = dyn_cast<ShapedType>(product.getB().getType());
    std::optional<double> times = timesWithPredicate(product, integers);
    const bool isPacked =
        product.getPacking(0).factor != 1 || product.getPacking(1).factor != 1;
    if (!a || !b || !times || isPacked || !a.getElementType().isIntOrFloat())
      return std::nullopt;
    const unsigned bits = a.getElementTypeBitWidth();
    if (count.operandBits && count.operandBits != bits)
      return std::nullopt;
    count.operandBits = bits;
    count.operations += 2 * *times * static_cast<double>(a.getNumElements()) *
                        static_cast<double>(b.getShape().back());
  }
  return count;
}

} // namespace

std::optional<ProductCount> countProducts(FunctionOpInterface kernel,
                                          const Launch &launch) {
  SmallVector<tt::DotOpInterface> products;
  kernel.walk([&](tt::DotOpInterface product) { products.push_back(product); });
  const auto &grid = launch.grid;
  const double programs = static_cast<double>(grid.x) * grid.y * grid.z;
  Integers integers(kernel, launch);
  std::optional<ProductCount> count = countIn(products, integers);
  if (count) {
    count->operations *= programs;
  } else if (constexpr double most = 1 << 16;
             integers.needsProgram() && programs <= most) {
    count = ProductCount();
    for (int64_t z = 0; z < grid.z && count; ++z)
      for (int64_t y = 0; y < grid.y && count; ++y)
        for (int64_t x = 0; x < grid.x && count; ++x) {
          Integers own(kernel, launch, ProgramId{x, y, z});
          std::optional<ProductCount> part = countIn(products, own);
          if (!part)
            return std::nullopt;
          count->operandBits = part->operandBits;
          count->operations += part->operations;
        }
  }
  return count && count->operations > 0 ? count : std::nullopt;
}

} // namespace kernelscope::run
