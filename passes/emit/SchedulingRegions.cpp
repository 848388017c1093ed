//===- SchedulingRegions.cpp - What LLVM schedules at once ----------------===//

#include "passes/emit/SchedulingRegions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static Intrinsic::ID intrinsicOf(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

/// Whether `instruction` tells LLVM how to schedule.
static bool isScheduleHint(const Instruction &instruction) {
  return is_contained({Intrinsic::amdgcn_sched_barrier,
                       Intrinsic::amdgcn_sched_group_barrier,
                       Intrinsic::amdgcn_iglp_opt},
                      intrinsicOf(instruction));
}

static bool isMatrixProduct(const Instruction &instruction) {
  const Intrinsic::ID id = intrinsicOf(instruction);
  if (id == Intrinsic::not_intrinsic)
    return false;
  StringRef name = Intrinsic::getBaseName(id);
  return name.consume_front("llvm.amdgcn.") &&
         (name.starts_with("mfma.") || name.starts_with("wmma."));
}

static bool isBarrier(const Instruction &instruction) {
  return is_contained(
      {Intrinsic::amdgcn_s_barrier, Intrinsic::amdgcn_s_barrier_wait},
      intrinsicOf(instruction));
}

bool kernelscope::emit::hasOwnSchedule(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return isScheduleHint(instruction) || isMatrixProduct(instruction);
  });
}

bool kernelscope::emit::hasMatrixProducts(const Function &function) {
  return any_of(instructions(function), isMatrixProduct);
}

static void endRegionBefore(Instruction &next, const DebugLoc &location) {
  IRBuilder<> b(&next);
  b.SetCurrentDebugLocation(location);
  b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
}

void kernelscope::emit::endRegionsAtBarriers(Function &function) {
  if (function.isDeclaration() || hasOwnSchedule(function))
    return;
  DominatorTree dt(function);
  LoopInfo loops(dt);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isBarrier(instruction) && !loops.getLoopFor(instruction.getParent())) {
      // With the fence that belongs to it.
      Instruction *next = instruction.getNextNode();
      if (isa<FenceInst>(next))
        next = next->getNextNode();
      endRegionBefore(*next, instruction.getDebugLoc());
    }
}

/// Whether LLVM is told to schedule `function` in a way that the strategy of
/// fewest registers does not follow. A barrier for all instructions only ends a
/// region, as ours do.
static bool statesSchedule(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    if (intrinsicOf(instruction) != Intrinsic::amdgcn_sched_barrier)
      return isScheduleHint(instruction);
    const auto *mask = dyn_cast<ConstantInt>(
        cast<IntrinsicInst>(instruction).getArgOperand(0));
    return !mask || !mask->isZero();
  });
}

bool kernelscope::emit::scheduleForFewRegisters(Module &module) {
  constexpr StringLiteral strategy = "amdgpu-sched-strategy";
  bool found = false;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(strategy) ||
        statesSchedule(function))
      continue;
    function.addFnAttr(strategy, "iterative-minreg");
    found = true;
  }
  return found;
}

size_t kernelscope::emit::longestBlockOf(const Module &module) {
  size_t longest = 0;
  for (const Function &function : module)
    for (const BasicBlock &block : function)
      longest = std::max(longest, block.size());
  return longest;
}
