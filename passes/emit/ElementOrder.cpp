//===- ElementOrder.cpp - One element after the other ---------------------===//
//
// A run is the arithmetic between two instructions that have to stay where
// they are. Within it, each result is placed after everything that only it
// needs.
//
//===----------------------------------------------------------------------===//

#include "passes/emit/ElementOrder.h"
#include "passes/emit/OperandOrder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kernelscope::emit {

/// Fewer live registers than this (of 32 bits) do not keep a warp from the
/// chip: 64 warps have 32 for each thread.
static constexpr unsigned fewRegisters = 24;

static bool isArithmetic(const Instruction &instruction) {
  if (isa<PHINode, AllocaInst>(instruction) || instruction.isTerminator() ||
      instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects())
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  return !call || !call->isConvergent();
}

/// Registers of 32 bits; predicates have a file of their own.
static unsigned registersOf(const Value &value, const DataLayout &data) {
  Type *type = value.getType();
  if (!type->isSized() || type->isIntegerTy(1))
    return 0;
  return (data.getTypeSizeInBits(type).getFixedValue() + 31) / 32;
}

namespace {

class Run {
public:
  Run(ArrayRef<Instruction *> code, const DataLayout &data)
      : code(code), data(data) {
    for (Instruction *instruction : code)
      members.insert(instruction);
  }

  /// The run with each result after what it needs, in the order of the
  /// results.
  SmallVector<Instruction *> byResult() const {
    SmallVector<Instruction *> order;
    DenseSet<const Instruction *> done;
    for (Instruction *result : code)
      if (!diesWithin(*result))
        placeAfterOperands(
            *result,
            [&](const Instruction &needed) {
              return members.contains(&needed);
            },
            order, done);
    return order;
  }

  /// The most registers that are live at once in this order of the run, except
  /// those that are live in any order.
  unsigned pressure(ArrayRef<Instruction *> order) const {
    // From the end: a value is live from its last use up.
    unsigned live = 0, most = 0;
    DenseSet<const Value *> seen;
    for (const Instruction *instruction : order)
      if (!diesWithin(*instruction) && seen.insert(instruction).second)
        live += registersOf(*instruction, data);
    for (const Instruction *instruction : reverse(order)) {
      most = std::max(most, live);
      if (seen.contains(instruction))
        live -= registersOf(*instruction, data);
      for (const Value *operand : instruction->operands())
        if (isa<Instruction, Argument>(operand) && diesWithin(*operand) &&
            seen.insert(operand).second)
          live += registersOf(*operand, data);
    }
    return std::max(most, live);
  }

private:
  /// Asked for each use; what all elements need has as many uses.
  bool diesWithin(const Value &value) const {
    auto [known, isNew] = dying.try_emplace(&value, false);
    if (isNew)
      known->second =
          !value.use_empty() && all_of(value.users(), [&](const User *user) {
            return members.contains(cast<Instruction>(user));
          });
    return known->second;
  }

  ArrayRef<Instruction *> code;
  DenseSet<const Instruction *> members;
  mutable DenseMap<const Value *, bool> dying;
  const DataLayout &data;
};

} // namespace

static void orderRun(ArrayRef<Instruction *> code, const DataLayout &data) {
  if (code.size() <= fewRegisters)
    return;
  Run run(code, data);
  unsigned before = run.pressure(code);
  if (before <= fewRegisters)
    return;
  SmallVector<Instruction *> order = run.byResult();
  if (4 * run.pressure(order) > 3 * before)
    return;
  BasicBlock::iterator end = std::next(code.back()->getIterator());
  BasicBlock &block = *code.front()->getParent();
  for (Instruction *instruction : order)
    instruction->moveBefore(block, end);
}

void orderByElement(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      SmallVector<Instruction *> code;
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (isArithmetic(instruction)) {
          code.push_back(&instruction);
          continue;
        }
        orderRun(code, module.getDataLayout());
        code.clear();
      }
    }
}

} // namespace kernelscope::emit
