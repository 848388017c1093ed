//===- Site.cpp - a word, and the text around it -------------------------===//

#include "server/analysis/spellings/Site.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

StringRef Site::text(size_t token) const {
  return token < syntax.tokens().size() ? syntax.text(syntax.tokens()[token])
                                        : StringRef();
}

Span Site::span(size_t token) const {
  size_t end = syntax.text().size();
  return token < syntax.tokens().size() ? syntax.tokens()[token].span()
                                        : Span{end, end};
}

std::pair<size_t, size_t> Site::function() const {
  for (SyntaxId id = syntax.statementAt(span(at).begin); id != noSyntax;) {
    const Statement &statement = syntax.statement(id);
    if (syntax.symbolOf(statement) && text(statement.name) != "builtin.module")
      return {statement.firstToken, statement.endToken};
    id = syntax.region(statement.parent).owner;
  }
  return {0, syntax.tokens().size()};
}

const Statement *Site::op() const {
  // Statements are in the order of their names, too.
  const Span name = span(at);
  auto op =
      llvm::partition_point(syntax.statements(), [&](const Statement &other) {
        return other.name.begin < name.begin;
      });
  return op != syntax.statements().end() && op->name == name ? &*op : nullptr;
}

size_t Site::opEnd() const {
  const Statement *statement = op();
  if (!statement)
    return at + 1;
  if (statement->regions.empty())
    return statement->endToken;
  return syntax.tokenAfter(
      syntax.region(statement->regions.front()).openBrace());
}

static int depthChange(const Syntax &syntax, const Token &token) {
  if (token.kind != Token::Punctuation)
    return 0;
  switch (syntax.text()[token.begin]) {
  case '<':
  case '[':
  case '(':
  case '{':
    return 1;
  case '>':
  case ']':
  case ')':
  case '}':
    return -1;
  default:
    return 0;
  }
}

size_t Site::pastBracket(size_t open) const {
  constexpr size_t mostTokens = 2000;
  int depth = 0;
  size_t end = std::min(syntax.tokens().size(), open + mostTokens);
  for (size_t i = open; i < end; ++i) {
    depth += depthChange(syntax, syntax.tokens()[i]);
    if (depth <= 0)
      return i == open ? 0 : i + 1;
  }
  return 0;
}

std::optional<std::pair<size_t, size_t>> Site::inside(size_t open) const {
  size_t past = pastBracket(open);
  if (!past)
    return std::nullopt;
  return std::pair(open + 1, past - 1);
}

size_t Site::findKey(StringRef key) const {
  size_t open = at + 1;
  size_t end = pastBracket(open);
  if (!end || !text(span(open, end)).contains(key))
    return 0;
  size_t begin = open + (text(open + 1) == "{" ? 2 : 1);
  for (auto [first, last] : split(begin, end - 1))
    if (text(first) == key && text(first + 1) == "=")
      return first + 2;
  return 0;
}

size_t Site::findEntry(StringRef key) const {
  size_t end = opEnd();
  size_t open = find("{", at, end);
  size_t close = open < end ? pastBracket(open) : 0;
  if (!close)
    return 0;
  for (auto [first, last] : split(open + 1, close - 1))
    if (text(first) == key)
      return first;
  return 0;
}

size_t Site::find(StringRef word, size_t begin, size_t end) const {
  int depth = 0;
  const size_t last = std::min(end, syntax.tokens().size());
  for (size_t i = begin; i < last; ++i) {
    const Token &token = syntax.tokens()[i];
    if (depth == 0 && syntax.text(token) == word)
      return i;
    depth += depthChange(syntax, token);
  }
  return end;
}

llvm::SmallVector<std::pair<size_t, size_t>> Site::split(size_t begin,
                                                         size_t end) const {
  llvm::SmallVector<std::pair<size_t, size_t>> parts;
  end = std::min(end, syntax.tokens().size());
  while (begin < end) {
    size_t comma = find(",", begin, end);
    parts.emplace_back(begin, comma);
    begin = comma + 1;
  }
  return parts;
}

std::optional<Site> Site::aliasedBy(StringRef name) const {
  for (size_t i = 0; i + 2 < at; ++i)
    if (text(i) == name && text(i + 1) == "=")
      return Site(syntax, context, i + 2);
  return std::nullopt;
}

std::optional<int64_t> Site::constant(StringRef value) const {
  // `%c2_i32 = arith.constant 2 : i32`, from here upwards.
  for (size_t i = at; i-- > 0;) {
    if (text(i) == "tt.func")
      return std::nullopt;
    if (text(i) != value || text(i + 1) != "=")
      continue;
    // A pipeliner puts `{loop.stage = 0 : i32}` before the number.
    size_t literal = text(i + 3) == "{" ? pastBracket(i + 3) : i + 3;
    int64_t number;
    if (text(i + 2) != "arith.constant" ||
        text(literal).getAsInteger(10, number))
      return std::nullopt;
    return number;
  }
  return std::nullopt;
}

StringRef Site::constantOf(StringRef number) const {
  // Constants are at the top of a function; so many statements are looked at.
  constexpr size_t most = 512;
  const Statement *inner = op();
  while (inner && inner->parent != noSyntax) {
    const Region &region = syntax.region(inner->parent);
    for (SyntaxId id : llvm::ArrayRef(region.statements).take_front(most)) {
      const Statement &statement = syntax.statement(id);
      if (statement.span.begin >= inner->span.begin ||
          (statement.kind == Statement::Label && id != region.statements[0]))
        break;
      const size_t equals = statement.firstToken + 1;
      if (statement.results.size() == 1 &&
          text(equals + 1) == "arith.constant" && text(equals + 2) == number &&
          text(equals + 3) == ":" && text(equals + 4) == "i32")
        return text(statement.results[0].name);
    }
    inner =
        region.owner == noSyntax ? nullptr : &syntax.statement(region.owner);
    // Regions of other ops may be isolated from what is around them.
    if (!inner || !text(inner->name).trim('"').starts_with("scf."))
      break;
  }
  return "";
}

TextEdit Site::replaceIn(StringRef from, StringRef to) const {
  size_t begin = span(at).begin + text(at).rfind(from);
  return {{begin, begin + from.size()}, to.str()};
}

TextEdit Site::dropEntry(size_t key) const {
  size_t open = key;
  for (int depth = 0; open > 0; --open) {
    depth += depthChange(syntax, syntax.tokens()[open]);
    if (depth > 0)
      break;
  }
  auto entries = inside(open);
  if (!entries)
    return {{span(key).begin, span(key).begin}, ""};
  size_t close = entries->second;
  size_t end = find(",", key, close);
  if (end < close)
    return {{span(key).begin, span(end + 1).begin}, ""};
  if (open + 1 == key)
    return {span(open, close + 1), ""};
  return {{span(key - 1).begin, span(close).begin}, ""};
}

std::string Site::newLine() const {
  StringRef before = syntax.text().take_front(op()->span.begin);
  StringRef line = before.substr(before.rfind('\n') + 1);
  return "\n" + line.take_while(llvm::isSpace).str();
}

TextEdit Site::insertOpAfter(StringRef text) const {
  size_t end = op()->span.end;
  return {{end, end}, newLine() + text.str()};
}

TextEdit Site::insertOpsBefore(llvm::ArrayRef<std::string> ops) const {
  size_t begin = op()->span.begin;
  return {{begin, begin}, llvm::join(ops, newLine()) + newLine()};
}

TextEdit Site::dropOp(const Statement &op) const {
  StringRef before = syntax.text().take_front(op.span.begin).rtrim(" \t");
  StringRef after = syntax.text().drop_front(op.span.end).ltrim(" \t");
  if (!before.ends_with("\n") || !after.consume_front("\n"))
    return {op.span, ""};
  return {{before.size(), syntax.text().size() - after.size()}, ""};
}
