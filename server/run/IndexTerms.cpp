//===- IndexTerms.cpp - Addresses as sums of strides ----------------------===//
//
// Sums and products by scalar arguments stay apart; of everything else only the
// largest value is known.
//
//===----------------------------------------------------------------------===//

#include "server/run/IndexTerms.h"

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;

namespace kernelscope::run {
namespace {

/// More than any index that memory has; what grows beyond is a hash.
constexpr int64_t limit = int64_t{1} << 40;

int64_t times(int64_t a, int64_t b) {
  const uint64_t product = llvm::SaturatingMultiply<uint64_t>(
      a < 0 ? -uint64_t(a) : uint64_t(a), b < 0 ? -uint64_t(b) : uint64_t(b));
  return static_cast<int64_t>(std::min<uint64_t>(product, limit));
}

int64_t plus(int64_t a, int64_t b) { return std::min(limit, a + b); }

void add(IndexTerms &to, const IndexTerms &from) {
  for (const auto &[arguments, term] : from) {
    auto [found, isNew] = to.try_emplace(arguments, term);
    if (isNew)
      continue;
    // Two summands along one stride: the smaller step of both.
    IndexTerm &sum = found->second;
    const int64_t reach =
        plus(times(sum.factor, sum.reach), times(term.factor, term.reach));
    if (term.reach)
      sum.factor = sum.reach ? std::min(sum.factor, term.factor) : term.factor;
    sum.factor = std::max<int64_t>(sum.factor, 1);
    sum.reach = reach / sum.factor;
  }
}

void join(IndexTerms &to, const IndexTerms &from) {
  for (const auto &[arguments, term] : from) {
    IndexTerm &either = to.try_emplace(arguments, term).first->second;
    either.factor = std::max<int64_t>(1, std::min(either.factor, term.factor));
    either.reach = std::max(either.reach, term.reach);
  }
}

/// Whether the result of `op` is the number that its operand is. What Triton
/// writes before any pass casts bounds of loops to the type that they have.
bool keepsNumber(Operation *op) {
  return isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp,
             ttg::ConvertLayoutOp>(op);
}

/// How deep values may be nested before only their size is guessed.
constexpr unsigned deepest = 200;

} // namespace

Value outsideOf(BlockArgument argument) {
  auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(
      argument.getOwner()->getParentOp());
  return partitions && argument.getArgNumber() <
                           partitions.getExplicitCaptures().size()
             ? partitions.getExplicitCaptures()[argument.getArgNumber()]
             : Value();
}

BlockArgument scalarArgumentOf(Value value, FunctionOpInterface kernel) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner()->getParentOp() == kernel.getOperation())
        return argument;
      value = outsideOf(argument);
      if (!value)
        return {};
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!keepsNumber(op))
      return {};
    value = op->getOperand(0);
  }
}

/// The arguments and the factor whose product `value` is; none when there is
/// more in it.
static std::optional<std::pair<std::vector<unsigned>, int64_t>>
scaleOf(Value value, FunctionOpInterface kernel, unsigned depth = 0) {
  using Scale = std::pair<std::vector<unsigned>, int64_t>;
  if (std::optional<int64_t> constant = tt::constantOf(value))
    return Scale{{}, *constant};
  if (BlockArgument argument = scalarArgumentOf(value, kernel))
    return Scale{{argument.getArgNumber()}, 1};
  Operation *op = value.getDefiningOp();
  if (!op || depth > 10)
    return std::nullopt;
  if (keepsNumber(op))
    return scaleOf(op->getOperand(0), kernel, depth + 1);
  if (!isa<arith::MulIOp>(op))
    return std::nullopt;
  auto left = scaleOf(op->getOperand(0), kernel, depth + 1);
  auto right = scaleOf(op->getOperand(1), kernel, depth + 1);
  if (!left || !right)
    return std::nullopt;
  llvm::append_range(left->first, right->first);
  left->second = times(left->second, right->second);
  return left;
}

IndexTerms IndexAnalysis::upTo(int64_t largest) {
  return {{{}, {1, std::clamp<int64_t>(largest, 0, limit)}}};
}

int64_t IndexAnalysis::unit(const std::vector<unsigned> &arguments,
                            const IndexTerm &term) const {
  int64_t unit = term.factor;
  for (unsigned argument : arguments)
    unit = times(unit, std::isfinite(scalars[argument])
                           ? std::llround(scalars[argument])
                           : 0);
  return unit;
}

int64_t IndexAnalysis::span(const std::vector<unsigned> &arguments,
                            const IndexTerm &term) const {
  return times(unit(arguments, term), term.reach);
}

int64_t IndexAnalysis::largestOf(const IndexTerms &terms) const {
  int64_t sum = 0;
  for (const auto &[arguments, term] : terms)
    sum = plus(sum, span(arguments, term));
  return sum;
}

int64_t IndexAnalysis::largest(Value value) { return largestOf(of(value)); }

IndexTerms IndexAnalysis::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  if (depth >= deepest)
    return upTo(0);
  // Around a loop a value depends on itself; that adds nothing.
  known[value] = {};
  ++depth;
  IndexTerms made = compute(value);
  --depth;
  return known[value] = std::move(made);
}

std::optional<IndexTerms> IndexAnalysis::growthOf(Value next, scf::ForOp loop,
                                                  unsigned depth) {
  if (llvm::is_contained(loop.getRegionIterArgs(), next))
    return IndexTerms();
  Operation *op = next.getDefiningOp();
  if (!op || depth > 20)
    return std::nullopt;
  if (isa<arith::AddIOp, tt::AddPtrOp>(op)) {
    for (int side : {0, 1})
      if (auto growth = growthOf(op->getOperand(side), loop, depth + 1)) {
        add(*growth, of(op->getOperand(1 - side)));
        return growth;
      }
    return std::nullopt;
  }
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(
          op))
    return growthOf(op->getOperand(0), loop, depth + 1);
  return std::nullopt;
}

IndexTerms IndexAnalysis::ofBlockArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (owner == kernel.getOperation()) {
    if (isa<tt::PointerType>(argument.getType()))
      return {};
    return {{{argument.getArgNumber()}, {1, 1}}};
  }
  if (Value outside = outsideOf(argument))
    return of(outside);
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (!loop)
    return upTo(loaded);
  const int64_t end = largest(loop.getUpperBound());
  const int64_t step = std::max<int64_t>(1, largest(loop.getStep()));
  if (argument == loop.getInductionVar()) {
    IndexTerms made = of(loop.getLowerBound());
    add(made, {{{}, {step, (std::max<int64_t>(end, 1) - 1) / step}}});
    return made;
  }
  IndexTerms made = of(loop.getTiedLoopInit(argument)->get());
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  auto growth = growthOf(next, loop);
  if (!growth) {
    join(made, of(next));
    return made;
  }
  // What is added in each round, as often as there are rounds.
  const int64_t rounds = std::max<int64_t>(0, llvm::divideCeil(end, step) - 1);
  for (auto &[arguments, term] : *growth) {
    const int64_t stepReach = term.reach;
    term.factor = std::max<int64_t>(1, times(term.factor, stepReach));
    term.reach = stepReach ? rounds : 0;
  }
  add(made, *growth);
  return made;
}

IndexTerms IndexAnalysis::product(Value left, Value right) {
  for (auto [factor, other] : {std::pair(right, left), {left, right}})
    if (auto scale = scaleOf(factor, kernel)) {
      IndexTerms made;
      for (const auto &[arguments, term] : of(other)) {
        std::vector<unsigned> more = arguments;
        llvm::append_range(more, scale->first);
        llvm::sort(more);
        made[more] = {times(term.factor, scale->second), term.reach};
      }
      return made;
    }
  return upTo(times(largest(left), largest(right)));
}

IndexTerms IndexAnalysis::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofBlockArgument(argument);
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> constant = tt::constantOf(value))
    return upTo(*constant);
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
    return upTo(blocks[static_cast<int>(id.getAxis())] - 1);
  if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op))
    return upTo(blocks[static_cast<int>(programs.getAxis())]);
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return upTo(int64_t(range.getEnd()) - 1);
  if (isa<arith::AddIOp, tt::AddPtrOp>(op)) {
    IndexTerms made = of(op->getOperand(0));
    add(made, of(op->getOperand(1)));
    return made;
  }
  if (isa<arith::SubIOp>(op)) // How far it reaches does not grow.
    return of(op->getOperand(0));
  if (isa<arith::MulIOp>(op))
    return product(op->getOperand(0), op->getOperand(1));
  if (isa<arith::ShLIOp>(op))
    if (std::optional<int64_t> by = tt::constantOf(op->getOperand(1));
        by && *by >= 0 && *by < 32) {
      IndexTerms made = of(op->getOperand(0));
      for (auto &[arguments, term] : made)
        term.factor = times(term.factor, int64_t{1} << *by);
      return made;
    }
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return upTo(largest(op->getOperand(0)) /
                std::max<int64_t>(1, largest(op->getOperand(1))));
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return upTo(std::min(largest(op->getOperand(0)),
                         std::max<int64_t>(1, largest(op->getOperand(1))) - 1));
  if (isa<arith::MinSIOp, arith::MinUIOp, arith::AndIOp>(op))
    return upTo(
        std::min(largest(op->getOperand(0)), largest(op->getOperand(1))));
  if (isa<arith::SelectOp, arith::MaxSIOp, arith::MaxUIOp>(op)) {
    IndexTerms made;
    for (Value operand : op->getOperands())
      if (operand.getType() == value.getType())
        join(made, of(operand));
    return made;
  }
  if (isa<arith::CmpIOp, arith::CmpFOp>(op))
    return upTo(1);
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    IndexTerms made;
    const unsigned number = cast<OpResult>(value).getResultNumber();
    for (Region &region : choice->getRegions())
      if (!region.empty())
        join(made, of(region.front().getTerminator()->getOperand(number)));
    return made;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return of(
        loop.getRegionIterArgs()[cast<OpResult>(value).getResultNumber()]);
  // Ops that only move elements.
  if (op->getNumOperands() == 1 && op->getNumRegions() == 0 &&
      isMemoryEffectFree(op))
    return of(op->getOperand(0));
  return upTo(loaded);
}

} // namespace kernelscope::run
