//===- ResourceUse.h - What the assembler gave each kernel ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_EMIT_RESOURCEUSE_H
#define KERNELSCOPE_PASSES_EMIT_RESOURCEUSE_H

#include "passes/Compile.h"
#include "llvm/ADT/ArrayRef.h"

namespace kernelscope::emit {

/// Fills in `resources` of the kernels that `messages`, the output of `ptxas
/// --verbose`, report.
void readPtxasUse(llvm::StringRef messages,
                  llvm::MutableArrayRef<KernelInfo> kernels);

/// The same from the metadata in AMD's assembly, which is that of its code
/// object: vector registers, and the bytes of each lane that are spilled.
void readAmdUse(llvm::StringRef assembly,
                llvm::MutableArrayRef<KernelInfo> kernels);

/// Registers, spills, shared memory and occupancy of each kernel, in lines of
/// comment for the top of its SASS. Empty where nothing is known.
std::string describeUse(llvm::ArrayRef<KernelInfo> kernels,
                        const Target &target);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_RESOURCEUSE_H
