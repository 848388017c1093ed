//===- LinkedEditing.h - places that change with the name typed -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LINKEDEDITING_H
#define KERNELSCOPE_SERVER_FEATURES_LINKEDEDITING_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// What a name may consist of after its `%`, `^`, `@`, `#` or `!`, as a
/// regular expression.
inline constexpr const char *namePattern = "[A-Za-z0-9_$.-]+";

/// The places that name what is named at `offset`, each without the `%`, `^`,
/// `@`, `#` or `!` in front and without the number of a result after it, so
/// that all hold the same text; empty where there is no name, or where it isn't
/// defined.
std::vector<Span> linkedEditing(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LINKEDEDITING_H
