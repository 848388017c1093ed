//===- CompletionPlace.cpp - where something is typed ---------------------===//

#include "server/features/CompletionPlace.h"

#include "server/features/OpSyntax.h"

#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

bool kernelscope::isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

CompletionPlace::CompletionPlace(const Document &document, size_t offset)
    : document(document), syntax(document.syntax()),
      text(document.text().str()), offset(std::min(offset, text.size())) {
  findWord();
}

/// The last brace that is open in `line`, or `npos`.
static size_t lastOpenBrace(StringRef line) {
  int depth = 0;
  for (size_t i = line.size(); i-- > 0;) {
    if (line[i] == '}')
      ++depth;
    else if (line[i] == '{' && depth-- == 0)
      return i;
  }
  return StringRef::npos;
}

/// Whether the word is in quotes in a dictionary: `"ttg.num-warps"`, or what is
/// after `ttg.target =`.
bool CompletionPlace::findQuotedWord() {
  size_t lineStart = text.take_front(offset).rfind('\n') + 1;
  StringRef line = text.slice(lineStart, offset);
  size_t quote = line.rfind('"');
  if (line.count('"') % 2 == 0)
    return false;
  StringRef head = line.take_front(quote).rtrim();
  if (lastOpenBrace(head) == StringRef::npos)
    return false;
  isQuotedKey = head.ends_with("{") || head.ends_with(",");
  isQuotedValue = head.ends_with("=");
  if (!isQuotedKey && !isQuotedValue)
    return false;
  span = {lineStart + quote, offset};
  if (text.substr(offset).starts_with("\""))
    ++span.end;
  prefix = line.drop_front(quote + 1);
  before = line.take_front(quote);
  return true;
}

void CompletionPlace::findWord() {
  if (findQuotedWord())
    return;
  size_t begin = offset;
  while (begin > 0 && isWordPart(text[begin - 1]))
    --begin;
  // In `tensor<16x32xf|` the word is `f`.
  StringRef word = text.substr(begin, offset - begin);
  while (true) {
    size_t digits = word.find_first_not_of("0123456789");
    if (digits == 0 || digits == StringRef::npos || word[digits] != 'x')
      break;
    word = word.drop_front(digits + 1);
  }
  isInElement = begin != offset - word.size();
  begin = offset - word.size();
  if (begin > 0 && StringRef("%#!@^").contains(text[begin - 1])) {
    sigil = text[begin - 1];
    --begin;
  } else if (begin > 0 && text[begin - 1] == '"' && isQuoteOfOperation(begin)) {
    // In the generic form an op's name has quotes, in its own it has not.
    --begin;
    isQuoted = true;
  }
  span = {begin, offset};
  // An editor has closed the quote already.
  if (isQuoted && text.substr(offset).starts_with("\""))
    ++span.end;
  prefix = text.substr(begin, offset - begin).ltrim('"');
  size_t lineStart = text.rfind('\n', begin);
  lineStart = lineStart == StringRef::npos || begin == 0 ? 0 : lineStart + 1;
  before = text.substr(lineStart, begin - lineStart);
}

/// Whether the quote before `begin` starts an op: at the start of a line or
/// after `%x =`.
bool CompletionPlace::isQuoteOfOperation(size_t begin) const {
  StringRef line = text.take_front(begin - 1);
  line = line.drop_front(line.rfind('\n') + 1).trim();
  return line.empty() ||
         (line.starts_with("%") && line.ends_with("=") && !line.contains('('));
}

bool CompletionPlace::isInsideTextOrComment() const {
  if (isQuoted || isQuotedKey || isQuotedValue)
    return false;
  for (Span comment : syntax.comments())
    if (comment.begin < offset && offset <= comment.end)
      return true;
  size_t index = syntax.tokenAfter(span.begin);
  if (index >= syntax.tokens().size())
    return false;
  const Token &token = syntax.tokens()[index];
  return (token.kind == Token::String ||
          token.kind == Token::UnterminatedString) &&
         token.begin < offset;
}

/// Whether an op name is expected: at the start of a line or a region, or
/// after `%x =`.
bool CompletionPlace::isAtOperation() const {
  if (isInOpenDictionary() || markPlace() == Mark::Argument || isQuotedKey)
    return false;
  StringRef head = before.trim();
  if (head.empty())
    return true;
  if (head.ends_with("{")) {
    size_t brace = text.rfind('{', span.begin);
    Span body = syntax.region(syntax.regionAt(span.begin)).body;
    return body.begin == brace + 1;
  }
  return head.consume_back("=") && head.starts_with("%") &&
         !head.contains('(') && !head.contains('=') &&
         head.count('%') == head.count(',') + 1;
}

/// Whether what looks like an open region is the dictionary of an op that has
/// no region, or of `attributes`.
bool CompletionPlace::isInOpenDictionary() const {
  SyntaxId owner = syntax.region(syntax.regionAt(span.begin)).owner;
  if (owner == noSyntax)
    return false;
  const Statement &statement = syntax.statement(owner);
  const Doc *doc = findDoc(DocKind::Op, syntax.text(statement.name).trim('"'));
  const Region &region = syntax.region(syntax.regionAt(span.begin));
  StringRef head =
      text.slice(statement.name.end, region.body.begin - 1).rtrim();
  // What closes it may be the brace of the op's own region.
  bool isClosed = region.isClosed &&
                  text.slice(region.body.begin, span.begin).contains('\n');
  return (doc && !doc->syntax.empty() && !hasRegion(*doc)) ||
         (head.ends_with("attributes") && !isClosed);
}

/// The last brace of a dictionary that is open on this line, or `npos`.
size_t CompletionPlace::openBrace() const { return lastOpenBrace(before); }

std::optional<TypeSlot> CompletionPlace::typeSlot() const {
  unsigned commas = 0, depth = 0;
  for (size_t i = before.size(); i-- > 0;) {
    char c = before[i];
    bool isArrow = c == '>' && i > 0 && before[i - 1] == '-';
    if (StringRef(")]}").contains(c) || (c == '>' && !isArrow)) {
      ++depth;
    } else if (StringRef("([{<").contains(c) && depth > 0) {
      --depth;
    } else if (c == '<') {
      StringRef owner = before.take_front(i);
      owner = owner.drop_front(
          owner.find_last_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.") + 1);
      return TypeSlot{owner, commas, before.drop_front(i + 1)};
    } else if (c == '(' || c == '[') {
      return std::nullopt;
    } else if (c == ',' && depth == 0) {
      ++commas;
    }
  }
  return std::nullopt;
}

StringRef CompletionPlace::keyBefore() const {
  StringRef head = before.rtrim();
  bool isInBraces = isInDictionary() || isInOpenDictionary();
  if (!isInBraces || !head.consume_back("="))
    return "";
  head = head.rtrim();
  head.consume_back("\"");
  return head.drop_front(head.find_last_of(" ,{\"") + 1);
}

bool CompletionPlace::isAtLocation() const {
  size_t open = before.rfind("loc(");
  if (open == StringRef::npos)
    return false;
  StringRef inside = before.drop_front(open + 3), head = inside.rtrim();
  return inside.count('(') > inside.count(')') &&
         (head.ends_with("(") || head.ends_with("[") || head.ends_with(",") ||
          head.ends_with(" at"));
}

bool CompletionPlace::isAtType() const {
  return before.contains(':') || before.contains("->") ||
         before.rtrim().ends_with("<");
}

/// The layout whose `<{` is open before the cursor.
const Doc *CompletionPlace::enclosingLayout() const {
  size_t brace = openBrace();
  StringRef head = before.substr(0, brace);
  if (brace == StringRef::npos || !head.consume_back("<"))
    return nullptr;
  size_t hash = head.rfind('#');
  if (hash == StringRef::npos)
    return nullptr;
  return findDoc(DocKind::Attribute, head.drop_front(hash + 1));
}

SyntaxId CompletionPlace::currentStatement() const {
  return operationAt(syntax, span.begin);
}

const Doc *CompletionPlace::operationDoc() const {
  SyntaxId id = currentStatement();
  if (id == noSyntax)
    return nullptr;
  return findDoc(DocKind::Op, syntax.text(syntax.statement(id).name).trim('"'));
}

std::optional<Mark::Place> CompletionPlace::markPlace() const {
  // Behind a key and its `=` comes a value.
  if (before.rtrim().ends_with("="))
    return std::nullopt;
  size_t brace = openBrace();
  StringRef head = before.take_front(brace).rtrim();
  if (brace == StringRef::npos)
    return isInOpenDictionary() && ownerName() == "module"
               ? std::optional(Mark::Module)
               : std::nullopt;
  // A half-typed key looks like an op in the function.
  StringRef first = before.ltrim().take_until(llvm::isSpace);
  bool isFunction = ownerName().ends_with(".func") || first.ends_with(".func");
  if (head.ends_with("attributes"))
    return isFunction ? Mark::Function : Mark::Module;
  // The type of an argument comes before.
  size_t argument = head.rfind('%');
  if (isFunction && argument != StringRef::npos && !head.ends_with("<") &&
      head.drop_front(argument).contains(':') &&
      head.count('(') > head.count(')'))
    return Mark::Argument;
  if (head.ends_with("}") &&
      (ownerName().ends_with(".for") || ownerName().ends_with(".while")))
    return Mark::Loop;
  return std::nullopt;
}

/// The op in whose header the cursor is.
StringRef CompletionPlace::ownerName() const {
  SyntaxId id = syntax.statementAt(span.begin);
  if (id == noSyntax || syntax.statement(id).kind != Statement::Operation)
    return "";
  return syntax.text(syntax.statement(id).name).trim('"');
}

std::optional<SignatureEntry> CompletionPlace::due() const {
  const Doc *doc = operationDoc();
  SyntaxId id = currentStatement();
  if (!doc || id == noSyntax)
    return std::nullopt;
  std::vector<SyntaxPart> parts = readSyntax(*doc);
  std::optional<size_t> stop =
      stopAt(parts, syntax, syntax.statement(id), span.begin);
  if (!stop)
    return std::nullopt;
  for (SignatureEntry &entry : readSignature(*doc))
    if (entry.name == parts[*stop].subject())
      return std::move(entry);
  return std::nullopt;
}
