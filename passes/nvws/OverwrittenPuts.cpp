//===- OverwrittenPuts.cpp - Puts that need no earlier contents -----------===//

#include "passes/nvws/OverwrittenPuts.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/nvws/TensorMemoryChain.h"
#include "passes/nvws/TripCount.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::nvws;

void OverwrittenPuts::noteFirst(SmallVectorImpl<Operation *> &enters,
                                Operation *access) {
  for (Operation *enter : enters)
    firstAccesses.push_back({enter, access});
  enters.clear();
}

bool OverwrittenPuts::overwrites(Operation *access, Operation *enter) const {
  if (!access || !wholeAccesses.contains(access))
    return false;
  auto loop = dyn_cast<scf::ForOp>(access->getParentOp());
  Operation *around = access->getBlock()->findAncestorOpInBlock(*enter);
  if (!around && (!loop || !runsAtLeastOnce(loop)))
    return false;
  if (auto store = dyn_cast<ttng::TMEMStoreOp>(access))
    return isConstantFlag(store.getPred(), true);
  Value flag = accumulateFlagOf(access);
  if (!flag)
    return false;
  if (isConstantFlag(flag, false))
    return true;
  auto carried = dyn_cast<BlockArgument>(flag);
  if (!loop || !carried || carried.getOwner() != access->getBlock() ||
      carried.getArgNumber() == 0)
    return false;
  unsigned number = carried.getArgNumber() - 1;
  // Entered before the loop, with the flag of its first turn.
  if (!around)
    return isConstantFlag(loop.getInitArgs()[number], false);
  // Entered for the next turn of the loop, with the flag of that.
  if (around->isBeforeInBlock(access))
    return false;
  Value next = loop.getYieldedValues()[number];
  if (isConstantFlag(next, false))
    return true;
  auto choice = next.getDefiningOp<arith::SelectOp>();
  auto condition = conditions.find(enter);
  return choice && condition != conditions.end() &&
         choice.getCondition() == condition->second.first &&
         isConstantFlag(condition->second.second ? choice.getTrueValue()
                                                 : choice.getFalseValue(),
                        false);
}

bool OverwrittenPuts::areOverwritten() const {
  return !firstAccesses.empty() && llvm::all_of(firstAccesses, [&](auto &each) {
    return overwrites(each.second, each.first);
  });
}
