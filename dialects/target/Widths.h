//===- Widths.h - The widths that a message offers --------------*- C++ -*-===//
#ifndef KERNELSCOPE_DIALECTS_TARGET_WIDTHS_H
#define KERNELSCOPE_DIALECTS_TARGET_WIDTHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <string>

namespace kernelscope {

/// "32", "32 or 128", "32, 64 or 128".
inline std::string alternatives(llvm::ArrayRef<unsigned> widths) {
  std::string text;
  for (auto [i, width] : llvm::enumerate(widths))
    text += (i == 0                   ? ""
             : i + 1 == widths.size() ? " or "
                                      : ", ") +
            std::to_string(width);
  return text;
}

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_WIDTHS_H
