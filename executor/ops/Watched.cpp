//===- Watched.cpp - Accesses to report to the sanitizer ------------------===//

#include "executor/ops/Watched.h"

using namespace kernelscope::executor;

void Uses::add(const View &view, llvm::ArrayRef<int64_t> shape,
               size_t elementBytes, bool isWrite) {
  pieces.push_back(
      sanitize::piecesOf(shape, llvm::ArrayRef(view.strides, shape.size()),
                         static_cast<int64_t>(elementBytes)));
  uses.push_back({{view.base, pieces.back()}, isWrite});
}

void Uses::addRuns(llvm::ArrayRef<char *> places, size_t elementBytes,
                   bool isWrite) {
  const auto size = static_cast<int64_t>(elementBytes);
  const char *end = nullptr;
  for (const char *place : places) {
    if (place == end) {
      pieces.back().back().end += size;
    } else {
      pieces.push_back({{0, size}});
      uses.push_back({{place, pieces.back()}, isWrite});
    }
    end = place + size;
  }
}
