//===- Origins.cpp - What integers of a kernel are made of ----------------===//

#include "server/run/Origins.h"

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "server/run/IndexTerms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::run {

int64_t scaled(int64_t size, int64_t factor) {
  constexpr uint64_t largest = uint64_t(1) << 31;
  const uint64_t magnitude = factor < 0 ? -uint64_t(factor) : uint64_t(factor);
  return static_cast<int64_t>(
      std::min(llvm::SaturatingMultiply(uint64_t(size), magnitude), largest));
}

int64_t stepOf(scf::ForOp loop) {
  return std::max<int64_t>(
      1, scaled(1, tt::constantOf(loop.getStep()).value_or(1)));
}

const Origin &Origins::of(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  // Around a loop a value depends on itself; that adds nothing.
  Origin nothing;
  nothing.arguments.resize(kernel.getNumArguments());
  known[value] = nothing;
  Origin made = compute(value, nothing);
  return known[value] = std::move(made);
}

Origin Origins::compute(Value value, Origin made) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (owner == kernel.getOperation()) {
      made.arguments.set(argument.getArgNumber());
    } else if (Value outside = outsideOf(argument)) {
      made = of(outside);
    } else if (auto loop = dyn_cast<scf::ForOp>(owner)) {
      if (argument == loop.getInductionVar()) {
        made = of(loop.getLowerBound());
        made.step = stepOf(loop);
      } else {
        made = of(loop.getTiedLoopInit(argument)->get());
      }
    }
    return made;
  }
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    made.block[static_cast<int>(id.getAxis())] = 1;
    return made;
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    made.range = range.getEnd();
    return made;
  }
  if (isa<tt::LoadOp>(op) || op->getName().getStringRef() == "amdg.buffer_load")
    made.memory = true;
  for (Value operand : op->getOperands())
    made.join(of(operand));
  if (auto product = dyn_cast<arith::MulIOp>(op))
    for (Value factor : product->getOperands())
      if (std::optional<int64_t> constant = tt::constantOf(factor)) {
        for (int64_t &block : made.block)
          block = scaled(block, *constant);
        made.step = scaled(made.step, *constant);
      }
  // A program id that is divided before a range is added to it numbers the
  // tiles of a plane.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
      !made.range)
    for (int axis = 0; axis < 3; ++axis)
      made.split[axis] |= made.block[axis] != 0;
  return made;
}

/// The buffer of an address, and the constants that are added to it.
static std::pair<Value, int64_t> constantPlace(Value value) {
  int64_t place = 0;
  auto constantsOf = [](Value sum) {
    int64_t total = 0;
    SmallVector<Value> summands = {sum};
    while (!summands.empty()) {
      Value summand = summands.pop_back_val();
      if (std::optional<int64_t> constant = tt::constantOf(summand))
        total += *constant;
      else if (Operation *op = summand.getDefiningOp();
               op &&
               isa<arith::AddIOp, tt::SplatOp, tt::BroadcastOp,
                   tt::ExpandDimsOp, ttg::ConvertLayoutOp, arith::ExtSIOp>(op))
        summands.append(op->operand_begin(), op->operand_end());
    }
    return total;
  };
  while (Operation *op = value.getDefiningOp()) {
    if (auto sum = dyn_cast<tt::AddPtrOp>(op))
      place += constantsOf(sum.getOffset());
    else if (!isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                  ttg::ConvertLayoutOp>(op))
      break;
    value = op->getOperand(0);
  }
  return {value, place};
}

void Origins::limitByParts(std::array<int64_t, 3> &most) {
  struct Part {
    Value buffer;
    int64_t place;
    Origin origin;
  };
  std::vector<Part> parts;
  kernel->walk([&](tt::GlobalAccessOpInterface op) {
    const tt::GlobalAccess access = op.getGlobalAccess();
    if (!access.writes || access.isAtomic)
      return;
    Origin origin = of(access.addresses);
    if (access.base)
      origin.join(of(access.base));
    auto [buffer, place] =
        constantPlace(access.base ? access.base : access.addresses);
    if (isa<BlockArgument>(buffer) && !origin.memory)
      parts.push_back({buffer, place, std::move(origin)});
  });
  for (const Part &part : parts)
    for (const Part &next : parts)
      for (int axis = 0; axis < 3; ++axis) {
        const int64_t block = part.origin.block[axis];
        if (part.buffer != next.buffer || part.place >= next.place || !block ||
            block != next.origin.block[axis] || part.origin.split[axis])
          continue;
        const int64_t programs = (next.place - part.place) / block;
        if (programs > 1)
          most[axis] = most[axis] ? std::min(most[axis], programs) : programs;
      }
}

std::array<int64_t, 3> Origins::mostPrograms() {
  std::array<int64_t, 3> most = {};
  limitByParts(most);
  auto divides = [&](Value first, Value step) {
    const std::optional<int64_t> distance = tt::constantOf(step);
    const Origin &origin = of(first);
    for (int axis = 0; axis < 3 && distance; ++axis) {
      const int64_t block = origin.block[axis];
      if (!block || origin.split[axis] || origin.memory || *distance % block ||
          *distance / block < 2)
        continue;
      const int64_t programs = *distance / block;
      most[axis] = most[axis] ? std::min(most[axis], programs) : programs;
    }
  };
  // A loop whose end depends on the program does not run into others' rounds.
  auto isOfProgram = [&](Value end) {
    return llvm::any_of(of(end).block, [](int64_t block) { return block; });
  };
  kernel->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      if (!isOfProgram(loop.getUpperBound()))
        divides(loop.getLowerBound(), loop.getStep());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      for (auto [first, next] :
           llvm::zip_equal(loop.getInits(), loop.getYieldOp().getOperands()))
        if (auto sum = next.getDefiningOp<arith::AddIOp>())
          if (isa<BlockArgument>(sum.getLhs()))
            divides(first, sum.getRhs());
  });
  return most;
}

SmallVector<BlockArgument> factorsOfBound(Value bound, int64_t &block,
                                          FunctionOpInterface kernel) {
  SmallVector<BlockArgument> factors;
  llvm::SetVector<Value> behind;
  behind.insert(bound);
  for (size_t i = 0; i < behind.size(); ++i) {
    Operation *op = behind[i].getDefiningOp();
    if (BlockArgument argument = scalarArgumentOf(behind[i], kernel)) {
      factors.push_back(argument);
    } else if (isa_and_present<arith::MulIOp>(op)) {
      behind.insert(op->operand_begin(), op->operand_end());
    } else if (isa_and_present<arith::DivSIOp, arith::DivUIOp>(op)) {
      block = scaled(block, tt::constantOf(op->getOperand(1)).value_or(1));
      behind.insert(op->getOperand(0));
    } else if (isa_and_present<arith::BitcastOp>(op) ||
               (isa_and_present<arith::AddIOp, arith::SubIOp>(op) &&
                tt::constantOf(op->getOperand(1)))) {
      behind.insert(op->getOperand(0));
    }
  }
  if (factors.size() < 2)
    factors.clear();
  return factors;
}

} // namespace kernelscope::run
