//===- Resolve.h - From a spec to a launch ----------------------*- C++ -*-===//
//
// Joins what the user says with what is worked out from the IR.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_RESOLVE_H
#define KERNELSCOPE_SERVER_RUN_RESOLVE_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// The grid and values for `kernel`. Buffers whose shape is not given get the
/// size that the kernel accesses, which `executable` measures; it is null when
/// the CPU executor does not run the kernel. The error names the argument, what
/// was found and what is needed.
llvm::Expected<Launch> resolveLaunch(mlir::FunctionOpInterface kernel,
                                     executor::Kernel *executable,
                                     const LaunchSpec &spec);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_RESOLVE_H
