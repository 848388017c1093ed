//===- WgmmaRegisters.h - Registers that wgmma reads and changes -*- C++ -*-==//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAREGISTERS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAREGISTERS_H

#include "passes/lower/nvidia/Ptx.h"

namespace kernelscope::lower {

/// Elements as 32-bit registers: one of f32 or i32 each, or as many narrower
/// ones as fit.
llvm::SmallVector<mlir::Value>
toRegisters(Builder &b, llvm::ArrayRef<mlir::Value> elements);
/// The inverse, to elements of LLVM type `element`.
llvm::SmallVector<mlir::Value> fromRegisters(Builder &b,
                                             llvm::ArrayRef<mlir::Value> words,
                                             mlir::Type element);

/// Adds `words` as registers that the assembly changes; returns their names.
std::string addChanged(Ptx &ptx, llvm::ArrayRef<mlir::Value> words);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAREGISTERS_H
