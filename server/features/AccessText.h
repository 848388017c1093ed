//===- AccessText.h - loads and stores, in words ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_ACCESSTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_ACCESSTEXT_H

#include "dialects/ttg/SharedCost.h"

#include <functional>
#include <optional>
#include <string>

namespace kernelscope {

/// "line 12" for an op, or "" for one without a place in the document.
using LineOf = std::function<std::string(mlir::Operation *)>;

/// The access of shared memory that `op` is; nothing for other ops, and for
/// those in error.
std::optional<ttg::SharedAccess> sharedAccess(mlir::Operation *op);

/// What it takes, in one line; of an op that is none, empty.
std::string describeAccess(const ttg::SharedAccess &access);
std::string describeAccess(mlir::Operation *op);

/// What hover says of an op that accesses memory, or moves a tensor through it.
struct AccessDescription {
  std::string text; ///< Empty for other ops, and for those in error.
  /// ".v4.b32", if it becomes loads or stores of PTX of that width.
  std::string ptxSuffix;
  /// The text says which instructions it becomes.
  bool namesInstructions = false;
};
AccessDescription describeMemoryAccess(mlir::Operation *op);

/// Of each load and store of the buffer that `memory` is a view of.
std::string describeAccesses(mlir::Value memory, const LineOf &lineOf);

/// Calls `visit` for each user of the buffer or of a view of it, of so many as
/// a person would read.
void visitUsers(mlir::Value buffer,
                llvm::function_ref<void(mlir::Operation *)> visit);

/// "- `ttg.local_load`, line 12: ".
std::string listed(llvm::StringRef what, const std::string &line);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ACCESSTEXT_H
