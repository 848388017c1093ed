//===- AliasRefactorings.h - layouts to aliases and back --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_ALIASREFACTORINGS_H
#define KERNELSCOPE_SERVER_FEATURES_ALIASREFACTORINGS_H

#include "server/analysis/Syntax.h"
#include "server/features/CodeActions.h"

#include <vector>

namespace kernelscope {

/// The lines of a statement, if it has them for itself; else the statement.
Span linesOf(const Document &document, const Statement &statement);

/// The layout at `offset` becomes an alias, wherever it stands in the chunk.
void addExtract(const Document &document, size_t offset,
                std::vector<CodeAction> &actions);
/// The alias at `offset` goes; what it stands for takes its place.
void addInline(const Document &document, size_t offset,
               std::vector<CodeAction> &actions);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ALIASREFACTORINGS_H
