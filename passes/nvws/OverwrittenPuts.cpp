//===- OverwrittenPuts.cpp - Puts that need no earlier contents -----------===//

#include "passes/nvws/OverwrittenPuts.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::nvws;

static bool isFlag(Value flag, bool wanted) {
  llvm::APInt value;
  return matchPattern(flag, m_ConstantInt(&value)) &&
         value.getBoolValue() == wanted;
}

void OverwrittenPuts::noteFirst(SmallVectorImpl<Operation *> &enters,
                                Operation *access) {
  for (Operation *enter : enters)
    firstAccesses.push_back({enter, access});
  enters.clear();
}

bool OverwrittenPuts::overwrites(Operation *access, Operation *enter) const {
  if (!access || !wholeAccesses.contains(access))
    return false;
  Operation *around = access->getBlock()->findAncestorOpInBlock(*enter);
  if (!around)
    return false;
  if (auto store = dyn_cast<ttng::TMEMStoreOp>(access))
    return isFlag(store.getPred(), true);
  Value flag, predicate;
  auto look = [&](auto product) {
    if (product) {
      flag = product.getUseD();
      predicate = product.getPred();
    }
  };
  look(dyn_cast<ttng::TCGen5MMAOp>(access));
  look(dyn_cast<ttng::TCGen5MMAScaledOp>(access));
  if (!flag || !isFlag(predicate, true))
    return false;
  if (isFlag(flag, false))
    return true;
  // Entered for the next turn of the loop, with the flag of that.
  auto carried = dyn_cast<BlockArgument>(flag);
  if (!carried || carried.getOwner() != access->getBlock() ||
      !isa<scf::ForOp>(access->getParentOp()) || carried.getArgNumber() == 0 ||
      around->isBeforeInBlock(access))
    return false;
  Value next = carried.getOwner()->getTerminator()->getOperand(
      carried.getArgNumber() - 1);
  if (isFlag(next, false))
    return true;
  auto choice = next.getDefiningOp<arith::SelectOp>();
  auto condition = conditions.find(enter);
  return choice && condition != conditions.end() &&
         choice.getCondition() == condition->second.first &&
         isFlag(condition->second.second ? choice.getTrueValue()
                                         : choice.getFalseValue(),
                false);
}

bool OverwrittenPuts::areOverwritten() const {
  return !firstAccesses.empty() && llvm::all_of(firstAccesses, [&](auto &each) {
    return overwrites(each.second, each.first);
  });
}
