//===- PartitionLoops.cpp - Each partition gets a loop of its own ---------===//
//
// `partition-loops`: a loop whose ops are marked with their partitions becomes
// an `nvws.warp_group`, in which each group has what is its own.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Passes.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/Marks.h"
#include "passes/nvws/SharedComputation.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_PARTITIONLOOPS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

bool owns(DenseI32ArrayAttr owners, int32_t partition) {
  return !owners || llvm::is_contained(owners.asArrayRef(), partition);
}

/// Whether `op`, in the same block as `loop`, belongs to partitions of it; a
/// loop with partitions of its own does not, whatever its tag.
bool isPartAfter(Operation *loop, Operation *op) {
  return nvws::partitionOf(op) && op->getBlock() == loop->getBlock() &&
         op->getAttr(nvws::warpSpecializeTagName) ==
             loop->getAttr(nvws::warpSpecializeTagName) &&
         !op->hasAttr(nvws::warpSpecializeName);
}

/// Copies what partition `number` has of a loop.
class PartitionCopy {
public:
  PartitionCopy(LoopLikeOpInterface loop, int32_t number)
      : loop(loop), number(number) {}

  LogicalResult copy(OpBuilder &b, Operation *op) {
    if (!owns(nvws::partitionOf(op), number))
      return success();
    if (auto phi = dyn_cast<nvws::ArefPhiOp>(op)) {
      // The partition has computed one of the two itself.
      Value own = values.lookupOrNull(phi.getLocal());
      values.map(phi.getResult(), own ? own : find(op, phi.getRemote()));
      return success(!failedToFind);
    }
    bool filters = isa<scf::IfOp>(op) || isLoop(op);
    size_t bounds = op->getNumOperands();
    if (isLoop(op))
      bounds -= op->getNumResults();
    SmallVector<Value> operands;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (i < bounds || ownsResult(op, i - bounds))
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
    if (!loop->isAncestor(made) && !isPartAfter(loop, made))
      return value;
    // Where barriers order accesses, another partition's token does not.
    bool isToken = isa<ttg::AsyncTokenType>(value.getType());
    bool isAccess = isa_and_nonnull<ttng::TTNGDialect>(user->getDialect());
    if (isToken && !isAccess) {
      OpBuilder b(user->getContext());
      b.setInsertionPoint(group);
      return ub::PoisonOp::create(b, value.getLoc(), value.getType());
    }
    failedToFind = true;
    if (isToken) {
      InFlightDiagnostic error =
          user->emitOpError()
          << "is in partition " << number
          << " and comes after an access of another partition to tensor "
             "memory; the memory must be passed through a reference: run "
             "nvws-insert-tmem-aref first";
      error.attachNote(value.getLoc()) << "after this access";
      return value;
    }
    InFlightDiagnostic error = user->emitOpError()
                               << "is in partition " << number
                               << " and uses a value of other partitions; it "
                                  "must be passed through a reference";
    error.attachNote(value.getLoc()) << "computed here";
    return value;
  }

  /// Whether `find` has given an error.
  bool hasFailed() const { return failedToFind; }

  /// Before which op values are made that all partitions can use.
  Operation *group = nullptr;

private:
  /// Whether `op` carries its results, which may be of some partitions only.
  static bool isLoop(Operation *op) {
    return isa<scf::ForOp>(op) ||
           (isa<scf::WhileOp>(op) &&
            nvws::passesOnArguments(cast<LoopLikeOpInterface>(op)));
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
        if (auto result = nvws::resultOfArgument(argument);
            !result || ownsResult(op, *result))
          values.map(argument,
                     made.addArgument(argument.getType(), argument.getLoc()));
    }
    for (Block &block : from) {
      OpBuilder inner = OpBuilder::atBlockEnd(values.lookup(&block));
      for (Operation &each : block) {
        if (auto condition = dyn_cast<scf::ConditionOp>(each);
            condition && isLoop(op)) {
          SmallVector<Value> passed;
          for (auto [i, value] : llvm::enumerate(condition.getArgs()))
            if (ownsResult(op, i))
              passed.push_back(find(&each, value));
          scf::ConditionOp::create(inner, each.getLoc(),
                                   find(&each, condition.getCondition()),
                                   passed);
        } else if (isa<scf::YieldOp>(each) &&
                   (isa<scf::IfOp>(op) || isLoop(op))) {
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

  LoopLikeOpInterface loop;
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

/// Whether what `region` computes is the same for any number of warps: it has
/// no tensors, which are laid out over the warps.
bool fitsOneWarp(Region &region) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return !region
              .walk([&](Operation *op) {
                return llvm::any_of(op->getOperandTypes(), isTensor) ||
                               llvm::any_of(op->getResultTypes(), isTensor)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

class PartitionLoops
    : public kernelscope::impl::PartitionLoopsBase<PartitionLoops> {
public:
  void runOnOperation() override {
    if (failed(checkNumbers()))
      return signalPassFailure();
    SmallVector<LoopLikeOpInterface> loops;
    getOperation().walk([&](LoopLikeOpInterface loop) {
      if (isa<scf::ForOp, scf::WhileOp>(loop) &&
          loop->hasAttr(nvws::warpSpecializeName) && countPartitions(loop) > 0)
        loops.push_back(loop);
    });
    for (LoopLikeOpInterface loop : loops) {
      if (!nvws::passesOnArguments(loop)) {
        loop->emitOpError(
            "has partitions, but its condition forwards values other than its "
            "arguments; compute them at the end of the loop's body");
        return signalPassFailure();
      }
      if (failed(split(loop)))
        return signalPassFailure();
    }
  }

private:
  /// Each partition has a warp at least, and a CTA 1024 threads.
  LogicalResult checkNumbers() {
    constexpr int32_t most = 32;
    WalkResult checked = getOperation().walk([](Operation *op) -> WalkResult {
      if (DenseI32ArrayAttr owners = nvws::partitionOf(op))
        for (int32_t owner : owners.asArrayRef())
          if (owner < 0 || owner >= most)
            return op->emitOpError("is in partition ")
                   << owner << "; partitions are numbered from 0 to "
                   << most - 1;
      return WalkResult::advance();
    });
    return failure(checked.wasInterrupted());
  }

  /// One more than the highest partition in the loop; 0 if it is not marked.
  static int32_t countPartitions(Operation *loop) {
    int32_t count = 0;
    if (auto stages = loop->getAttrOfType<ArrayAttr>(nvws::partitionStagesName))
      count = static_cast<int32_t>(stages.size());
    loop->walk([&](Operation *op) {
      if (DenseI32ArrayAttr owners = nvws::partitionOf(op))
        for (int32_t owner : owners.asArrayRef())
          count = std::max(count, owner + 1);
    });
    return count;
  }

  /// The ops after the loop that belong to partitions of it.
  static SmallVector<Operation *> partsAfter(Operation *loop) {
    SmallVector<Operation *> found;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (isPartAfter(loop, op))
        found.push_back(op);
    return found;
  }

  static LogicalResult split(LoopLikeOpInterface loop) {
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

    for (Value result : results)
      if (auto number = dyn_cast<OpResult>(result);
          result.getType().isIntOrIndexOrFloat() &&
          number.getOwner() == loop.getOperation() &&
          !owns(nvws::ownersOfResult(loop, number.getResultNumber()), 0))
        nvws::shareComputation(loop, /*partition=*/0, result);

    OpBuilder b(loop.getOperation());
    OperationState state(loop.getLoc(), nvws::WarpGroupOp::getOperationName());
    for (Value result : results)
      state.addTypes(result.getType());
    int32_t warps = ttg::lookupNumWarps(loop).value_or(4);
    SmallVector<int32_t> warpsOf(count, warps);
    state.addAttribute("numWarps", b.getDenseI32ArrayAttr(warpsOf));
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
      // Warps share the registers: each one less leaves the others more.
      if (i > 0 && fitsOneWarp(region))
        warpsOf[i] = 1;
    }
    cast<nvws::WarpGroupOp>(group).setNumWarps(warpsOf);
    for (auto [old, made] : llvm::zip_equal(results, group->getResults()))
      old.replaceAllUsesWith(made);
    for (Operation *op : llvm::reverse(after))
      op->erase();
    loop.erase();
    return success();
  }
};

} // namespace
