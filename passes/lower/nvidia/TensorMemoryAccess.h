//===- TensorMemoryAccess.h - Tensor memory of memdescs ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYACCESS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYACCESS_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/nvidia/TensorMemoryPlan.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

bool isInTensorMemory(ttg::MemDescType memory);

/// How the allocation that `memory` is a window of has its matrix, or one of
/// its ring.
TensorMemoryMap mapOf(ttg::MemDescType memory);

/// ".cta_group::1", or of pairs 2: the same for all of a kernel.
llvm::StringRef ctaGroupOf(mlir::Operation *op);

/// True in the thread that gives work to the tensor core: of the first warp,
/// in a kernel of pairs of their first CTA, where `predicate` holds (it may be
/// null).
mlir::Value issuesForAll(Builder &b, const TargetHooks &hooks,
                         mlir::Operation *op, mlir::Value predicate);

/// The family of tensor memory: a memdesc of it stands in LLVM as an i32, the
/// address.
void populateTensorMemoryPatterns(const TypeConverter &,
                                  mlir::RewritePatternSet &,
                                  const TargetHooks &);
/// Patterns of TensorCore.cpp and TensorCopy.cpp, which
/// `populateTensorMemoryPatterns` adds.
void populateTensorCorePatterns(const TypeConverter &,
                                mlir::RewritePatternSet &, const TargetHooks &);
void populateTensorCopyPatterns(const TypeConverter &,
                                mlir::RewritePatternSet &, const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORMEMORYACCESS_H
