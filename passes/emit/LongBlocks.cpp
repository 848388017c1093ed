//===- LongBlocks.cpp - Blocks with more values than registers ------------===//

#include "passes/emit/LongBlocks.h"
#include "dialects/target/Occupancy.h"
#include "passes/emit/BlockSpills.h"
#include "passes/emit/OperandOrder.h"
#include "passes/emit/SchedulingRegions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

/// No kernel of the corpora has longer ones that another order makes need fewer
/// registers, except with matrix products.
static constexpr size_t longBlock = 3000;
/// LLVM takes a minute for longer ones.
static constexpr size_t longestWhole = 8000;
/// The instructions of a part of a block that is split.
static constexpr size_t pieceLength = 300;

namespace {

/// Memory that no access of another kind touches.
enum class Memory { Global, Shared, Scratch };
constexpr Memory kinds[] = {Memory::Global, Memory::Shared, Memory::Scratch};

enum class Effect { None, Read, Write, Any };

struct Access {
  Effect effect = Effect::None;
  Memory memory = Memory::Global;
};

} // namespace

static Memory memoryOf(const Value &pointer) {
  switch (pointer.getType()->getPointerAddressSpace()) {
  case AMDGPUAS::LOCAL_ADDRESS:
    return Memory::Shared;
  case AMDGPUAS::PRIVATE_ADDRESS:
    return Memory::Scratch;
  default:
    return Memory::Global;
  }
}

static bool isFlat(const Value &pointer) {
  return pointer.getType()->getPointerAddressSpace() == AMDGPUAS::FLAT_ADDRESS;
}

static Access accessOf(const Instruction &instruction) {
  constexpr Access any{Effect::Any, Memory::Global};
  if (isa<AllocaInst>(instruction) || instruction.isTerminator())
    return any;
  if (!instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects())
    return {};
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || isFlat(*pointer))
    return any;
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() ? Access{Effect::Read, memoryOf(*pointer)} : any;
  return cast<StoreInst>(instruction).isSimple()
             ? Access{Effect::Write, memoryOf(*pointer)}
             : any;
}

namespace {

/// Writes and what has other effects keep their order. All else goes right
/// before the first that needs it, loads at the latest before the next write to
/// such memory.
class LazyOrder {
public:
  explicit LazyOrder(BasicBlock &block) : block(block) {}

  SmallVector<Instruction *> find() {
    for (Instruction &instruction : block) {
      if (isa<PHINode>(instruction)) {
        placed.insert(&instruction);
        order.push_back(&instruction);
        continue;
      }
      const Access access = accessOf(instruction);
      if (access.effect == Effect::Read)
        reads[access.memory].push_back(&instruction);
      if (instruction.isTerminator())
        for (Instruction &rest : block)
          if (&rest != &instruction)
            place(rest);
      if (access.effect == Effect::Any)
        for (Memory memory : kinds)
          placeReads(memory);
      if (access.effect == Effect::Write)
        placeReads(access.memory);
      if (access.effect == Effect::Write || access.effect == Effect::Any)
        place(instruction);
    }
    return std::move(order);
  }

private:
  void placeReads(Memory memory) {
    for (Instruction *read : reads[memory])
      place(*read);
    reads[memory].clear();
  }

  void place(Instruction &result) {
    auto isMember = [&](const Instruction &needed) {
      return needed.getParent() == &block;
    };
    kernelscope::emit::placeAfterOperands(result, isMember, order, placed);
  }

  BasicBlock &block;
  DenseMap<Memory, SmallVector<Instruction *>> reads;
  DenseSet<const Instruction *> placed;
  SmallVector<Instruction *> order;
};

/// The vector registers of values. Uniform ones are in scalar registers, and
/// what is computed from the thread's id alone, addresses mostly, LLVM folds
/// into accesses.
class Registers {
public:
  Registers(const Function &function, const UniformityInfo &uniformity)
      : uniformity(uniformity), data(function.getDataLayout()) {
    for (const Instruction &instruction : instructions(function))
      if (isIndex(instruction))
        indices.insert(&instruction);
  }

  unsigned of(const Instruction &value) const {
    Type *type = value.getType();
    if (!type->isSized() || type->isIntOrIntVectorTy(1) ||
        indices.contains(&value) || uniformity.isUniform(&value))
      return 0;
    constexpr unsigned bits = 32;
    return divideCeil(data.getTypeSizeInBits(type).getFixedValue(), bits);
  }

private:
  bool isIndex(const Instruction &value) const {
    if (value.mayReadOrWriteMemory() || isa<PHINode, AllocaInst>(value))
      return false;
    if (const auto *call = dyn_cast<CallBase>(&value))
      return call->arg_empty();
    return all_of(value.operands(), [&](const Value *operand) {
      const auto *instruction = dyn_cast<Instruction>(operand);
      return !instruction || indices.contains(instruction);
    });
  }

  const UniformityInfo &uniformity;
  const DataLayout &data;
  DenseSet<const Instruction *> indices;
};

/// The registers that arithmetic of a thread can use, and those beyond.
struct Budget {
  unsigned registers = 0, accumulators = 0;
};

} // namespace

/// Leaves some for addresses, and for what LLVM has in flight. Of AMD's
/// registers the first 256 are operands of arithmetic, except on gfx1250
/// (LLVM's AMDGPUUsage).
static Budget budgetOf(const Function &function,
                       const kernelscope::Target &target) {
  constexpr unsigned simds = 4;
  unsigned threads = target.maxThreads;
  StringRef sizes =
      function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  sizes.split(',').second.getAsInteger(10, threads);
  unsigned waves = divideCeil(threads, target.warpSize * simds), wanted = 0;
  StringRef perUnit =
      function.getFnAttribute("amdgpu-waves-per-eu").getValueAsString();
  if (!perUnit.split(',').first.getAsInteger(10, wanted))
    waves = std::max(waves, wanted);

  const unsigned most = maxVectorRegisters(target);
  const bool hasAccumulators = target.warpSize == 64;
  // A SIMD of CDNA has 512 for each lane, one of RDNA at least 1,024.
  constexpr unsigned ofCdna = 512, ofRdna = 1024, operands = 256;
  const unsigned all =
      std::min(most, (hasAccumulators ? ofCdna : ofRdna) / std::max(waves, 1u));
  const unsigned forArithmetic =
      hasAccumulators ? std::min(all, operands) : all;
  return {forArithmetic - forArithmetic / 8,
          (all - forArithmetic) - (all - forArithmetic) / 16};
}

bool kernelscope::emit::limitRegisters(Function &function, const Target &target,
                                       FunctionAnalysisManager &analyses) {
  auto isLong = [](const BasicBlock &block) {
    return block.size() > longBlock;
  };
  if (none_of(function, isLong) || hasOwnSchedule(function))
    return false;
  const Budget budget = budgetOf(function, target);
  // Passes over the final IR may have changed it since.
  analyses.invalidate(function, PreservedAnalyses::none());
  const Registers registers(
      function, analyses.getResult<UniformityInfoAnalysis>(function));
  auto registersOf = [&](const Instruction &value) {
    return registers.of(value);
  };
  bool found = false;
  for (BasicBlock &block : function) {
    if (!isLong(block))
      continue;
    SmallVector<Instruction *> given = to_vector(make_pointer_range(block));
    const unsigned pressure = pressureOf(block, given, registersOf);
    if (pressure <= budget.registers + budget.accumulators)
      continue;
    SmallVector<Instruction *> lazy = LazyOrder(block).find();
    // What a loop carries, as sums of products, is live in any order.
    if (pressureOf(block, lazy, registersOf) >= pressure)
      continue;
    for (Instruction *instruction : lazy)
      instruction->moveBefore(block, block.end());
    spillBeyond(block, budget.registers, budget.accumulators, registersOf);
    found = true;
  }
  return found;
}

/// Splits `block` into pieces by branches that no pass folds: LLVM assumes that
/// the assembly, which is empty, may jump to `never`.
static void splitIntoPieces(BasicBlock &block, BasicBlock &never) {
  SmallVector<Instruction *> firsts;
  size_t count = 0;
  for (Instruction &instruction :
       make_range(block.getFirstNonPHIIt(), block.end()))
    if (count++ % pieceLength == 0)
      firsts.push_back(&instruction);
  FunctionType *type =
      FunctionType::get(Type::getVoidTy(block.getContext()), false);
  InlineAsm *nothing = InlineAsm::get(type, "", "!i", /*hasSideEffects=*/true);
  // From the end, so that each instruction moves once.
  for (Instruction *first : reverse(drop_begin(firsts))) {
    BasicBlock *next = block.splitBasicBlock(first->getIterator());
    block.getTerminator()->eraseFromParent();
    IRBuilder<> b(&block);
    b.SetCurrentDebugLocation(first->getDebugLoc());
    b.CreateCallBr(type, nothing, next, {&never}, {});
  }
}

void kernelscope::emit::splitLongBlocks(Function &function,
                                        const Target &target, bool isLimited) {
  auto blocks = to_vector(make_filter_range(
      make_pointer_range(function),
      [](const BasicBlock *block) { return block->size() > longBlock; }));
  if (blocks.empty() || hasMatrixProducts(function))
    return;
  // RDNA's instructions are compared with each other for pairs that one
  // instruction computes (VOPD). What a loop carries spills less, there and
  // after it, if blocks are whole.
  const bool hasPairs = target.warpSize == 32;
  const bool canSplit =
      isLimited || (hasPairs && LoopInfo(DominatorTree(function)).empty());
  BasicBlock *never = nullptr;
  for (BasicBlock *block : blocks) {
    if (!canSplit && block->size() <= longestWhole)
      continue;
    if (!never) {
      never = BasicBlock::Create(function.getContext(), "", &function);
      new UnreachableInst(function.getContext(), never);
    }
    splitIntoPieces(*block, *never);
  }
}
