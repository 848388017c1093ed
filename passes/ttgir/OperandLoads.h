//===- OperandLoads.h - Operands that are loaded before a loop --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_OPERANDLOADS_H
#define KERNELSCOPE_PASSES_TTGIR_OPERANDLOADS_H

#include "passes/analysis/AxisInfo.h"
#include "passes/ttgir/ProductLayout.h"

namespace kernelscope::ttgir {

/// Has each warp load what it multiplies in a loop, such as its rows of an
/// attention's queries, where it is loaded once, before the loop. So no warp
/// waits for another: a lane loads its own elements if they lie side by side,
/// else lanes exchange them. Takes what `chooseAccessLayouts` chose.
void loadOperandsByWarps(
    const AxisInfoAnalysis &axes, const Target &target,
    const llvm::MapVector<mlir::Operation *, ProductLayout> &productLayouts,
    llvm::MapVector<mlir::Operation *, mlir::Attribute> &accessLayouts);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OPERANDLOADS_H
