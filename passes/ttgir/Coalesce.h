//===- Coalesce.h - Layouts in which memory is accessed well ----*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_COALESCE_H
#define KERNELSCOPE_PASSES_TTGIR_COALESCE_H

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/ttgir/OpLayouts.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace kernelscope::ttgir {

/// For each access to global memory through a tensor of pointers under `root`,
/// a blocked layout in which a thread holds up to 128 bits of neighbours and
/// neighbouring lanes follow on. Accesses of one shape that run the same way
/// share the widest layout among them, so that values pass between them without
/// a conversion, except that a store is never given more than its own 128 bits.
/// As Triton's `tritongpu-coalesce` chooses. `axes` are of `root`.
llvm::MapVector<mlir::Operation *, mlir::Attribute>
chooseAccessLayouts(mlir::Operation *root, const AxisInfoAnalysis &axes,
                    const ThreadCounts &threads);

/// A load of a tensor, in a layout that `chooseAccessLayouts` chose.
struct BlockedLoad {
  tt::LoadOp load;
  mlir::RankedTensorType type;
  ttg::BlockedEncodingAttr layout;
};

/// Nothing if `op` is something else, or has another layout by now.
std::optional<BlockedLoad> asBlockedLoad(mlir::Operation *op,
                                         mlir::Attribute layout);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_COALESCE_H
