//===- LinkedEditing.cpp - places that change with the name typed ---------===//

#include "server/features/LinkedEditing.h"

#include "server/features/Name.h"

#include <algorithm>
#include <string_view>

using namespace kernelscope;

std::vector<Span> kernelscope::linkedEditing(const Document &document,
                                             size_t offset) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name || !name->definition)
    return {};
  std::vector<Span> spans = std::move(name->uses);
  spans.push_back(*name->definition);
  std::string_view text = document.text().str();
  auto wordIn = [&](Span span) { return text.substr(span.begin, span.size()); };
  for (Span &span : spans) {
    ++span.begin;
    // `%x#1` is a result of `%x:2`.
    span.end = std::min(span.end, text.find('#', span.begin));
    // A name in quotes, `@"a b"`, takes other characters.
    if (wordIn(span) != wordIn(spans.front()) || text[span.begin] == '"')
      return {};
  }
  std::sort(spans.begin(), spans.end(),
            [](Span a, Span b) { return a.begin < b.begin; });
  return spans;
}
