//===- OperandOrder.cpp - Instructions after their operands ---------------===//

#include "passes/emit/OperandOrder.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

// Without recursion, since chains can be long.
void kernelscope::emit::placeAfterOperands(
    Instruction &result, function_ref<bool(const Instruction &)> isMember,
    SmallVectorImpl<Instruction *> &order,
    DenseSet<const Instruction *> &placed) {
  SmallVector<std::pair<Instruction *, unsigned>> stack{{&result, 0}};
  while (!stack.empty()) {
    auto &[instruction, operand] = stack.back();
    if (placed.contains(instruction)) {
      stack.pop_back();
    } else if (operand == instruction->getNumOperands()) {
      placed.insert(instruction);
      order.push_back(instruction);
      stack.pop_back();
    } else {
      auto *needed = dyn_cast<Instruction>(instruction->getOperand(operand));
      ++operand;
      if (needed && isMember(*needed))
        stack.push_back({needed, 0});
    }
  }
}
