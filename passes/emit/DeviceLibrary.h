//===- DeviceLibrary.h - Math functions on the device -----------*- C++ -*-===//
//
// Where the functions come from that the lowering calls: the libraries that
// tt.extern_elementwise ops name by their paths, and for the vendors' names
// (`__nv_sinf`, `__ocml_sin_f32`) NVIDIA's libdevice or ROCm's device
// libraries where the machine has them, else our own `passes/emit/device`,
// which is linked into the program.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICELIBRARY_H
#define KERNELSCOPE_PASSES_EMIT_DEVICELIBRARY_H

#include "passes/Compile.h"
#include "llvm/IR/Module.h"

namespace kernelscope::emit {

/// The bitcode files of `vendor`, in the order to link them; empty when they
/// are not found. Looked for in `KERNELSCOPE_LIBDEVICE` or
/// `KERNELSCOPE_ROCM_BITCODE`, and where CUDA and ROCm are installed.
std::vector<std::string> findDeviceLibraries(Vendor vendor);

/// The paths of bitcode or LLVM IR that the tt.extern_elementwise ops of
/// `module` name, each once.
std::vector<std::string> namedLibraries(mlir::ModuleOp module);

/// Links definitions of the functions that `module` declares and calls, first
/// from the libraries of `named` that this machine has. A function that is not
/// found is an error on the call.
llvm::LogicalResult linkDeviceLibrary(llvm::Module &module,
                                      const Target &target,
                                      llvm::ArrayRef<std::string> named,
                                      mlir::ModuleOp source);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_DEVICELIBRARY_H
