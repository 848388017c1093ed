//===- TensorMemoryChain.cpp - Accesses in the order of tokens ------------===//

#include "passes/nvws/TensorMemoryChain.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/IR/Matchers.h"
#include "passes/nvws/Handing.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;

static MutableOperandRange dependenceRange(Operation *access) {
  return llvm::TypeSwitch<Operation *, MutableOperandRange>(access)
      .Case<ttng::TMEMLoadOp, ttng::TMEMStoreOp>(
          [](auto op) { return op.getDepMutable(); })
      .Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(
          [](auto op) { return op.getAccDepMutable(); })
      .Default([](Operation *op) { return MutableOperandRange(op, 0, 0); });
}

OpOperand *nvws::dependenceOf(Operation *access) {
  MutableOperandRange range = dependenceRange(access);
  return range.empty() ? nullptr : &range[0];
}

Value nvws::orderedMemoryOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case([](ttng::TMEMLoadOp op) { return op.getSrc(); })
      .Case([](ttng::TMEMStoreOp op) { return op.getDst(); })
      .Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(
          [](auto op) { return op.getD(); })
      .Default(Value());
}

void nvws::clearDependence(Operation *access) {
  dependenceRange(access).clear();
}

Value nvws::tokenOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<ttng::TMEMLoadOp, ttng::TMEMStoreOp, ttng::TCGen5MMAOp,
            ttng::TCGen5MMAScaledOp>([](auto op) { return op.getToken(); })
      .Default(Value());
}

bool nvws::isConstantFlag(Value flag, bool wanted) {
  llvm::APInt value;
  return matchPattern(flag, m_ConstantInt(&value)) &&
         value.getBoolValue() == wanted;
}

Value nvws::accumulateFlagOf(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access)
      .Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>([](auto op) {
        return isConstantFlag(op.getPred(), true) ? op.getUseD() : Value();
      })
      .Default(Value());
}

Operation *nvws::nextOf(Value token, Block *block) {
  Operation *next = nullptr;
  for (Operation *user : token.getUsers()) {
    Operation *at = block->findAncestorOpInBlock(*user);
    if (!at)
      continue;
    if (next && next != at)
      return nullptr;
    next = at;
  }
  return next;
}

std::optional<unsigned> nvws::operandWith(Operation *op, Value token) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == token)
      return operand.getOperandNumber();
  return std::nullopt;
}

std::optional<nvws::CarriedToken> nvws::carriedBy(Operation *op, Value token) {
  auto operand = operandWith(op, token);
  if (!operand)
    return std::nullopt;
  OpOperand *init = &op->getOpOperand(*operand);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (*operand < loop.getNumControlOperands())
      return std::nullopt;
    unsigned number = *operand - loop.getNumControlOperands();
    return CarriedToken{init, loop.getRegionIterArg(number),
                        &loop.getBody()->getTerminator()->getOpOperand(number),
                        loop->getResult(number)};
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop || !passesOnArguments(loop) ||
      !loop.getBeforeArguments()[*operand].hasOneUse())
    return std::nullopt;
  return CarriedToken{init, loop.getAfterArguments()[*operand],
                      &loop.getYieldOp()->getOpOperand(*operand),
                      loop->getResult(*operand)};
}

Operation *nvws::firstAccess(Value token, Block *block) {
  while (Operation *next = nextOf(token, block)) {
    if (dependenceOf(next))
      return next;
    if (auto carried = carriedBy(next, token)) {
      if (Operation *inside =
              firstAccess(carried->inside, carried->inside.getOwner()))
        return inside;
      token = carried->after;
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(next);
    if (!branch)
      return nullptr;
    for (Region &region : branch->getRegions())
      if (!region.empty())
        if (Operation *inside = firstAccess(token, &region.front()))
          return inside;
    auto passed = operandWith(branch.thenBlock()->getTerminator(), token);
    if (!passed)
      return nullptr;
    token = branch.getResult(*passed);
  }
  return nullptr;
}
