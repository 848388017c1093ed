//===- Formatting.h - indentation and spaces --------------------*- C++ -*-===//
//
// Only white space changes: words, comments, `loc` and the lines stay what they
// are.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_FORMATTING_H
#define KERNELSCOPE_SERVER_FEATURES_FORMATTING_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// What makes the lines that meet `span` look as MLIR prints them: two columns
/// for each region, one space where there are some, spaces around `=`, `:` and
/// `->` and after commas, none at the end. The lines of a statement move with
/// its first one. Where braces do not match, indentation stays.
std::vector<TextEdit> format(const Document &document, Span span);

/// Characters after which an editor asks for `formatTyped`; the first is the
/// main one.
inline constexpr const char *formatTriggers[] = {"\n", "}"};

/// The indentation of the line that holds `offset`, judged by the lines above
/// it: works while braces do not match.
std::vector<TextEdit> formatTyped(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_FORMATTING_H
