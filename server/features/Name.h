//===- Name.h - what a word names, and where else ---------------*- C++ -*-===//
//
// Shared by definition, references, highlight and hover.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_NAME_H
#define KERNELSCOPE_SERVER_FEATURES_NAME_H

#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <vector>

namespace kernelscope {

struct Name {
  enum Kind { Value, Block, Symbol, Alias } kind = Value;
  Span origin;                    ///< The word at the cursor.
  std::optional<Span> definition; ///< The word where it is defined.
  std::vector<Span> uses;         ///< Without the definition, in order.
  mlir::Value value;              ///< Of a `Value`; null if it was not parsed.
};

/// What the word at `offset` names, if it is a name.
std::optional<Name> nameAt(const Document &document, size_t offset);

/// The statement that defines an alias (with its `#` or `!`) or a symbol (with
/// its `@`) in the chunk of `offset`.
const Statement *findAlias(const Document &document, size_t offset,
                           llvm::StringRef name);
const Statement *findSymbol(const Document &document, size_t offset,
                            llvm::StringRef name);

/// The op whose name stands in `statement`; null if it could not be parsed.
mlir::Operation *findOperation(const Document &document,
                               const Statement &statement);

/// The part between `// -----` that holds `offset`.
Span chunkAt(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_NAME_H
