//===- LaunchControl.h - Requests that wait for their response --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_LAUNCHCONTROL_H
#define KERNELSCOPE_PASSES_MEMORY_LAUNCHCONTROL_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::memory {

/// Makes of each `ttng.clc_try_cancel_sync` a request with a buffer and an
/// mbarrier of its own, and the wait for that.
void awaitLaunchControl(mlir::ModuleOp module);

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_LAUNCHCONTROL_H
