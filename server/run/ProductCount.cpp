//===- ProductCount.cpp - How much a kernel multiplies --------------------===//

#include "server/run/ProductCount.h"

#include "dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace mlir;

namespace kernelscope::run {
namespace {

/// Folds integers of a kernel from its arguments.
class Integers {
public:
  Integers(FunctionOpInterface kernel, const Launch &launch) : launch(launch) {
    for (auto [value, argument] :
         llvm::zip(kernel.getArguments(), launch.arguments))
      if (isa<IntegerType>(value.getType()))
        known[value] = IntegerAttr::get(
            value.getType(), APInt(value.getType().getIntOrFloatBitWidth(),
                                   argument.scalar.bits, /*isSigned=*/false,
                                   /*implicitTrunc=*/true));
  }

  std::optional<int64_t> valueOf(Value value) {
    if (auto integer = dyn_cast_or_null<IntegerAttr>(fold(value, 0)))
      return integer.getValue().getSExtValue();
    return std::nullopt;
  }

private:
  Attribute fold(Value value, unsigned depth) {
    constexpr unsigned deepest = 64;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    Operation *op = value.getDefiningOp();
    Attribute result;
    if (op && depth < deepest && op->getNumRegions() == 0)
      result = foldOp(op, cast<OpResult>(value).getResultNumber(), depth);
    return known[value] = result;
  }

  Attribute foldOp(Operation *op, unsigned number, unsigned depth) {
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
  /// Null for what is not known.
  DenseMap<Value, Attribute> known;
};

/// How often `op` is done in one program.
std::optional<double> timesOf(Operation *op, Integers &integers) {
  double times = 1;
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (isa<scf::IfOp, scf::WhileOp>(parent))
      return std::nullopt;
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      continue;
    auto begin = integers.valueOf(loop.getLowerBound());
    auto end = integers.valueOf(loop.getUpperBound());
    auto step = integers.valueOf(loop.getStep());
    if (!begin || !end || !step || *step <= 0)
      return std::nullopt;
    double range = static_cast<double>(*end) - static_cast<double>(*begin);
    times *= std::max(std::ceil(range / static_cast<double>(*step)), 0.0);
  }
  return times;
}

} // namespace

std::optional<ProductCount> countProducts(FunctionOpInterface kernel,
                                          const Launch &launch) {
  Integers integers(kernel, launch);
  ProductCount count;
  bool isKnown = true;
  kernel.walk([&](tt::DotOpInterface product) {
    auto a = dyn_cast<ShapedType>(product.getA().getType());
    auto b = dyn_cast<ShapedType>(product.getB().getType());
    std::optional<double> times = timesOf(product, integers);
    const bool isPacked =
        product.getPacking(0).factor != 1 || product.getPacking(1).factor != 1;
    if (!a || !b || !times || isPacked || !a.getElementType().isIntOrFloat()) {
      isKnown = false;
      return;
    }
    unsigned bits = a.getElementTypeBitWidth();
    isKnown &= !count.operandBits || count.operandBits == bits;
    count.operandBits = bits;
    count.operations += 2 * *times * static_cast<double>(a.getNumElements()) *
                        static_cast<double>(b.getShape().back());
  });
  if (!isKnown || count.operations <= 0)
    return std::nullopt;
  count.operations *=
      static_cast<double>(launch.grid.x) * launch.grid.y * launch.grid.z;
  return count;
}

} // namespace kernelscope::run
