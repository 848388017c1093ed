//===- Formatting.cpp - indentation and spaces ----------------------------===//

#include "server/features/Formatting.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;

static constexpr size_t indentWidth = 2;

namespace {

class Formatter {
public:
  explicit Formatter(const Document &document)
      : text(document.text()), syntax(document.syntax()),
        tokens(syntax.tokens()) {}

  std::vector<TextEdit> run(Span span) {
    if (tokens.empty())
      return {};
    findRegions();
    findDepths(span);
    size_t last = text.lineAt(span.end);
    // A range that ends before the first column of a line is not about it.
    if (last > 0 && !span.empty() && text.lineSpan(last).begin == span.end)
      --last;
    for (size_t line = text.lineAt(span.begin); line <= last; ++line)
      formatLine(line);
    return std::move(edits);
  }

private:
  void findRegions() {
    for (const Region &region : syntax.regions()) {
      if (region.owner == noSyntax)
        continue;
      if (region.isOpened)
        openers.insert(region.openBrace());
      if (region.isClosed)
        closers[region.body.end] = region.owner;
      if (!region.isOpened || !region.isClosed)
        isBroken = true;
    }
    isBroken |= !syntax.strayBraces().empty();
  }

  /// How many brackets, of the same region, are around each token of `span`.
  void findDepths(Span span) {
    // In a region they count from the statement that begins before the span.
    SyntaxId before =
        syntax.statementBefore(syntax.regionAt(span.begin), span.begin);
    firstDepth = before == noSyntax ? syntax.tokenAfter(span.begin)
                                    : syntax.statement(before).firstToken;
    std::vector<size_t> outside;
    size_t depth = 0;
    for (size_t i = firstDepth; i < tokens.size(); ++i) {
      const Token &token = tokens[i];
      if (token.begin > span.end && token.firstOnLine)
        break;
      StringRef word = syntax.text(token);
      bool closesRegion = closers.contains(token.begin);
      if (closesRegion && !outside.empty()) {
        depth = outside.back();
        outside.pop_back();
      } else if (word == ")" || word == "]" || word == "}" || word == ">") {
        depth -= depth > 0;
      }
      depths.push_back(depth);
      if (openers.contains(token.begin)) {
        outside.push_back(depth);
        depth = 0;
      } else if (word == "(" || word == "[" || word == "{" || word == "<") {
        ++depth;
      }
    }
  }

  void formatLine(size_t line) {
    Span span = text.lineSpan(line);
    StringRef words = syntax.text(span);
    size_t end = words.rtrim(" \t").size();
    replace({span.begin + end, span.end}, "");
    if (end == 0)
      return;
    size_t first = words.find_first_not_of(" \t");
    size_t place = span.begin + first;
    if (!isBroken)
      replace({span.begin, place}, std::string(indentOf(place, first), ' '));
    size_t token = syntax.tokenAfter(place);
    SyntaxId id = noSyntax;
    for (; token + 1 < tokens.size() && tokens[token + 1].begin < span.end;
         ++token) {
      id = statementAt(tokens[token].begin);
      if (id != noSyntax && syntax.statement(id).kind == Statement::Metadata)
        continue;
      Span gap = {tokens[token].end, tokens[token + 1].begin};
      if (gap.begin > gap.end || !syntax.text(gap).trim(" \t").empty())
        continue;
      replace(gap, std::string(spacesBetween(token, gap, id), ' '));
    }
  }

  /// What is nested too deep is one statement without regions, of any size:
  /// finding it once is enough.
  bool isInLeaf(size_t offset) const {
    return leaf != noSyntax && syntax.statement(leaf).span.begin <= offset &&
           offset < syntax.statement(leaf).span.end;
  }

  SyntaxId statementAt(size_t offset) {
    if (isInLeaf(offset))
      return leaf;
    SyntaxId id = syntax.statementAt(offset);
    if (id != noSyntax && syntax.statement(id).regions.empty())
      leaf = id;
    return id;
  }

  void replace(Span span, std::string newText) {
    if (syntax.text(span) != newText)
      edits.push_back({span, std::move(newText)});
  }

  //===--- Indentation ----------------------------------------------------===//

  size_t depthOf(SyntaxId region) const {
    size_t depth = 0;
    for (SyntaxId owner = syntax.region(region).owner; owner != noSyntax;
         owner = syntax.region(syntax.statement(owner).parent).owner)
      ++depth;
    return depth;
  }

  size_t indentOfStatement(SyntaxId id) const {
    const Statement &statement = syntax.statement(id);
    size_t depth = depthOf(statement.parent);
    // A label stands out to the left.
    if (statement.kind == Statement::Label && depth > 0)
      --depth;
    return indentWidth * depth;
  }

  /// Of the line whose first word, or comment, is at `place` and that has
  /// `present` columns now.
  size_t indentOf(size_t place, size_t present) const {
    if (auto closed = closers.find(place); closed != closers.end())
      return indentOfStatement(closed->second);
    SyntaxId id = leaf;
    if (!isInLeaf(place)) {
      SyntaxId region = syntax.regionAt(place);
      id = syntax.statementBefore(region, place);
      bool isInside = id != noSyntax && place < syntax.statement(id).span.end;
      if (!isInside)
        return indentWidth * depthOf(region);
    }
    const Statement &statement = syntax.statement(id);
    size_t wanted = indentOfStatement(id);
    if (statement.span.begin == place)
      return wanted;
    // Nobody has looked at its regions, and each line would get wide.
    if (wanted >= indentWidth * deepestNesting)
      return present;
    // It moves with the first line.
    Span line = text.lineSpan(text.lineAt(statement.span.begin));
    size_t now = syntax.text(line).find_first_not_of(" \t");
    return present + wanted > now ? present + wanted - now : 0;
  }

  //===--- Spaces ---------------------------------------------------------===//

  size_t spacesBetween(size_t index, Span gap, SyntaxId id) const {
    const Token &left = tokens[index], &right = tokens[index + 1];
    StringRef before = syntax.text(left), after = syntax.text(right);
    size_t kept = gap.empty() ? 0 : 1;
    if (after == ",")
      return 0;
    if (before == ",")
      return 1;
    auto isCompared = [](StringRef word) {
      return word.size() == 1 && StringRef("<>=!").contains(word);
    };
    if (before == "=")
      return isCompared(after) && gap.empty() ? 0 : 1;
    if (after == "=")
      return isCompared(before) && gap.empty() ? 0 : 1;
    // MLIR prints two where an optional part of an op is left out.
    bool isOpen = after == ":" || after == "{" || right.kind == Token::Arrow;
    if (isOpen && syntax.text(gap) == "  ")
      return 2;
    bool isSeparate = left.kind == Token::Arrow || right.kind == Token::Arrow ||
                      isTypeColon(index, id) || isTypeColon(index + 1, id);
    return isSeparate ? 1 : kept;
  }

  size_t depthOfToken(size_t index) const {
    return index >= firstDepth && index - firstDepth < depths.size()
               ? depths[index - firstDepth]
               : 1;
  }

  /// Whether it is the `:` before the types of an op.
  bool isTypeColon(size_t index, SyntaxId id) const {
    if (syntax.text(tokens[index]) != ":" || depthOfToken(index) > 0 ||
        id == noSyntax)
      return false;
    const Statement &statement = syntax.statement(id);
    auto isColon = [&](size_t other) {
      return other < tokens.size() && syntax.text(tokens[other]) == ":";
    };
    return statement.kind == Statement::Operation &&
           tokens[index].begin >= statement.name.end && !isColon(index + 1) &&
           !(index > 0 && isColon(index - 1));
  }

  const Text &text;
  const Syntax &syntax;
  const std::vector<Token> &tokens;
  std::vector<size_t> depths;
  SyntaxId leaf = noSyntax; ///< The last statement that had no regions.
  size_t firstDepth = 0;    ///< The token of the first of them.
  llvm::DenseSet<size_t> openers;
  llvm::DenseMap<size_t, SyntaxId> closers; ///< The op whose region ends there.
  bool isBroken = false;
  std::vector<TextEdit> edits;
};

} // namespace

std::vector<TextEdit> kernelscope::format(const Document &document, Span span) {
  return Formatter(document).run(span);
}

std::vector<TextEdit> kernelscope::formatTyped(const Document &document,
                                               size_t offset) {
  const Text &text = document.text();
  const Syntax &syntax = document.syntax();
  size_t line = text.lineAt(offset);
  Span span = text.lineSpan(line);
  StringRef words = syntax.text(span);
  size_t first = std::min(words.find_first_not_of(" \t"), words.size());
  // Enter ends a line, which is formatted as well.
  std::vector<TextEdit> edits;
  if (first == words.size() && line > 0)
    edits = format(document, text.lineSpan(line - 1));
  auto indentOfLine = [&](size_t other) {
    Span of = text.lineSpan(other);
    for (const TextEdit &edit : edits)
      if (edit.span.begin == of.begin)
        return edit.newText.size();
    return syntax.text(of).find_first_not_of(" \t");
  };
  size_t wanted = 0;
  for (size_t above = line; above-- > 0;) {
    StringRef other = syntax.text(text.lineSpan(above));
    if (other.trim().empty())
      continue;
    wanted = indentOfLine(above);
    size_t code = other.find("//");
    StringRef last = other.take_front(code).rtrim();
    bool isLabel = other.ltrim().starts_with("^") && last.ends_with(":");
    if (last.ends_with("{") || isLabel)
      wanted += indentWidth;
    break;
  }
  StringRef typed = words.drop_front(first);
  // A label stands out to the left, as a brace does.
  if (typed.starts_with("}") || typed.starts_with("^"))
    wanted = wanted >= indentWidth ? wanted - indentWidth : 0;
  if (typed.starts_with("}")) {
    size_t brace = span.begin + first;
    for (const Region &region : syntax.regions())
      if (region.owner != noSyntax && region.isClosed && region.isOpened &&
          region.body.end == brace)
        wanted = indentOfLine(text.lineAt(region.openBrace()));
  }
  if (wanted != first || words.take_front(first) != std::string(wanted, ' '))
    edits.push_back(
        {{span.begin, span.begin + first}, std::string(wanted, ' ')});
  return edits;
}
