//===- Objects.h - Code objects, and the tools of CUDA ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_EMIT_OBJECTS_H
#define KERNELSCOPE_PASSES_EMIT_OBJECTS_H

#include "passes/Compile.h"

namespace kernelscope::emit {

/// Links an AMDGPU object file into the shared object that HIP loads.
mlir::FailureOr<std::string> linkHsaco(llvm::StringRef object,
                                       mlir::ModuleOp source);

/// The path of "ptxas" or "nvdisasm": `KERNELSCOPE_PTXAS` (nvdisasm beside it),
/// then PATH, then bin/ of `CUDA_HOME`, `CUDA_PATH` and /usr/local/cuda, then
/// an installed Triton.
std::optional<std::string> findCudaTool(llvm::StringRef name);

/// Runs `ptxas` on PTX, and notes what each of `kernels` takes. Its complaints
/// are diagnostics on the IR's lines.
mlir::FailureOr<std::string>
assembleCubin(llvm::StringRef ptx, const Target &target, mlir::ModuleOp source,
              llvm::MutableArrayRef<KernelInfo> kernels);

/// Runs `nvdisasm` on a cubin.
mlir::FailureOr<std::string> disassembleCubin(llvm::StringRef cubin,
                                              mlir::ModuleOp source);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_OBJECTS_H
