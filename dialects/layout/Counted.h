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

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_COUNTED_H
