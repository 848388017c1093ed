//===- Chains.cpp - Who counts the stages of a reference ------------------===//

#include "passes/nvws/Chains.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/nvws/Rings.h"

using namespace mlir;

namespace kernelscope::nvws {

int32_t Chain::depth() {
  return static_cast<int32_t>(countStages(aref.getType()));
}

template <typename Enter>
static void addChains(ArefCreateOp aref, bool isPut,
                      std::vector<Chain> &chains) {
  SmallVector<Operation *> enters;
  for (Operation *op : usersOf<Enter>(aref.getResult()))
    if (isCounted(cast<Enter>(op)))
      enters.push_back(op);
  Owners owners(enters);
  size_t first = chains.size();
  for (size_t i = 0; i < owners.size(); ++i)
    chains.push_back({aref, owners[i], isPut, {}});
  for (Operation *op : enters)
    chains[first + owners.indexOf(op)].enters.push_back(op);
}

std::vector<Chain> findChains(ModuleOp module) {
  std::vector<Chain> chains;
  module.walk([&](ArefCreateOp aref) {
    addChains<ArefPutEnterOp>(aref, /*isPut=*/true, chains);
    addChains<ArefGetEnterOp>(aref, /*isPut=*/false, chains);
  });
  return chains;
}

/// Adds what `use` makes of a token to `work`.
static void followUse(OpOperand &use, SmallVector<Value> &work) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  Operation *parent = op->getParentOp();
  auto intoLoop = [&](scf::ForOp loop, unsigned i) {
    work.push_back(loop.getRegionIterArg(i));
    work.push_back(loop.getResult(i));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    intoLoop(loop, number - loop.getNumControlOperands());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    work.push_back(loop.getBeforeArguments()[number]);
  } else if (isa<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(parent);
    work.push_back(loop.getAfterArguments()[number - 1]);
    work.push_back(loop.getResult(number - 1));
  } else if (isa<scf::YieldOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      intoLoop(loop, number);
    else if (auto loop = dyn_cast<scf::WhileOp>(parent))
      work.push_back(loop.getBeforeArguments()[number]);
    else if (isa<scf::IfOp>(parent))
      work.push_back(parent->getResult(number));
  }
}

DenseSet<Value> followTokens(ArrayRef<Chain> chains) {
  SmallVector<Value> work;
  for (const Chain &chain : chains)
    for (Operation *enter : chain.enters)
      work.push_back(enter->getResults().back());
  DenseSet<Value> tokens;
  while (!work.empty()) {
    Value token = work.pop_back_val();
    if (tokens.insert(token).second)
      for (OpOperand &use : token.getUses())
        followUse(use, work);
  }
  return tokens;
}

} // namespace kernelscope::nvws
