//===- Counted.h - Numbers of things in messages ----------------*- C++ -*-===//
//
// "1 warp", but "4 warps".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_LAYOUT_COUNTED_H
#define KERNELSCOPE_DIALECTS_LAYOUT_COUNTED_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace kernelscope {

/// `count` and `noun`, which is in the singular and takes an s where there is
/// not exactly one.
inline std::string counted(int64_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

/// What an axis of a tensor of `rank` dimensions must be: "an axis from 0 to
/// 2", or "axis 0".
inline std::string describeAxes(int64_t rank) {
  return rank == 1 ? "axis 0" : "an axis from 0 to " + std::to_string(rank - 1);
}

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_COUNTED_H
