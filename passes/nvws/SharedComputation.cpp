//===- SharedComputation.cpp - What several partitions compute ------------===//

#include "passes/nvws/SharedComputation.h"
#include "dialects/nvws/Owners.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/nvws/Marks.h"

using namespace mlir;
using namespace kernelscope;

namespace {

class SharedComputation {
public:
  SharedComputation(LoopLikeOpInterface loop, int32_t partition)
      : loop(loop), partition(partition) {}

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
      op->setAttr(nvws::partitionOutputsName, b.getArrayAttr(outputs));
    SmallVector<int32_t> owners(marks.asArrayRef());
    addTo(owners);
    nvws::setPartitions(op, owners);
  }

  LoopLikeOpInterface loop;
  int32_t partition;
  DenseSet<Value> seen;
};

} // namespace

bool nvws::shareComputation(LoopLikeOpInterface loop, int32_t partition,
                            Value value) {
  return SharedComputation(loop, partition).share(value);
}
