//===- L2Policy.h - How the L2 cache keeps what is accessed -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_L2POLICY_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_L2POLICY_H

#include "dialects/tt/TT.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// A 64-bit register with the policy by which L2 keeps what is accessed, the
/// operand of `.L2::cache_hint`; null for the usual one. PTX ISA,
/// "createpolicy".
mlir::Value createL2Policy(Builder &b, tt::EvictionPolicy evict);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_L2POLICY_H
