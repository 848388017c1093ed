//===- PassChoice.cpp - What of LLVM's pipelines kernels need -------------===//

#include "passes/emit/PassChoice.h"
#include "llvm/ADT/Any.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// Passes of O3 that change none of the corpora's kernels
/// (docs/measurements.md says how that was found): there are no stores to the
/// stack, no strings, no calls of what is not known.
static constexpr StringLiteral needless[] = {
    "ADCEPass",
    "AggressiveInstCombinePass",
    "CalledValuePropagationPass",
    "ConstraintEliminationPass",
    "DSEPass",
    "MemCpyOptPass",
};

/// Of the eight times that O3 combines instructions of a function, those that
/// another follows after passes that leave little to combine.
static constexpr unsigned needlessCombines[] = {4, 6};

/// The registers of a tensor are a struct until instructions are combined.
/// IPSCCP comes before that, and for each of 2,048 looks at all of them, which
/// takes ten seconds; SCCP comes after it.
static bool hasLargeStructs(const Module &module) {
  constexpr unsigned large = 512;
  return any_of(module, [](const Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
      const auto *record = dyn_cast<StructType>(instruction.getType());
      return record && record->getNumElements() > large;
    });
  });
}

/// Whether `function` may compute with two floats or two values of 16 bits at
/// once, which is all that NVIDIA's chips have vectors for. If it puts together
/// words of many bytes, the search compares each with all others: 640 of them
/// take half a minute.
static bool mayComputeInPairs(const Function &function) {
  constexpr unsigned mostBytes = 256;
  unsigned bytes = 0;
  bool hasPairs = false;
  for (const Instruction &instruction : instructions(function)) {
    Type *element = instruction.getType()->getScalarType();
    if (isa<InsertElementInst>(instruction))
      bytes += element->isIntegerTy(8);
    hasPairs |= element->isIntegerTy(16) ||
                (element->isFloatingPointTy() && !element->isDoubleTy());
  }
  return hasPairs && bytes <= mostBytes;
}

void kernelscope::emit::chooseOptimizations(
    PassInstrumentationCallbacks &callbacks, bool forPairs) {
  callbacks.registerShouldRunOptionalPassCallback(
      [combined = DenseMap<const Function *, unsigned>(),
       forPairs](StringRef pass, Any unit) mutable {
        const auto *module = any_cast<const Module *>(&unit);
        if (pass == "IPSCCPPass" && module)
          return !hasLargeStructs(**module);
        const auto *function = any_cast<const Function *>(&unit);
        if (pass == "SLPVectorizerPass" && function && forPairs)
          return mayComputeInPairs(**function);
        if (pass == "InstCombinePass" && function)
          return !is_contained(needlessCombines, combined[*function]++);
        return !is_contained(needless, pass);
      });
}

void kernelscope::emit::keepLoopsWithBarriersWhole(
    Function &function, FunctionAnalysisManager &analyses) {
  // LLVM peels no more iterations than these, by default.
  constexpr unsigned mostPeeled = 7;
  auto isConvergent = [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isConvergent();
  };
  for (Loop *loop :
       analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (any_of(loop->blocks(), [&](const BasicBlock *block) {
          return any_of(*block, isConvergent);
        }))
      addStringMetadataToLoop(loop, "llvm.loop.peeled.count", mostPeeled);
}

/// Whether `function` computes more addresses than any kernel of the corpora
/// does, by far.
static bool computesManyAddresses(const Function &function) {
  constexpr ptrdiff_t many = 1024;
  return count_if(instructions(function), [](const Instruction &instruction) {
           return isa<GetElementPtrInst>(instruction);
         }) > many;
}

namespace {
class CodeGenerationGate : public OptPassGate {
public:
  explicit CodeGenerationGate(bool hasManyAddresses)
      : hasManyAddresses(hasManyAddresses) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef pass, StringRef) const override {
    // O3 has just numbered the values; what the code generators make of them
    // has nothing more in common.
    if (pass == "gvn")
      return false;
    // The one compares each address with all others. The other counts up each
    // address of a loop by itself; sums that a loop does not change take no
    // more registers, and ptxas can compute them again.
    return !hasManyAddresses ||
           (pass != "slsr" && pass != "Loop Strength Reduction");
  }

private:
  bool hasManyAddresses;
};
} // namespace

void kernelscope::emit::chooseCodeGeneration(Module &module) {
  static CodeGenerationGate few(/*hasManyAddresses=*/false),
      many(/*hasManyAddresses=*/true);
  module.getContext().setOptPassGate(
      any_of(module, computesManyAddresses) ? many : few);
}
