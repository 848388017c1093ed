//===- KernelAttributes.h - Options of AMD's kernels ------------*- C++ -*-===//
//
// What Triton takes as options of a kernel and sets on LLVM's functions: no IR
// before LLVM's holds it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_KERNELATTRIBUTES_H
#define KERNELSCOPE_PASSES_EMIT_KERNELATTRIBUTES_H

#include "passes/Compile.h"

namespace llvm {
class Module;
} // namespace llvm

namespace kernelscope::emit {

/// Sets `options` on the kernels of `module`, which take precedence over what
/// is there; the treatment of denormals also on the functions that they call.
void setAttributes(llvm::Module &module, const Target &target,
                   const AmdKernelOptions &options);

/// Does without halves of registers as operands in functions with several
/// masked loads of 16 bits: each has a branch of its own, in which LLVM 22 has
/// it wait for the load of the register's other half.
void loadToWholeRegisters(llvm::Module &module, const Target &target);

/// Where the hardware gives all three workgroup ids in two registers (LLVM's
/// AMDGPUUsage, "Architected SGPRs"), keeps LLVM from taking an id that a
/// kernel does not read for zero: a launch decides how many there are, and
/// what shares the register would be read as the other's upper bits.
void keepWorkgroupIds(llvm::Module &module);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_KERNELATTRIBUTES_H
