//===- DeviceDescriptors.h - Descriptors that a kernel makes ----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_TTIR_DEVICEDESCRIPTORS_H
#define KERNELSCOPE_PASSES_TTIR_DEVICEDESCRIPTORS_H

#include "dialects/tt/TT.h"

namespace kernelscope {

/// Whether tensor maps have a code for `element`.
bool isMovedByTma(mlir::Type element);

/// Has the kernel write the tensor map of `op`, whose type has a layout, to
/// scratch memory, and erases `op`. False, with nothing changed, if TMA has no
/// such map.
bool writeTensormap(tt::MakeTensorDescOp op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_DEVICEDESCRIPTORS_H
