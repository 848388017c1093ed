//===- Rename.h - a name changed wherever it stands -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_RENAME_H
#define KERNELSCOPE_SERVER_FEATURES_RENAME_H

#include "server/analysis/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct RenameTarget {
  Span span;        ///< Without the `%`, `^`, `@`, `#` or `!` in front.
  std::string name; ///< What stands there.
};

/// The value, block, function or alias at `offset`; nothing where there is no
/// name.
std::optional<RenameTarget> prepareRename(const Document &document,
                                          size_t offset);

struct Renaming {
  std::vector<TextEdit> edits; ///< In the order of the text.
  std::string refusal;         ///< Why it cannot be; then there are no edits.
};

/// Gives what is named at `offset` the name `newName`, which may have its `%`,
/// `^`, `@`, `#` or `!`. Refused if it cannot be such a name, or if it means
/// something else where the old one stands.
Renaming rename(const Document &document, size_t offset, std::string newName);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_RENAME_H
