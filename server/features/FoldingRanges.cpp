//===- FoldingRanges.cpp - what may be folded -----------------------------===//

#include "server/features/FoldingRanges.h"

#include "server/analysis/Syntax.h"

#include <algorithm>

using namespace kernelscope;

namespace {

class Folder {
public:
  explicit Folder(const Document &document)
      : text(document.text()), syntax(document.syntax()) {}

  std::vector<FoldingRange> run() {
    for (const Region &region : syntax.regions()) {
      if (region.owner == noSyntax)
        continue;
      size_t first = text.lineAt(region.body.begin);
      size_t last = text.lineAt(region.body.end);
      // The line of the closing brace stays.
      if (region.isClosed && last > 0)
        --last;
      fold(first, last, FoldingKind::Region);
    }
    foldRuns(syntax.comments(), FoldingKind::Comment);
    std::vector<Span> aliases;
    for (const Statement &statement : syntax.statements())
      if (statement.kind == Statement::Alias)
        aliases.push_back(statement.span);
    foldRuns(aliases, FoldingKind::Region);
    std::sort(ranges.begin(), ranges.end(),
              [](const FoldingRange &a, const FoldingRange &b) {
                return a.span.begin < b.span.begin;
              });
    return std::move(ranges);
  }

private:
  /// Hides the lines after `first` up to and including `last`.
  void fold(size_t first, size_t last, FoldingKind kind) {
    if (last > first)
      ranges.push_back(
          {{text.lineSpan(first).end, text.lineSpan(last).end}, kind});
  }

  /// Folds spans on consecutive lines.
  void foldRuns(const std::vector<Span> &spans, FoldingKind kind) {
    for (size_t i = 0; i < spans.size();) {
      size_t first = text.lineAt(spans[i].begin);
      size_t last = text.lineAt(spans[i].end);
      for (++i; i < spans.size() && text.lineAt(spans[i].begin) <= last + 1;
           ++i)
        last = text.lineAt(spans[i].end);
      fold(first, last, kind);
    }
  }

  const Text &text;
  const Syntax &syntax;
  std::vector<FoldingRange> ranges;
};

} // namespace

std::vector<FoldingRange> kernelscope::foldingRanges(const Document &document) {
  return Folder(document).run();
}
