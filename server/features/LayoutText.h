//===- LayoutText.h - where a tensor's elements are, in words ---*- C++ -*-===//
//
// The figures are those of dialects/layout and dialects/ttg; here they become
// Markdown. Worked out when asked for, never while someone types.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include <functional>
#include <string>

namespace kernelscope {

/// "line 12" of an op, or "" for one without a place in the document.
using LineOf = std::function<std::string(mlir::Operation *)>;

/// Size and layout of a tensor or a memory descriptor, with a picture; empty
/// for other types. `hasPicture` leaves the picture out where it would repeat.
std::string describeLayout(mlir::Type type, bool hasPicture = true);

/// "64 x 64 x f16" of a shaped type.
std::string describeSize(mlir::Type type);

/// What the load or store between registers and shared memory takes that `op`
/// is, in one line; empty for other ops.
std::string describeAccess(mlir::Operation *op);

/// The same of each load and store of the buffer that `memory` is a view of.
std::string describeAccesses(mlir::Value memory, const LineOf &lineOf);

/// Whether `op`, alone, verifies: so that it can be asked about.
bool verifies(mlir::Operation *op);

/// Calls `visit` for each user of the buffer or of a view of it, of so many as
/// a person would read.
void visitUsers(mlir::Value buffer,
                llvm::function_ref<void(mlir::Operation *)> visit);

/// "- `ttg.local_load`, line 12: ".
std::string listed(llvm::StringRef what, const std::string &line);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H
