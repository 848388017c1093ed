//===- PassChoice.h - What of LLVM's pipelines kernels need -----*- C++ -*-===//
//
// LLVM's O3 is for programs with stack, heap and calls. A kernel has values in
// registers, and a few passes take time for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H
#define KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H

namespace llvm {
class LLVMContext;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace kernelscope::emit {

/// Leaves out of a pipeline of O3 what changes no kernel.
void chooseOptimizations(llvm::PassInstrumentationCallbacks &callbacks);

/// The same for code generation in this context.
void chooseCodeGeneration(llvm::LLVMContext &context);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_PASSCHOICE_H
