//===- CpAsync.h - How wide cp.async is -------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_CPASYNC_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_CPASYNC_H

#include "dialects/target/Target.h"
#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// How many elements of type `element` one cp.async of `target` copies: as many
/// as are neighbours in the same registers on both sides, the first access of
/// global memory being `access`. 0 if there is no copy that narrow.
unsigned elementsOfCpAsync(llvm::ArrayRef<unsigned> access,
                           const SharedPlaces &places, mlir::Type element,
                           const Target &target);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_CPASYNC_H
