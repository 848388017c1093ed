//===- Rewriting.cpp - a text of one release as another writes it ---------===//
//
// First what the release does not write becomes ours, then what is ours becomes
// the release's. The two sets of edits are joined into one of the text that
// came in, so that what is the same in both stays untouched.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/spellings/Spellings.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

/// Edits of `middle`, which is `source` after `first`, as edits of `source`
/// that make both changes. Neither list has overlaps.
static std::vector<TextEdit> joined(StringRef source,
                                    llvm::ArrayRef<TextEdit> first,
                                    StringRef middle,
                                    llvm::ArrayRef<TextEdit> second) {
  // What either has changed, as spans of the middle.
  std::vector<Span> firstSpans, changed;
  size_t shift = 0; // of the middle behind the source, modulo 2^64
  for (const TextEdit &edit : first) {
    size_t begin = edit.span.begin + shift;
    firstSpans.push_back({begin, begin + edit.newText.size()});
    shift += edit.newText.size() - edit.span.size();
  }
  changed = firstSpans;
  for (const TextEdit &edit : second)
    changed.push_back(edit.span);
  llvm::sort(changed, [](Span a, Span b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });

  std::vector<TextEdit> result;
  size_t nextFirst = 0, nextSecond = 0;
  shift = 0;
  for (size_t i = 0; i < changed.size();) {
    Span hull = changed[i++];
    while (i < changed.size() && changed[i].begin <= hull.end)
      hull.end = std::max(hull.end, changed[i++].end);
    TextEdit &edit = result.emplace_back();
    edit.span.begin = hull.begin - shift;
    for (; nextFirst < first.size() && firstSpans[nextFirst].end <= hull.end;
         ++nextFirst)
      shift += first[nextFirst].newText.size() - first[nextFirst].span.size();
    edit.span.end = hull.end - shift;
    size_t position = hull.begin;
    for (;
         nextSecond < second.size() && second[nextSecond].span.end <= hull.end;
         ++nextSecond) {
      const TextEdit &change = second[nextSecond];
      edit.newText += middle.slice(position, change.span.begin);
      edit.newText += change.newText;
      position = change.span.end;
    }
    edit.newText += middle.slice(position, hull.end);
    if (edit.newText == source.slice(edit.span.begin, edit.span.end))
      result.pop_back();
  }
  return result;
}

std::vector<TextEdit> kernelscope::editsFor(const Syntax &syntax,
                                            Release release,
                                            mlir::MLIRContext &context) {
  std::vector<TextEdit> toOurs;
  for (Respelling &spelling :
       findRespellings(syntax, {0, syntax.text().size()}, context)) {
    bool isOfRelease = (!spelling.first || *spelling.first <= release) &&
                       (!spelling.last || release <= *spelling.last);
    if (!isOfRelease)
      llvm::append_range(toOurs, spelling.edits);
  }
  toOurs = withoutOverlaps(std::move(toOurs));
  std::string ours = withEdits(syntax.text(), toOurs);
  Syntax oursSyntax(ours);
  std::vector<TextEdit> fromOurs;
  scanForWritings(oursSyntax, {0, ours.size()}, context,
                  [&](const Writing &row, const Token &, Edits edits) {
                    if (row.isFor(release))
                      llvm::append_range(fromOurs, edits);
                  });
  return joined(syntax.text(), toOurs, ours,
                withoutOverlaps(std::move(fromOurs)));
}
