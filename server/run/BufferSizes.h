//===- BufferSizes.h - How big the buffers of a launch are -----*- C++ -*-===//
// A buffer without a given size gets the bytes that the kernel accesses, as
// measured by a run of the executor that allows every access.
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_BUFFERSIZES_H
#define KERNELSCOPE_SERVER_RUN_BUFFERSIZES_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// What is wrong with the spec of an argument.
llvm::Error specError(const ArgumentInfo &argument, const llvm::Twine &what);

/// Gives the buffer `bytes` bytes, filled.
void makeBuffer(ArgumentValue &argument, uint64_t seed, size_t bytes,
                const LaunchProgress &progress);

/// Sizes and fills the buffers that are `open`, by argument, and adds those
/// that elements of arrays of pointers point to. `executable` is null when the
/// CPU executor does not run the kernel.
llvm::Error sizeBuffers(mlir::FunctionOpInterface kernel,
                        executor::Kernel *executable, Launch &launch,
                        llvm::SmallVectorImpl<bool> &open,
                        const LaunchSpec &spec, const LaunchProgress &progress);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_BUFFERSIZES_H
