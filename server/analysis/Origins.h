//===- Origins.h - what the text says of where ops come from ----*- C++ -*-===//
//
// A dump's `loc(...)` names a Python line. Whoever works with the IR's text
// wants the place of the op in that text, so that is the op's own location; and
// most of what `loc(...)` says is never asked for, so it is looked up late.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_ORIGINS_H
#define KERNELSCOPE_SERVER_ANALYSIS_ORIGINS_H

#include "server/analysis/LocationAliases.h"
#include "server/analysis/Unit.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace kernelscope {

/// Gives each op of a successful parse its place in the parser's buffer as
/// location, and keeps what the parser has read instead in `origins`.
void relocate(Fragment &fragment);

/// What `loc(...)` says of the ops of a fragment. Both outlive it.
class Origins {
public:
  Origins(const Fragment &fragment, const Syntax &syntax)
      : fragment(fragment), syntax(syntax), plain(syntax) {}

  /// That of `op`, whose name is at `name` in the text of `syntax`.
  std::optional<mlir::Location> of(mlir::Operation *op, size_t name);

private:
  const Fragment &fragment;
  const Syntax &syntax;
  LocationAliases plain;
  /// The others, filled when one is needed.
  llvm::StringMap<mlir::LocationAttr> aliases;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_ORIGINS_H
