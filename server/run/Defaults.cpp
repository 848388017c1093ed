//===- Defaults.cpp - A launch computed from the IR -----------------------===//
//
// Follows each integer back to what it is made of: program ids, ranges, loop
// counters, arguments. A comparison of such an index with an argument says how
// big the argument may usefully be.
//
//===----------------------------------------------------------------------===//

#include "server/run/Defaults.h"
#include "server/run/Origins.h"
#include "server/run/Placement.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;

namespace kernelscope::run {
namespace {

/// What Triton casts, before any pass, to the type that it has.
Value withoutCasts(Value bound) {
  while (auto cast = bound.getDefiningOp<arith::BitcastOp>())
    bound = cast.getIn();
  return bound;
}

/// The argument that bounds a loop, perhaps some constant away from it, or as a
/// number of blocks, of `block` elements, that cover it.
BlockArgument boundArgument(Value bound, FunctionOpInterface kernel,
                            int64_t &block) {
  bound = withoutCasts(bound);
  if (Operation *op = bound.getDefiningOp())
    if (isa<arith::DivSIOp, arith::DivUIOp>(op))
      if (std::optional<int64_t> size = tt::constantOf(op->getOperand(1));
          size && *size > 0) {
        block = *size;
        bound = withoutCasts(op->getOperand(0));
      }
  if (Operation *op = bound.getDefiningOp())
    if (isa<arith::AddIOp, arith::SubIOp>(op) &&
        tt::constantOf(op->getOperand(1)))
      bound = op->getOperand(0);
  return scalarArgumentOf(bound, kernel);
}

/// How an argument bounds indices.
struct Bound {
  std::array<int64_t, 3> block = {};
  std::array<bool, 3> split = {}; ///< programs along the axis are a plane
  int64_t range = 0, step = 0;
  bool inBlocks = false;    ///< a loop runs over whole blocks
  int64_t stepOfFactor = 0; ///< of a loop that a product with others bounds
  size_t factors = 0;       ///< of that product
};

/// Blocks along an axis: enough that all parts of a kernel run, few enough that
/// the CPU executor answers at once.
constexpr int64_t blocksOfLine = 64, blocksOfPlane = 8, rounds = 3;

/// `value` minus a tail that leaves the last block, of `block` elements, partly
/// full; a multiple of `divisibility`.
int64_t withTail(int64_t value, int64_t block, int64_t divisibility) {
  const int64_t tail = divisibility > 1 ? 3 * divisibility : 5;
  if (tail < block)
    value -= tail;
  return std::max<int64_t>(divisibility, value / divisibility * divisibility);
}

/// Blocks along each side of a square of `blocks` blocks.
int64_t side(int64_t blocks) {
  return std::max<int64_t>(1, std::llround(std::floor(std::sqrt(blocks))));
}

double guessFloat(StringRef name) {
  return llvm::StringSwitch<double>(name.lower())
      .Cases({"eps", "epsilon"}, 1e-5)
      .Cases({"lo", "low", "min"}, -0.5)
      .Default(0.5);
}

/// `arguments` with those that are strides of descriptors such that rows are
/// multiples of 16 bytes, as TMA needs them.
std::vector<ArgumentInfo> withWholeRows(FunctionOpInterface kernel,
                                        ArrayRef<ArgumentInfo> arguments) {
  std::vector<ArgumentInfo> whole = arguments.vec();
  auto align = [&](ValueRange strides, Type pointer) {
    const std::optional<executor::Element> element =
        executor::elementOf(cast<tt::PointerType>(pointer).getPointeeType());
    if (!element)
      return;
    const int64_t multiple =
        std::max<int64_t>(1, 16 / int64_t(executor::sizeOf(*element)));
    llvm::SetVector<Value> behind(strides.begin(), strides.end());
    for (size_t i = 0; i < behind.size(); ++i)
      if (BlockArgument argument = scalarArgumentOf(behind[i], kernel)) {
        int64_t &made = whole[argument.getArgNumber()].divisibility;
        made = std::lcm(made, multiple);
      } else if (Operation *op = behind[i].getDefiningOp();
                 op && isa<arith::MulIOp, arith::ExtSIOp, arith::ShLIOp>(op)) {
        behind.insert(op->operand_begin(), op->operand_end());
      }
  };
  kernel->walk([&](Operation *op) {
    if (auto made = dyn_cast<tt::MakeTensorDescOp>(op))
      align(made.getStrides().drop_back(), made.getBase().getType());
    else if (auto made = dyn_cast<ttng::TensormapCreateOp>(op))
      align(made.getGlobalStride(), made.getGlobalAddress().getType());
  });
  return whole;
}

} // namespace

LaunchGuess guessLaunch(FunctionOpInterface kernel,
                        ArrayRef<ArgumentInfo> described,
                        std::optional<executor::Grid> grid,
                        ArrayRef<std::optional<double>> given,
                        unsigned doublings) {
  const std::vector<ArgumentInfo> arguments = withWholeRows(kernel, described);
  Origins origins(kernel);
  std::vector<Bound> bounds(arguments.size());
  // What places a block of a descriptor, which has no mask.
  llvm::SmallBitVector placesBlocks(arguments.size());
  llvm::SmallBitVector scales(arguments.size());
  std::array<bool, 3> usesAxis = {}, strides = {};
  int64_t widest = 1;

  kernel->walk([&](Operation *op) {
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      usesAxis[static_cast<int>(id.getAxis())] = true;
    if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op))
      strides[static_cast<int>(programs.getAxis())] = true;
    for (Value coordinate : coordinatesOf(op).value_or(SmallVector<Value>()))
      if (coordinate)
        placesBlocks |= origins.of(coordinate).arguments;
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      widest = std::max<int64_t>(widest, range.getEnd());
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      for (auto [index, bound] :
           {std::pair(compare.getLhs(), compare.getRhs()),
            std::pair(compare.getRhs(), compare.getLhs())}) {
        BlockArgument argument = scalarArgumentOf(bound, kernel);
        const Origin &origin = origins.of(index);
        if (!argument || origin.memory)
          continue;
        Bound &made = bounds[argument.getArgNumber()];
        for (int axis = 0; axis < 3; ++axis) {
          // What a part of an id is multiplied by may be more of its parts.
          const int64_t block = origin.split[axis]
                                    ? std::max<int64_t>(origin.range, 1)
                                    : origin.block[axis];
          made.block[axis] = std::max(made.block[axis], block);
          made.split[axis] |= origin.split[axis];
        }
        made.range = std::max(made.range, origin.range);
        made.step = std::max(made.step, origin.step);
      }
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      int64_t block = 1;
      if (BlockArgument argument =
              boundArgument(loop.getUpperBound(), kernel, block)) {
        Bound &made = bounds[argument.getArgNumber()];
        made.step = std::max(made.step, scaled(stepOf(loop), block));
        made.inBlocks |= block > 1;
      }
      int64_t ofProduct = 1;
      SmallVector<BlockArgument> factors;
      // Not of one that programs share.
      if (tt::constantOf(loop.getLowerBound()))
        factors = factorsOfBound(loop.getUpperBound(), ofProduct, kernel);
      for (BlockArgument factor : factors) {
        Bound &made = bounds[factor.getArgNumber()];
        made.stepOfFactor =
            std::max(made.stepOfFactor, scaled(stepOf(loop), ofProduct));
        made.factors = std::max(made.factors, factors.size());
      }
    }
    if (auto descriptor = dyn_cast<tt::MakeTensorDescOp>(op))
      for (Value stride : descriptor.getStrides())
        if (BlockArgument argument = scalarArgumentOf(stride, kernel))
          scales.set(argument.getArgNumber());
    if (isa<arith::MulIOp, arith::ShLIOp>(op))
      for (Value factor : op->getOperands())
        if (BlockArgument argument = scalarArgumentOf(factor, kernel))
          scales.set(argument.getArgNumber());
  });

  const bool plane = llvm::count(usesAxis, true) > 1;
  // A plane doubles along three axes: both of its own, and the rounds.
  const int64_t line = blocksOfLine << doublings,
                sideOfPlane = blocksOfPlane << doublings / 3,
                allRounds = rounds << doublings / 3;
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (int axis = 0; axis < 3; ++axis)
    if (usesAxis[axis])
      blocks[axis] = plane ? sideOfPlane : line;
  for (auto [count, most] : llvm::zip(blocks, origins.mostPrograms()))
    if (most)
      count = std::min(count, most);
  if (grid)
    blocks = {grid->x, grid->y, grid->z};

  LaunchGuess guess;
  guess.scalars.assign(arguments.size(), 0);
  // Extents first: strides must not be smaller.
  int64_t extent = widest;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const Bound &bound = bounds[index];
    int64_t value = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (bound.block[axis] && !value)
        value =
            withTail((bound.split[axis] ? side(blocks[axis]) : blocks[axis]) *
                         bound.block[axis],
                     bound.block[axis], argument.divisibility);
    if (!value && bound.step > 1)
      value = bound.inBlocks
                  ? llvm::alignTo(allRounds * bound.step, argument.divisibility)
                  : withTail(allRounds * bound.step, bound.step,
                             argument.divisibility);
    if (!value && bound.range)
      value = withTail(bound.range, bound.range, argument.divisibility);
    // Of a loop with one step at a time, a few.
    if (!value && bound.step == 1)
      value = llvm::alignTo(rounds, argument.divisibility);
    // All factors together make a few.
    if (!value && bound.factors)
      value = llvm::alignTo(
          std::llround(std::ceil(std::pow(allRounds * bound.stepOfFactor,
                                          1.0 / double(bound.factors)))),
          argument.divisibility);
    if (given[index])
      value = static_cast<int64_t>(*given[index]);
    else if (argument.isPointer || executor::isFloat(argument.element))
      value = 0;
    guess.scalars[index] = static_cast<double>(value);
    extent = std::max(extent, value);
  }
  // A program id that no argument bounds covers its blocks all the same.
  if (plane)
    extent = std::max(extent, sideOfPlane * widest);
  llvm::SmallBitVector strideArguments(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    double &value = guess.scalars[index];
    if (given[index])
      value = *given[index];
    if (argument.isPointer || given[index] || value != 0)
      continue;
    if (scales.test(index) && executor::isInt(argument.element))
      strideArguments.set(index);
    if (executor::isFloat(argument.element)) {
      value = guessFloat(argument.name);
      continue;
    }
    const int64_t whole =
        scales.test(index) ? extent : int64_t(unboundedInteger);
    value = static_cast<double>(llvm::alignTo(whole, argument.divisibility));
    if (argument.element == executor::Element::I1)
      value = 1;
  }
  IndexAnalysis analysis(kernel, blocks, guess.scalars,
                         int64_t(unboundedInteger));
  chooseStrides(kernel, arguments, strideArguments, analysis, guess.scalars);
  // What only bounds a loop may also be the distance of what programs write,
  // such as the rows of a head, which no mask by it keeps apart.
  llvm::SmallBitVector placesStores(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const Bound &bound = bounds[index];
    if (given[index] || !executor::isInt(argument.element))
      placesBlocks.reset(index);
    else if (scales.test(index) && bound.step && !bound.range &&
             llvm::none_of(bound.block, [](int64_t block) { return block; }))
      placesStores.set(index);
  }
  keepBlocksApart(kernel, placesBlocks, analysis, guess.scalars);
  keepStoresApart(kernel, arguments, placesStores, analysis, guess.scalars);
  guess.shapes.resize(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.isDescriptor())
      guess.shapes[index] =
          guessShape(kernel.getArgument(index), argument, analysis);
  // A kernel that strides over its grid gets several rounds.
  if (!grid)
    for (int axis = 0; axis < 3; ++axis)
      if (strides[axis])
        blocks[axis] = std::max<int64_t>(1, blocks[axis] / 4);
  guess.grid = {uint32_t(blocks[0]), uint32_t(blocks[1]), uint32_t(blocks[2])};
  return guess;
}

Fill defaultFill(const ArgumentInfo &argument, ArrayRef<double> scalars) {
  Fill fill;
  if (!argument.pointee.empty()) {
    fill.kind = Fill::Kind::Pointers;
    return fill;
  }
  // What nothing else could signal.
  if (argument.awaited && !argument.stored) {
    fill.kind = Fill::Kind::Constant;
    fill.value = static_cast<double>(*argument.awaited);
    return fill;
  }
  // What is updated atomically is a counter, a lock, or a sum to come.
  if (argument.isAtomic || (argument.stored && !argument.loaded)) {
    fill.kind = Fill::Kind::Zeros;
  } else if (executor::isFloat(argument.element)) {
    fill.kind =
        argument.isNotNegative ? Fill::Kind::Uniform : Fill::Kind::Normal;
  } else if (argument.isOffset) {
    fill.kind = Fill::Kind::Ascending;
    // The end of the last program's segment stays below `unboundedInteger`.
    fill.high = 2 * int64_t(unboundedInteger / (blocksOfLine + 1) - 1);
  } else if (argument.namesRows) {
    fill.kind = Fill::Kind::Arange;
  } else if (argument.isScale && argument.element == executor::Element::I8) {
    // From 1/8 to 1: with most others, results are less than the tolerance.
    fill.kind = Fill::Kind::Uniform;
    fill.low = 124;
    fill.high = 128;
  } else {
    // Small and not negative, since it may be an index.
    fill.kind = Fill::Kind::Uniform;
    fill.high = argument.indices ? argument.indices
                : argument.element == executor::Element::I1 || argument.isFlag
                    ? 2
                : argument.element == executor::Element::I8 ? 100
                                                            : unboundedInteger;
    for (unsigned bound : argument.below)
      if (scalars[bound] >= 1)
        fill.high = std::min<double>(fill.high, scalars[bound]);
  }
  return fill;
}

} // namespace kernelscope::run
