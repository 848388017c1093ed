//===- RegistersAt.h - registers by what they hold --------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_REGISTERSAT_H
#define KERNELSCOPE_PASSES_LOWER_AMD_REGISTERSAT_H

#include "passes/lower/support/Indices.h"
#include <map>

namespace kernelscope::lower {

/// Registers by the coordinates of what the first thread holds in them; of
/// copies the first.
inline std::map<llvm::SmallVector<int32_t>, unsigned>
registersAt(mlir::RankedTensorType type) {
  std::map<llvm::SmallVector<int32_t>, unsigned> registers;
  for (auto [r, at] : llvm::enumerate(registerCoordinates(type)))
    registers.try_emplace(at, r);
  return registers;
}

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_REGISTERSAT_H
