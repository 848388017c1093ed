//===- Atom.h - Atomic updates of global memory by PTX's atom ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_ATOM_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_ATOM_H

#include "passes/lower/support/TargetHooks.h"

namespace kernelscope::lower {

/// As `TargetHooks::maxAtomicElements`.
unsigned maxElementsOfAtom(const Target &target, tt::RMWOp operation,
                           mlir::Type element);

/// As `TargetHooks::atomicRMWGlobal`.
llvm::SmallVector<mlir::Value>
emitAtom(Builder &b, const Target &target, tt::RMWOp operation,
         const AtomicOrder &order, mlir::Value pointer, mlir::ValueRange values,
         mlir::Value predicate);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_ATOM_H
