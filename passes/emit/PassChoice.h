//===- PassChoice.h - What of LLVM's pipelines kernels need -----*- C++ -*-===//
//
// LLVM's O3 is for programs with stack, heap and calls. A kernel has values in
// registers, and a few passes take time for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H
#define KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace kernelscope::emit {

/// Leaves out of a pipeline of O3 for `module` what changes no kernel. With
/// `forPairs`, for NVIDIA's chips, vectors are pairs of floats or halves:
/// functions that do not compute two of them alike are not searched, nor those
/// in which the search would take too long.
void chooseOptimizations(const llvm::Module &module,
                         llvm::PassInstrumentationCallbacks &callbacks,
                         bool forPairs);

/// Lets no pass peel iterations off the loops of `function` in which threads
/// meet or work together: that would double the barriers for a comparison.
void keepLoopsWithBarriersWhole(llvm::Function &function,
                                llvm::FunctionAnalysisManager &analyses);

/// The same as `chooseOptimizations`, for generating NVIDIA's code of `module`.
void chooseCodeGeneration(llvm::Module &module);

/// The same for AMD's code, `hasAccumulators` if threads have accumulation
/// registers (AGPRs) as well.
void chooseAmdCodeGeneration(const llvm::Module &module, bool hasAccumulators);

/// Leaves out of all code generation the pass that follows variables through
/// registers: kernels have lines, but no variables.
void leaveOutVariables();

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H
