//===- LdsBarriers.h - Barriers in LDS --------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_LDSBARRIERS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_LDSBARRIERS_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// Where in LDS the barrier is that `packed`, a lowered memdesc, names.
mlir::Value ldsBarrierAddress(Builder &b, mlir::Value packed,
                              ttg::MemDescType type);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_LDSBARRIERS_H
