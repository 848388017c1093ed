//===- BlockSpills.cpp - Values of a block beyond its registers -----------===//

#include "passes/emit/BlockSpills.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include <limits>
#include <set>

using namespace llvm;

static bool isUsedBeyond(const Instruction &value, const BasicBlock &block) {
  return any_of(value.users(), [&](const User *user) {
    const auto *instruction = cast<Instruction>(user);
    return instruction->getParent() != &block || isa<PHINode>(instruction);
  });
}

unsigned kernelscope::emit::pressureOf(const BasicBlock &block,
                                       ArrayRef<Instruction *> order,
                                       RegisterCount registersOf) {
  // From the end: a value is live from its last use up.
  unsigned live = 0, most = 0;
  DenseSet<const Instruction *> seen;
  auto use = [&](const Instruction &value) {
    if (unsigned registers = registersOf(value);
        registers && seen.insert(&value).second)
      live += registers;
  };
  for (const Instruction *instruction : order)
    if (isUsedBeyond(*instruction, block))
      use(*instruction);
  for (const Instruction *instruction : reverse(order)) {
    most = std::max(most, live);
    if (seen.contains(instruction))
      live -= registersOf(*instruction);
    if (isa<PHINode>(instruction))
      continue;
    for (const Value *operand : instruction->operands())
      if (const auto *value = dyn_cast<Instruction>(operand);
          value && value->getParent() == &block)
        use(*value);
  }
  return std::max(most, live);
}

/// Whether an accumulation register, or some next to each other, can hold
/// `type` as inline assembly names it.
static bool fitsAccumulators(const Type &type) {
  // LLVM's inline assembly has no registers for vectors of some other sizes.
  constexpr unsigned mostElements = 8;
  const auto *vector = dyn_cast<FixedVectorType>(&type);
  return !type.isPtrOrPtrVectorTy() && type.getScalarSizeInBits() == 32 &&
         (!vector || vector->getNumElements() <= mostElements);
}

namespace {

class BlockSpills {
public:
  BlockSpills(BasicBlock &block, unsigned most, unsigned accumulators,
              kernelscope::emit::RegisterCount registersOf)
      : block(block), most(most), freeAccumulators(accumulators),
        registersOf(registersOf) {}

  void run() {
    findUses();
    for (unsigned at = 0; at < code.size(); ++at) {
      Instruction &instruction = *code[at];
      if (!isa<PHINode>(instruction))
        readOperands(instruction);
      if (auto found = values.find(&instruction); found != values.end())
        enter(found->second);
      spill(/*after=*/at);
    }
    finish();
  }

private:
  static constexpr unsigned beyond = std::numeric_limits<unsigned>::max();

  struct Tracked {
    Tracked(unsigned number, unsigned registers, Value *current)
        : number(number), registers(registers), current(current) {}

    unsigned number, registers;
    /// Where it is now; in scratch memory if null.
    Value *current;
    /// The instructions that use it, the next one last.
    SmallVector<unsigned> uses;
    bool isSpilled = false;
    /// The first word of its place in scratch memory.
    std::optional<unsigned> slot;
  };

  void findUses() {
    for (Instruction &instruction : block) {
      unsigned registers = registersOf(instruction);
      if (registers && !instruction.use_empty() &&
          !instruction.getType()->isAggregateType())
        values.try_emplace(&instruction, code.size(), registers, &instruction);
      code.push_back(&instruction);
    }
    for (auto &[value, tracked] : values)
      if (isUsedBeyond(*value, block))
        tracked.uses.push_back(beyond);
    for (unsigned at = code.size(); at-- > 0;)
      if (!isa<PHINode>(code[at]))
        for (Value *operand : code[at]->operands())
          if (Tracked *tracked = find(operand);
              tracked && (tracked->uses.empty() || tracked->uses.back() != at))
            tracked->uses.push_back(at);
  }

  Tracked *find(Value *value) {
    auto found = values.find(dyn_cast<Instruction>(value));
    return found == values.end() ? nullptr : &found->second;
  }

  /// What is used beyond the block stays in its registers.
  void enter(Tracked &value) {
    live += value.registers;
    if (value.uses.front() != beyond)
      byNextUse.insert({value.uses.back(), value.number});
  }

  void readOperands(Instruction &instruction) {
    SmallDenseSet<Tracked *> read;
    for (Use &operand : instruction.operands())
      if (Tracked *value = find(operand.get())) {
        if (value->isSpilled)
          reload(*value, instruction);
        read.insert(value);
        operand.set(value->current);
      }
    for (Tracked *value : read) {
      byNextUse.erase({value->uses.back(), value->number});
      live -= value->registers;
      value->uses.pop_back();
      if (!value->uses.empty())
        enter(*value);
    }
  }

  void reload(Tracked &value, Instruction &before) {
    IRBuilder<> b(&before);
    Type *type = code[value.number]->getType();
    if (value.current) {
      value.current = pin(b, *value.current, "=v,0");
      freeAccumulators += value.registers;
    } else {
      value.current = b.CreateLoad(type, addressOf(b, *value.slot, opaque));
    }
    value.isSpilled = false;
    enter(value);
  }

  void spill(unsigned after) {
    while (live > most && !byNextUse.empty()) {
      auto farthest = std::prev(byNextUse.end());
      auto [use, number] = *farthest;
      if (use <= after + 1)
        return;
      byNextUse.erase(farthest);
      Tracked &value = values.find(code[number])->second;
      live -= value.registers;
      value.isSpilled = true;
      if (!value.slot && value.registers <= freeAccumulators &&
          fitsAccumulators(*value.current->getType())) {
        IRBuilder<> b(following(*cast<Instruction>(value.current)));
        value.current = pin(b, *value.current, "=a,0");
        freeAccumulators -= value.registers;
        usesAccumulators = true;
        continue;
      }
      if (!value.slot)
        store(value);
      value.current = nullptr;
    }
  }

  void store(Tracked &value) {
    Function &function = *block.getParent();
    if (!memory) {
      IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
      memory = b.CreateAlloca(b.getInt32Ty(),
                              function.getDataLayout().getAllocaAddrSpace(),
                              b.getInt32(0));
      // Else value numbering finds the stored value again.
      opaque = pin(b, *memory, "=s,0");
    }
    value.slot = words;
    words += value.registers;
    IRBuilder<> b(following(*cast<Instruction>(value.current)));
    b.CreateStore(value.current, addressOf(b, *value.slot, memory));
  }

  void finish() {
    if (memory)
      memory->setOperand(
          0, ConstantInt::get(memory->getArraySize()->getType(), words));
    if (usesAccumulators)
      block.getParent()->removeFnAttr("amdgpu-agpr-alloc");
  }

  static Instruction *following(Instruction &value) {
    return isa<PHINode>(value) ? &*value.getParent()->getFirstInsertionPt()
                               : value.getNextNode();
  }

  static Value *addressOf(IRBuilder<> &b, unsigned word, Value *base) {
    constexpr unsigned bytes = 4;
    return b.CreatePtrAdd(base, b.getInt32(bytes * word));
  }

  /// `value` in the registers that `constraint` names. Assembly has none for
  /// vectors of one element, such as masked loads give.
  static Value *pin(IRBuilder<> &b, Value &value, StringRef constraint) {
    Type *given = value.getType(), *type = given;
    if (auto *vector = dyn_cast<FixedVectorType>(given);
        vector && vector->getNumElements() == 1)
      type = vector->getElementType();
    Value *held =
        b.CreateCall(InlineAsm::get(FunctionType::get(type, {type}, false), "",
                                    constraint, /*hasSideEffects=*/false),
                     {b.CreateBitCast(&value, type)});
    return b.CreateBitCast(held, given);
  }

  BasicBlock &block;
  unsigned most, freeAccumulators;
  kernelscope::emit::RegisterCount registersOf;
  SmallVector<Instruction *> code;
  DenseMap<Instruction *, Tracked> values;
  std::set<std::pair<unsigned, unsigned>> byNextUse;
  unsigned live = 0, words = 0;
  bool usesAccumulators = false;
  AllocaInst *memory = nullptr;
  Value *opaque = nullptr;
};

} // namespace

void kernelscope::emit::spillBeyond(BasicBlock &block, unsigned most,
                                    unsigned accumulators,
                                    RegisterCount registersOf) {
  BlockSpills(block, most, accumulators, registersOf).run();
}
