//===- ByteTiles.h - Bytes transposed by ldmatrix and stmatrix --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_BYTETILES_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_BYTETILES_H

#include "passes/lower/support/LoadMatrixPlan.h"

namespace kernelscope::lower {

/// As `planLoadMatrix`, for bytes of which each lane has columns: tiles of 16
/// by 16 that `ldmatrix` loads, two words of a lane each, or of 8 rows of 16
/// that `stmatrix` stores, one word each. The plan's `tiles` counts the words.
/// PTX ISA, "ldmatrix", m16n16, and "stmatrix", m16n8.
std::optional<LoadMatrixPlan> planByteTiles(const LinearLayout &offsets,
                                            int32_t windowMask,
                                            unsigned aligned, bool isStore);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_BYTETILES_H
