//===- CopyRows.h - Which warps load which rows -----------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_COPYROWS_H
#define KERNELSCOPE_PASSES_TTGIR_COPYROWS_H

#include "dialects/target/Target.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/ttgir/OpLayouts.h"
#include "llvm/ADT/MapVector.h"

namespace kernelscope::ttgir {

/// Has neighbouring rows of the operands of products that loops load loaded by
/// different warps. A warp of gfx950 writes what its lanes copy to LDS without
/// a gap, so only rows of different warps can be put in different banks. Takes
/// what `chooseAccessLayouts` chose. A thread loads no more neighbours than one
/// copy has. As Triton 3.9's
/// `tritonamdgpu-coalesce-async-copy` does.
void spreadRowsOverWarps(
    const AxisInfoAnalysis &axes, const ThreadCounts &threads,
    const Target &target,
    llvm::MapVector<mlir::Operation *, mlir::Attribute> &accessLayouts);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_COPYROWS_H
