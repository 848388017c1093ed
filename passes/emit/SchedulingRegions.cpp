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

using namespace llvm;

static Intrinsic::ID intrinsicOf(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
}

/// Whether `instruction` is a matrix product, or says how LLVM is to schedule.
static bool needsWholeBlocks(const Instruction &instruction) {
  switch (const Intrinsic::ID id = intrinsicOf(instruction)) {
  case Intrinsic::not_intrinsic:
    return false;
  case Intrinsic::amdgcn_sched_barrier:
  case Intrinsic::amdgcn_sched_group_barrier:
  case Intrinsic::amdgcn_iglp_opt:
    return true;
  default: {
    StringRef name = Intrinsic::getBaseName(id);
    return name.consume_front("llvm.amdgcn.") &&
           (name.starts_with("mfma.") || name.starts_with("wmma."));
  }
  }
}

static bool isBarrier(const Instruction &instruction) {
  return is_contained(
      {Intrinsic::amdgcn_s_barrier, Intrinsic::amdgcn_s_barrier_wait},
      intrinsicOf(instruction));
}

void kernelscope::emit::endRegionsAtBarriers(Function &function) {
  if (function.isDeclaration() ||
      any_of(instructions(function), needsWholeBlocks))
    return;
  DominatorTree dt(function);
  LoopInfo loops(dt);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isBarrier(instruction) && !loops.getLoopFor(instruction.getParent())) {
      // With the fence that belongs to it.
      Instruction *next = instruction.getNextNode();
      if (isa<FenceInst>(next))
        next = next->getNextNode();
      IRBuilder<> b(next);
      b.SetCurrentDebugLocation(instruction.getDebugLoc());
      b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
    }
}
