//===- Completion.h - what may be typed here -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_COMPLETION_H
#define KERNELSCOPE_SERVER_FEATURES_COMPLETION_H

#include "server/analysis/Document.h"

#include <string>
#include <vector>

namespace kernelscope {

enum class CompletionKind {
  Operation,
  Dialect,
  Value,
  Block,
  Symbol,
  Type,
  Attribute,
  Alias,
  Keyword
};

struct CompletionItem {
  std::string label;
  CompletionKind kind = CompletionKind::Keyword;
  std::string detail;        ///< A type or a summary, on one line.
  std::string documentation; ///< Markdown; may be empty.
  std::string newText;       ///< Goes in the place of `CompletionList::span`.
  bool isSnippet = false;    ///< `newText` holds `${1:name}` tab stops.
  std::string sortText;      ///< Order among the items.
};

struct CompletionList {
  Span span; ///< The part of a word that was typed so far.
  std::vector<CompletionItem> items;
  /// Another letter may add items: a client must ask again, not filter these.
  bool mayGrow = false;
};

/// Characters that should make an editor ask for completion.
inline constexpr const char *completionTriggers[] = {".", "%", "@", "#",
                                                     "!", "^", "<", "\""};

/// Goes by the tokens around `offset`, so it works in a half-typed line.
CompletionList completion(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_COMPLETION_H
