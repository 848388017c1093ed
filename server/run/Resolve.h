//===- Resolve.h - From a spec to a launch ----------------------*- C++ -*-===//
//
// Joins what the user specifies with what is computed from the IR.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_RESOLVE_H
#define KERNELSCOPE_SERVER_RUN_RESOLVE_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// The kernel failed while its accesses were measured, with a diagnostic on the
/// op at fault.
class FailedRun : public llvm::ErrorInfo<FailedRun> {
public:
  static char ID;
  void log(llvm::raw_ostream &out) const override {
    out << "the kernel fails with these inputs";
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// The grid and values for `kernel`. Buffers whose shape is not given get the
/// size that the kernel accesses, which `executable` measures; it is null when
/// the CPU executor does not run the kernel. The error names the argument, what
/// was found and what is needed, or is a FailedRun.
llvm::Expected<Launch> resolveLaunch(mlir::FunctionOpInterface kernel,
                                     executor::Kernel *executable,
                                     const LaunchSpec &spec,
                                     const LaunchProgress &progress = {});

/// The inputs of `launch`, made for an earlier stage of `kernel`, which may
/// take them in another form: a pass makes a pointer, sizes and strides of a
/// descriptor. Buffers are then the same in their order, scalars by name, and
/// the rest is recomputed. An error when that does not fit.
llvm::Expected<Launch> sameLaunch(mlir::FunctionOpInterface kernel,
                                  executor::Kernel &executable,
                                  const Launch &launch);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_RESOLVE_H
