//===- ArefFixes.cpp - edits that mend regions of references --------------===//

#include "passes/lint/ArefFixes.h"

#include "dialects/nvws/Owners.h"

using namespace mlir;
using namespace kernelscope;

Value kernelscope::stageOf(Operation *op) {
  if (auto enter = dyn_cast<nvws::ArefPutEnterOp>(op))
    return enter.getStage();
  if (auto enter = dyn_cast<nvws::ArefGetEnterOp>(op))
    return enter.getStage();
  if (auto exit = dyn_cast<nvws::ArefPutExitOp>(op))
    return exit.getStage();
  return cast<nvws::ArefGetExitOp>(op).getStage();
}

std::optional<LintFix> kernelscope::fixStage(Operation *enter,
                                             Operation *exit) {
  for (OpOperand &operand : exit->getOpOperands())
    if (operand.get() == stageOf(exit) && operand.getOperandNumber() > 0)
      return OperandFix{&operand, stageOf(enter)};
  return std::nullopt;
}

std::optional<LintFix> kernelscope::fixPartition(Operation *op,
                                                 Operation *enter) {
  auto wrong = nvws::partitionsOf(op), right = nvws::partitionsOf(enter);
  if (wrong.size() != 1 || right.size() != 1)
    return std::nullopt;
  return NumberFix{op, wrong.front(), right.front(), nvws::partitionName};
}

std::optional<LintFix> kernelscope::fixEarlyExit(ArrayRef<Operation *> users,
                                                 Operation *exit) {
  Operation *last = exit;
  for (Operation *user : users)
    if (Operation *place = exit->getBlock()->findAncestorOpInBlock(*user);
        place && last->isBeforeInBlock(place))
      last = place;
  if (last == exit || last->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  return MovedOp{exit, last};
}

/// The asynchronous work of `user`, which ends when its engine says so, by the
/// name that an exit uses.
static StringRef asyncNameOf(Operation *user) {
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(user);
  if (isa<nvws::DescriptorLoadOp>(user))
    return "tma_load";
  if (!memory || memory.getAccessMode().proxy != ttg::Proxy::TensorCore)
    return "none";
  return memory.getAccessMode().completion == ttg::Completion::WgmmaGroup
             ? "wgmma"
             : "tc5mma";
}

std::optional<LintFix>
kernelscope::fixMissingExit(Operation *enter, Value token,
                            ArrayRef<Operation *> users) {
  if (!llvm::all_of(token.getUsers(), [](Operation *user) {
        return isa<nvws::ArefBufferOp>(user);
      }))
    return std::nullopt;
  Operation *last = enter;
  StringRef done = "none";
  for (Operation *user : users) {
    Operation *place = enter->getBlock()->findAncestorOpInBlock(*user);
    if (!place || place->hasTrait<OpTrait::IsTerminator>())
      return std::nullopt;
    if (!place->isBeforeInBlock(last))
      last = place;
    if (StringRef name = asyncNameOf(user); name != "none")
      done = name;
  }
  MissingOps fix = {last->getNextNode(), "", {enter->getOperand(0), token}};
  fix.text = isa<nvws::ArefPutEnterOp>(enter) ? "nvws.aref.put.exit $0"
                                              : "nvws.aref.get.exit $0";
  if (Value stage = stageOf(enter)) {
    fix.operands.push_back(stage);
    fix.text += "[$2]";
  }
  fix.text +=
      (", $1 [#nvws.async_op<" + done + ">] : $type, !ttg.async.token").str();
  return fix;
}
