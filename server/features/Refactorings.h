//===- Refactorings.h - changes that keep the meaning -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_REFACTORINGS_H
#define KERNELSCOPE_SERVER_FEATURES_REFACTORINGS_H

#include "server/features/CodeActions.h"

#include <vector>

namespace kernelscope {

/// What can be done at `span`: a layout becomes an alias (`refactor.extract`),
/// an alias goes (`refactor.inline`), an unused value goes
/// (`refactor.rewrite`), an op gets an attribute that it needs, or a
/// `ttg.convert_layout` before it (`quickfix`).
std::vector<CodeAction> refactorings(const Document &document, Span span);

/// `source.removeUnused.kernelscope`: all ops without effects whose results are
/// unused are removed, and those that only they use; without edits if there are
/// none.
CodeAction removeUnused(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_REFACTORINGS_H
