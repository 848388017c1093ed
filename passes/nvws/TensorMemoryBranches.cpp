//===- TensorMemoryBranches.cpp - Tensor memory in turn, under conditions -===//
//
// A branch in which another partition has the buffer: the holder exits before
// it and enters after it under the same condition.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/nvws/TensorMemoryChain.h"
#include "passes/nvws/TensorMemoryHandover.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::nvws;

FailureOr<Value> TensorMemoryHandover::followBranch(scf::IfOp branch,
                                                    Value token) {
  SmallVector<Operation *, 2> firsts;
  for (Region &region : branch->getRegions())
    firsts.push_back(region.empty() ? nullptr
                                    : firstAccess(token, &region.front()));
  bool both = firsts[0] && firsts[1];
  Operation *first = firsts[0] ? firsts[0] : firsts[1];
  if (!first || (both && holderOf(firsts[0]) != holderOf(firsts[1])))
    return refuse(branch,
                  "has branches in which different partitions use tensor "
                  "memory first; both must start with the same partition");
  if (both && holderOf(first) != now.holder && failed(hand(branch, first)))
    return failure();
  bool exchanges = holderOf(first) != now.holder;
  State before = now;
  if (exchanges)
    exitUnder(branch, firsts[0] ? 0 : 1);
  // Which result goes on: the one that either branch yields a token for.
  std::optional<unsigned> result;
  AsyncOp kind = before.kind;
  for (auto [region, access] : llvm::zip_equal(branch->getRegions(), firsts)) {
    if (region.empty())
      continue;
    Operation *yield = region.front().getTerminator();
    Value last = token;
    if (access) {
      now = before;
      now.block = nullptr;
      if (exchanges) {
        MarkedBuilder at(
            OpBuilder(region.front().findAncestorOpInBlock(*access)),
            alloc.getLoc(), access);
        enter(at, holderOf(access));
        if (failed(joinSide(access)))
          return failure();
      }
      if (failed(follow(token, &region.front())))
        return failure();
      last = tail;
      if (exchanges ? holderOf(access) != now.holder
                    : before.holder != now.holder)
        return refuse(branch, "leaves tensor memory with a partition other "
                              "than the one it came from");
      if (exchanges)
        exit();
      if (now.kind == AsyncOp::TC5MMA && !exchanges)
        kind = now.kind;
    }
    if (auto number = operandWith(yield, last)) {
      result = number;
      Value goesOn = access ? now.token : before.token;
      yield->setOperand(*number, exchanges ? poison(branch) : goesOn);
    }
  }
  now = before;
  now.last = branch;
  now.kind = kind;
  if (!exchanges)
    puts.noteFirst(now.fresh, nullptr);
  Value onward = result ? Value(branch.getResult(*result)) : Value();
  if (exchanges)
    now.token = enterUnder(branch, firsts[0] ? 0 : 1);
  else if (onward)
    now.token = onward;
  now.block = nullptr;
  return onward;
}

Value TensorMemoryHandover::poison(Operation *before) {
  OpBuilder b(before);
  return ub::PoisonOp::create(b, alloc.getLoc(),
                              ttg::AsyncTokenType::get(b.getContext()));
}

scf::IfOp TensorMemoryHandover::branchOf(OpBuilder b, scf::IfOp branch,
                                         TypeRange results) {
  auto made = scf::IfOp::create(b, alloc.getLoc(), results,
                                branch.getCondition(), /*withElse=*/true);
  copyMarks(now.last == branch ? branch : now.last, made);
  if (now.holder)
    setPartitions(made, *now.holder);
  if (!results.empty())
    made->setAttr(partitionOutputsName, b.getArrayAttr({partitionOf(made)}));
  return made;
}

MarkedBuilder TensorMemoryHandover::insideOf(scf::IfOp made, unsigned region) {
  Block *block = &made->getRegion(region).front();
  return {OpBuilder(block, block->begin()), alloc.getLoc(), made};
}

void TensorMemoryHandover::exitUnder(scf::IfOp branch, unsigned region) {
  scf::IfOp made = branchOf(OpBuilder(branch), branch, {});
  MarkedBuilder at = insideOf(made, region);
  exitAt(at);
  for (Region &each : made->getRegions())
    copyMarks(made, each.front().getTerminator());
}

Value TensorMemoryHandover::enterUnder(scf::IfOp branch, unsigned region) {
  OpBuilder b(branch->getContext());
  b.setInsertionPointAfter(branch);
  auto type = ttg::AsyncTokenType::get(b.getContext());
  scf::IfOp made = branchOf(b, branch, TypeRange(type));
  for (unsigned i : {0u, 1u}) {
    MarkedBuilder at = insideOf(made, i);
    Value token = now.token;
    if (i == region) {
      token = (now.isPut ? enterPut(at, aref) : enterGet(at, aref)).token;
      puts.noteCondition(token.getDefiningOp(), branch.getCondition(), i == 0);
      if (now.isPut)
        now.fresh.push_back(token.getDefiningOp());
    }
    at.make<scf::YieldOp>(ValueRange(token));
  }
  now.last = made;
  return made.getResult(0);
}
