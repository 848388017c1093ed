//===- PartitionLoops.cpp - Each partition gets a loop of its own ---------===//
//
// `partition-loops`: a loop whose ops are marked with their partitions becomes
// an `nvws.warp_group`, in which each group has what is its own.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Passes.h"
#include "passes/nvws/Marks.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_PARTITIONLOOPS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

constexpr StringLiteral tagName = "ttg.warp_specialize.tag";

bool owns(DenseI32ArrayAttr owners, int32_t partition) {
  return !owners || llvm::is_contained(owners.asArrayRef(), partition);
}

/// Lets a partition compute values of a loop that others compute, too: numbers
/// that follow from others of the loop, such as the turns of references.
class SharedComputation {
public:
  SharedComputation(scf::ForOp loop, int32_t partition)
      : loop(loop), partition(partition) {}

  /// False where `value` depends on more than pure ops.
  bool share(Value value) {
    SmallVector<Value> work{value};
    while (!work.empty()) {
      Value next = work.pop_back_val();
      auto argument = dyn_cast<BlockArgument>(next);
      Operation *op =
          argument ? argument.getOwner()->getParentOp() : next.getDefiningOp();
      if (!loop->isAncestor(op) || !seen.insert(next).second)
        continue;
      if (auto inner = dyn_cast<scf::ForOp>(op)) {
        unsigned number = argument ? argument.getArgNumber()
                                   : cast<OpResult>(next).getResultNumber() + 1;
        if (number > 0) {
          own(op, number - 1);
          work.push_back(inner.getInitArgs()[number - 1]);
          work.push_back(inner.getYieldedValues()[number - 1]);
        }
        work.append(
            {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()});
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        unsigned number = cast<OpResult>(next).getResultNumber();
        own(op, number);
        work.push_back(branch.getCondition());
        work.push_back(branch.thenYield().getOperand(number));
        work.push_back(branch.elseYield().getOperand(number));
      } else if (argument || !isPure(op) || op->getNumRegions() != 0) {
        return false;
      } else {
        own(op);
        work.append(op->operand_begin(), op->operand_end());
      }
      // What encloses it must be there, too.
      for (Operation *parent = op->getParentOp(); loop->isAncestor(parent);
           parent = parent->getParentOp()) {
        own(parent);
        if (auto branch = dyn_cast<scf::IfOp>(parent))
          work.push_back(branch.getCondition());
      }
    }
    return true;
  }

private:
  void addTo(SmallVector<int32_t> &owners) const {
    if (llvm::is_contained(owners, partition))
      return;
    owners.push_back(partition);
    llvm::sort(owners);
  }

  /// The partition has `op`, and of its results this one.
  void own(Operation *op, std::optional<unsigned> result = std::nullopt) const {
    DenseI32ArrayAttr marks = nvws::partitionOf(op);
    if (!marks)
      return;
    OpBuilder b(op->getContext());
    SmallVector<Attribute> outputs;
    for (size_t i = 0; i < op->getNumResults() && op->getNumRegions() > 0;
         ++i) {
      DenseI32ArrayAttr of = nvws::ownersOfResult(op, i);
      SmallVector<int32_t> owners((of ? of : marks).asArrayRef());
      if (result == i)
        addTo(owners);
      outputs.push_back(b.getDenseI32ArrayAttr(owners));
    }
    if (!outputs.empty())
      op->setAttr("ttg.partition.outputs", b.getArrayAttr(outputs));
    SmallVector<int32_t> owners(marks.asArrayRef());
    addTo(owners);
    op->setAttr("ttg.partition", b.getDenseI32ArrayAttr(owners));
  }

  scf::ForOp loop;
  int32_t partition;
  DenseSet<Value> seen;
};

/// Copies what partition `number` has of a loop.
class PartitionCopy {
public:
  PartitionCopy(scf::ForOp loop, int32_t number) : loop(loop), number(number) {}

  LogicalResult copy(OpBuilder &b, Operation *op) {
    if (!owns(nvws::partitionOf(op), number))
      return success();
    if (auto phi = dyn_cast<nvws::ArefPhiOp>(op)) {
      // The partition has computed one of the two itself.
      Value own = values.lookupOrNull(phi.getLocal());
      values.map(phi.getResult(), own ? own : find(op, phi.getRemote()));
      return success(!failedToFind);
    }
    bool filters = isa<scf::ForOp, scf::IfOp>(op);
    SmallVector<Value> operands;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (!isa<scf::ForOp>(op) || i < 3 || ownsResult(op, i - 3))
        operands.push_back(find(op, operand));
    if (failedToFind)
      return failure();
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    for (OpResult result : op->getResults())
      if (!filters || ownsResult(op, result.getResultNumber()))
        state.addTypes(result.getType());
    state.addAttributes(op->getAttrs());
    for (size_t i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = b.create(state);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), made->getRegions()))
      if (failed(copyRegion(op, from, to)))
        return failure();
    nvws::eraseMarks(made);
    size_t next = 0;
    for (OpResult result : op->getResults())
      if (!filters || ownsResult(op, result.getResultNumber()))
        values.map(result, made->getResult(next++));
    return success();
  }

  /// What stands for `value` of the loop, or of around it.
  Value find(Operation *user, Value value) {
    if (Value own = values.lookupOrNull(value))
      return own;
    Operation *made = value.getDefiningOp();
    if (!made)
      made = value.getParentBlock()->getParentOp();
    if (!loop->isAncestor(made) && !isPartAfter(made))
      return value;
    // Another partition's token orders nothing here: barriers do.
    if (isa<ttg::AsyncTokenType>(value.getType())) {
      OpBuilder b(user->getContext());
      b.setInsertionPoint(group);
      return ub::PoisonOp::create(b, value.getLoc(), value.getType());
    }
    failedToFind = true;
    InFlightDiagnostic error = user->emitOpError()
                               << "is in partition " << number
                               << " and uses a value of other partitions; it "
                                  "must come through a reference";
    error.attachNote(value.getLoc()) << "computed here";
    return value;
  }

  /// Whether `find` has given an error.
  bool hasFailed() const { return failedToFind; }

  /// Before which op values are made that all partitions can use.
  Operation *group = nullptr;

private:
  /// Whether `op` comes after the loop and is part of a partition.
  bool isPartAfter(Operation *op) const {
    return nvws::partitionOf(op) && op->getBlock() == loop->getBlock() &&
           op->getAttr(tagName) == loop->getAttr(tagName);
  }

  bool ownsResult(Operation *op, size_t i) const {
    return owns(nvws::ownersOfResult(op, i), number);
  }

  LogicalResult copyRegion(Operation *op, Region &from, Region &to) {
    if (from.empty())
      return success();
    for (Block &block : from) {
      Block &made = to.emplaceBlock();
      values.map(&block, &made);
      for (BlockArgument argument : block.getArguments())
        if (!isa<scf::ForOp>(op) || argument.getArgNumber() == 0 ||
            ownsResult(op, argument.getArgNumber() - 1))
          values.map(argument,
                     made.addArgument(argument.getType(), argument.getLoc()));
    }
    for (Block &block : from) {
      OpBuilder inner = OpBuilder::atBlockEnd(values.lookup(&block));
      for (Operation &each : block) {
        if (isa<scf::YieldOp>(each) && isa<scf::ForOp, scf::IfOp>(op)) {
          SmallVector<Value> yielded;
          for (auto [i, value] : llvm::enumerate(each.getOperands()))
            if (ownsResult(op, i))
              yielded.push_back(find(&each, value));
          scf::YieldOp::create(inner, each.getLoc(), yielded);
        } else if (each.getNumSuccessors() != 0) {
          return each.emitOpError("branches in a loop of partitions, which "
                                  "must have structured control flow");
        } else if (failed(copy(inner, &each))) {
          return failure();
        }
      }
    }
    return success(!failedToFind);
  }

  scf::ForOp loop;
  int32_t number;
  IRMapping values;
  bool failedToFind = false;
};

void eraseDead(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      for (Region &inner : op.getRegions())
        eraseDead(inner);
      if (isOpTriviallyDead(&op))
        op.erase();
    }
}

class PartitionLoops
    : public kernelscope::impl::PartitionLoopsBase<PartitionLoops> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr("tt.warp_specialize") && countPartitions(loop) > 0)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(split(loop)))
        return signalPassFailure();
  }

private:
  /// One more than the highest partition in the loop; 0 if it is not marked.
  static int32_t countPartitions(scf::ForOp loop) {
    int32_t count = 0;
    if (auto stages = loop->getAttrOfType<ArrayAttr>("ttg.partition.stages"))
      count = static_cast<int32_t>(stages.size());
    loop.walk([&](Operation *op) {
      if (DenseI32ArrayAttr owners = nvws::partitionOf(op))
        for (int32_t owner : owners.asArrayRef())
          count = std::max(count, owner + 1);
    });
    return count;
  }

  /// The ops after the loop that belong to partitions of it.
  static SmallVector<Operation *> partsAfter(scf::ForOp loop) {
    SmallVector<Operation *> found;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (nvws::partitionOf(op) &&
          op->getAttr(tagName) == loop->getAttr(tagName))
        found.push_back(op);
    return found;
  }

  static LogicalResult split(scf::ForOp loop) {
    int32_t count = countPartitions(loop);
    SmallVector<Operation *> after = partsAfter(loop);
    // What code outside uses of the loop, the first group gives it.
    SmallVector<Value> results;
    auto addResults = [&](Operation *op) {
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return llvm::none_of(after, [&](Operation *part) {
                return part->isAncestor(user);
              });
            }))
          results.push_back(result);
    };
    addResults(loop);
    for (Operation *op : after)
      addResults(op);

    SharedComputation shared(loop, /*partition=*/0);
    for (Value result : results)
      if (auto number = dyn_cast<OpResult>(result);
          result.getType().isIntOrIndexOrFloat() && number.getOwner() == loop &&
          !owns(nvws::ownersOfResult(loop, number.getResultNumber()), 0))
        shared.share(result);

    OpBuilder b(loop);
    OperationState state(loop.getLoc(), nvws::WarpGroupOp::getOperationName());
    for (Value result : results)
      state.addTypes(result.getType());
    int32_t warps = ttg::lookupNumWarps(loop).value_or(4);
    state.addAttribute(
        "numWarps", b.getDenseI32ArrayAttr(SmallVector<int32_t>(count, warps)));
    for (int32_t i = 0; i < count; ++i)
      state.addRegion()->emplaceBlock();
    Operation *group = b.create(state);
    for (int32_t i = 0; i < count; ++i) {
      Region &region = group->getRegion(i);
      OpBuilder inner = OpBuilder::atBlockEnd(&region.front());
      PartitionCopy copy(loop, i);
      copy.group = group;
      if (owns(nvws::partitionOf(loop), i) && failed(copy.copy(inner, loop)))
        return failure();
      for (Operation *op : after)
        if (failed(copy.copy(inner, op)))
          return failure();
      SmallVector<Value> given;
      if (i == 0)
        for (Value result : results)
          given.push_back(copy.find(loop, result));
      if (copy.hasFailed())
        return failure();
      if (given.empty())
        nvws::WarpGroupReturnOp::create(inner, loop.getLoc());
      else
        nvws::WarpGroupYieldOp::create(inner, loop.getLoc(), given);
      eraseDead(region);
    }
    for (auto [old, made] : llvm::zip_equal(results, group->getResults()))
      old.replaceAllUsesWith(made);
    for (Operation *op : llvm::reverse(after))
      op->erase();
    loop.erase();
    return success();
  }
};

} // namespace
