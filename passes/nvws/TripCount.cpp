//===- TripCount.cpp - How often a loop runs ------------------------------===//

#include "passes/nvws/TripCount.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kernelscope;
using arith::CmpIPredicate;

/// Whether `lower < upper` follows from `left predicate right`.
static bool implies(CmpIPredicate predicate, Value left, Value right,
                    Value lower, Value upper) {
  if (predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge) {
    std::swap(left, right);
    predicate = predicate == CmpIPredicate::sgt ? CmpIPredicate::slt
                                                : CmpIPredicate::sle;
  }
  if (right != upper)
    return false;
  if (predicate == CmpIPredicate::slt && left == lower)
    return true;
  auto bound = tt::constantOf(left), wanted = tt::constantOf(lower);
  if (!bound || !wanted)
    return false;
  return predicate == CmpIPredicate::slt   ? *bound >= *wanted
         : predicate == CmpIPredicate::sle ? *bound > *wanted
                                           : false;
}

bool nvws::runsAtLeastOnce(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return false;
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  auto first = tt::constantOf(lower), end = tt::constantOf(upper);
  if (first && end)
    return *first < *end;
  DominanceInfo dominance;
  for (Operation *user : upper.getUsers())
    if (auto compared = dyn_cast<arith::CmpIOp>(user);
        compared && implies(compared.getPredicate(), compared.getLhs(),
                            compared.getRhs(), lower, upper))
      for (Operation *assumes : compared->getUsers())
        if (assumes->getName().getStringRef() == "llvm.intr.assume" &&
            dominance.dominates(assumes, loop))
          return true;
  return false;
}

bool nvws::hasSameBoundsIn(scf::ForOp loop, LoopLikeOpInterface outer) {
  SmallVector<Value> work{loop.getLowerBound(), loop.getUpperBound()};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (outer.isDefinedOutsideOfLoop(value) || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op))
      return false;
    work.append(op->operand_begin(), op->operand_end());
  }
  return true;
}
