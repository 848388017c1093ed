//===- BranchOverSums.cpp - No select of sums that are being computed -----===//
//
// `branch-over-sums`: ptxas runs one wgmma after the other if another
// instruction reads their registers before the wait (its remark C7514), as the
// selects of a loop that begins the next tile's sum at zero would.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_BRANCHOVERSUMS
#include "passes/Passes.h.inc"

/// Whether `value` is what a wait leaves in flight.
static bool isInFlight(Value value) {
  auto wait = value.getDefiningOp<ttng::WarpGroupDotWaitOp>();
  return wait && wait.getPending() > 0;
}

/// A branch after `select` that asks the same, before all uses of the result.
static scf::IfOp findBranch(arith::SelectOp select) {
  Block *block = select->getBlock();
  for (Operation *user : select.getCondition().getUsers()) {
    auto branch = dyn_cast<scf::IfOp>(user);
    if (!branch || branch->getBlock() != block ||
        !select->isBeforeInBlock(branch))
      continue;
    if (llvm::all_of(select->getUsers(), [&](Operation *use) {
          Operation *place = block->findAncestorOpInBlock(*use);
          return place && branch->isBeforeInBlock(place);
        }))
      return branch;
  }
  return {};
}

static Block *blockOf(Region &region, OpBuilder &b, Location loc) {
  if (region.empty()) {
    b.createBlock(&region);
    scf::YieldOp::create(b, loc);
  }
  return &region.front();
}

/// Makes the choice a result of `branch`.
static void choose(arith::SelectOp select, scf::IfOp branch) {
  OpBuilder b(branch);
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(select.getType());
  auto both = scf::IfOp::create(b, branch.getLoc(), types,
                                branch.getCondition(), /*addThenBlock=*/false,
                                /*addElseBlock=*/false);
  both->setAttrs(branch->getAttrs());
  both.getThenRegion().takeBody(branch.getThenRegion());
  both.getElseRegion().takeBody(branch.getElseRegion());
  for (auto [region, value] :
       {std::pair(&both.getThenRegion(), select.getTrueValue()),
        {&both.getElseRegion(), select.getFalseValue()}})
    blockOf(*region, b, branch.getLoc())
        ->getTerminator()
        ->insertOperands(types.size() - 1, value);
  branch.replaceAllUsesWith(both.getResults().drop_back());
  select.replaceAllUsesWith(both.getResults().back());
  select.erase();
  branch.erase();
}

namespace {
struct BranchOverSums : impl::BranchOverSumsBase<BranchOverSums> {
  void runOnOperation() override {
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp select) {
      if (select.getCondition().getType().isInteger(1) &&
          (isInFlight(select.getTrueValue()) ||
           isInFlight(select.getFalseValue())))
        selects.push_back(select);
    });
    for (arith::SelectOp select : selects)
      if (scf::IfOp branch = findBranch(select))
        choose(select, branch);
  }
};
} // namespace

} // namespace kernelscope
