//===- ForeignCode.h - ops that run code of another kind --------*- C++ -*-===//
//
// Assembly and library functions: what they do is known by their word alone.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TT_FOREIGNCODE_H
#define KERNELSCOPE_DIALECTS_TT_FOREIGNCODE_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace kernelscope::tt {

/// Foreign code may do anything unless it promises to be pure.
inline void addForeignEffects(
    bool pure,
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  if (pure)
    return;
  effects.emplace_back(mlir::MemoryEffects::Read::get());
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

/// Whether it may run where its results may not be needed.
inline mlir::Speculation::Speculatability getForeignSpeculatability(bool pure) {
  return pure ? mlir::Speculation::Speculatable
              : mlir::Speculation::NotSpeculatable;
}

} // namespace kernelscope::tt

#endif // KERNELSCOPE_DIALECTS_TT_FOREIGNCODE_H
