//===- PassChoice.cpp - What of LLVM's pipelines kernels need -------------===//

#include "passes/emit/PassChoice.h"
#include "passes/emit/SchedulingRegions.h"
#include "llvm/ADT/Any.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>

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

/// What `instruction` computes and with what, if NVIDIA's chips can have an
/// instruction that computes two of it: arithmetic of floats, halves and values
/// of 16 bits (PTX ISA, `add.f32x2`, `fma.f16x2`, `max.s16x2`).
static std::optional<std::pair<unsigned, Type *>>
pairedOperation(const Instruction &instruction) {
  Type *type = instruction.getType();
  const bool isFloat = type->isFloatTy() || type->is16bitFPTy();
  if (!isFloat && !type->isIntegerTy(16))
    return std::nullopt;
  // Numbers of intrinsics come after those of opcodes.
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID())
               ? std::optional(std::pair(
                     Instruction::OtherOpsEnd + call->getIntrinsicID(), type))
               : std::nullopt;
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::Add:
    return std::pair(instruction.getOpcode(), type);
  default:
    return std::nullopt;
  }
}

namespace {
/// Whether blocks of a function compute the same of two values, so that they
/// may compute them at once: any, and values of 16 bits.
struct Pairs {
  bool any = false, halves = false;
};
} // namespace

/// None in a function that puts together words of many bytes: the search for
/// pairs compares each with all others, and 640 of them take half a minute.
static Pairs findPairs(const Function &function) {
  constexpr unsigned mostBytes = 256;
  unsigned bytes = 0;
  Pairs pairs;
  for (const BasicBlock &block : function) {
    DenseSet<std::pair<unsigned, Type *>> operations;
    for (const Instruction &instruction : block) {
      if (isa<InsertElementInst>(instruction))
        bytes += instruction.getType()->getScalarType()->isIntegerTy(8);
      auto operation = pairedOperation(instruction);
      if (!operation || operations.insert(*operation).second)
        continue;
      pairs.any = true;
      pairs.halves |= !instruction.getType()->isFloatTy();
    }
  }
  return bytes <= mostBytes ? pairs : Pairs{};
}

/// Prefers `value` for an option that LLVM has on its command line only, unless
/// someone said otherwise there.
template <typename T> static void prefer(StringRef name, T value) {
  cl::Option *option = cl::getRegisteredOptions().lookup(name);
  if (option && option->getNumOccurrences() == 0)
    static_cast<cl::opt<T> *>(option)->setValue(value);
}

/// Whether `module` has products that go on while other code runs.
static bool hasAsyncProducts(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(instructions(function), [](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const auto *assembly =
          call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      return assembly && assembly->getAsmString().contains("wgmma.mma_async");
    });
  });
}

/// Limits the searches of the vectorizer, of loop-invariant code motion and of
/// value numbering.
static void limitSearches(bool forPairs) {
  // The instructions of a block that the vectorizer orders in search of
  // vectors: pairs are found early, but it goes on among loads in inline
  // assembly, each of which it compares with those before.
  prefer<int>("slp-schedule-budget", forPairs ? 30000 : 100000);
  // How far it looks from a store: integers that floats are computed from are
  // no pairs.
  prefer<unsigned>("slp-recursion-max-depth", forPairs ? 5 : 12);
  // Registers for what a loop stores at the same place in each iteration, for
  // which all accesses of the loop are compared with each other. The threads of
  // a kernel have no such places.
  prefer<bool>("disable-licm-promotion", forPairs);
  // Instructions before a load that value numbering looks at for another access
  // to the same place: those of a kernel are hardly repeated.
  prefer<unsigned>("memdep-block-scan-limit", forPairs ? 8 : 100);
}

void kernelscope::emit::chooseOptimizations(
    const Module &module, PassInstrumentationCallbacks &callbacks,
    bool forPairs) {
  limitSearches(forPairs);
  // What is computed in a loop and after it would be computed on the way around
  // the loop, too, where sums get their values before products are waited for:
  // ptxas then runs these products one by one (its note C7515).
  prefer<bool>("enable-pre", !forPairs || !hasAsyncProducts(module));
  callbacks.registerShouldRunOptionalPassCallback(
      [combined = DenseMap<const Function *, unsigned>(),
       forPairs](StringRef pass, Any unit) mutable {
        const auto *module = any_cast<const Module *>(&unit);
        if (pass == "IPSCCPPass" && module)
          return !hasLargeStructs(**module);
        const auto *function = any_cast<const Function *>(&unit);
        if (pass == "SLPVectorizerPass" && function) {
          const Pairs pairs = findPairs(**function);
          // Reductions of many values: of floats they have to keep their order.
          prefer<bool>("slp-vectorize-hor", !forPairs || pairs.halves);
          return !forPairs || pairs.any;
        }
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

void kernelscope::emit::chooseAmdCodeGeneration(const Module &module,
                                                bool hasAccumulators) {
  // LLVM schedules twice more what its first schedule leaves with few waves.
  // In long blocks that saves no registers where there are twice as many.
  constexpr size_t longBlock = 500;
  const bool isScheduledOnce =
      hasAccumulators && longestBlockOf(module) > longBlock;
  for (StringRef stage : {"amdgpu-disable-unclustered-high-rp-reschedule",
                          "amdgpu-disable-clustered-low-occupancy-reschedule"})
    prefer<bool>(stage, isScheduledOnce);
}

void kernelscope::emit::leaveOutVariables() {
  // It visits all registers that overlap each one written, a tenth of the time
  // on AMD.
  static const RegisterTargetPassConfigCallback callback(
      [](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
        config->disablePass(&LiveDebugValuesID);
      });
}

void kernelscope::emit::chooseCodeGeneration(Module &module) {
  static CodeGenerationGate few(/*hasManyAddresses=*/false),
      many(/*hasManyAddresses=*/true);
  module.getContext().setOptPassGate(
      any_of(module, computesManyAddresses) ? many : few);
}
