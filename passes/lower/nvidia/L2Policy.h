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
/// The same for an op's `cachePolicy`, which may be null, or, without a policy
/// of L2 in it, for `evict`.
mlir::Value createL2Policy(Builder &b, mlir::Attribute policy,
                           tt::EvictionPolicy evict);

/// `.L2::128B`, if the op's `cachePolicy`, which may be null, has a load fetch
/// as much; else empty. PTX ISA, "ld" and "cp.async".
std::string prefetchQualifier(mlir::Attribute policy);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_L2POLICY_H
