//===- LayoutText.h - where a tensor's elements are, in words ---*- C++ -*-===//
//
// The figures are those of dialects/layout and dialects/ttg; here they become
// Markdown. Worked out when asked for, never while someone types.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H

#include "dialects/layout/LinearLayout.h"

#include "mlir/IR/Types.h"

#include <optional>
#include <string>

namespace kernelscope {

/// The layout of a tensor, or of a memory descriptor's allocation without the
/// leading dimension of a ring; nothing for other types and ones without.
std::optional<LinearLayout> layoutOf(mlir::Type type);

/// Size and layout of a tensor or a memory descriptor, with a picture; empty
/// for other types. `hasPicture` leaves the picture out where it would repeat.
std::string describeLayout(mlir::Type type, bool hasPicture = true);

/// "64 x 64 x f16" of a shaped type.
std::string describeSize(mlir::Type type);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LAYOUTTEXT_H
