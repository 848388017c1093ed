//===- OpSyntax.cpp - an op's syntax as words and stops -------------------===//

#include "server/features/OpSyntax.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

static constexpr StringRef beginOptional = "⟦", endOptional = "⟧";

StringRef SyntaxPart::subject() const {
  StringRef name = text;
  if (name.consume_front("type("))
    name.consume_back(")");
  name.consume_front("%");
  return name;
}

std::vector<SyntaxPart> kernelscope::readSyntax(const Doc &doc) {
  std::vector<SyntaxPart> parts;
  unsigned depth = 0;
  StringRef rest = StringRef(doc.syntax).split('\t').second;
  while (!rest.empty()) {
    if (rest.consume_front(beginOptional)) {
      ++depth;
    } else if (rest.consume_front(endOptional)) {
      --depth;
    } else if (rest.consume_front("`")) {
      auto [stop, after] = rest.split('`');
      auto [label, typed] = stop.split('=');
      parts.push_back({label, typed, depth});
      rest = after;
    } else {
      size_t end = std::min({rest.find('`'), rest.find(beginOptional),
                             rest.find(endOptional), rest.size()});
      parts.push_back({rest.take_front(end), std::nullopt, depth});
      rest = rest.drop_front(end);
    }
  }
  return parts;
}

std::vector<StringRef> kernelscope::resultNames(const Doc &doc) {
  llvm::SmallVector<StringRef, 2> names;
  StringRef(doc.syntax).split('\t').first.split(names, ',', -1, false);
  return {names.begin(), names.end()};
}

bool kernelscope::hasRegion(const Doc &doc) {
  return doc.syntax.contains("{\n");
}

SyntaxId kernelscope::operationAt(const Syntax &syntax, size_t offset) {
  SyntaxId last = syntax.statementBefore(syntax.regionAt(offset), offset);
  if (last != noSyntax) {
    size_t end = syntax.statement(last).span.end;
    if (end <= offset && !syntax.text(Span{end, offset}).contains('\n'))
      return last;
  }
  return syntax.statementAt(offset);
}

namespace {

/// A word of an op's syntax, or a stop.
struct Step {
  StringRef word; ///< Empty for a stop.
  size_t part;
  unsigned depth;
};

} // namespace

static std::vector<Step> stepsOf(const std::vector<SyntaxPart> &parts) {
  std::vector<Step> steps;
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (part.isStop()) {
      steps.push_back({"", index, part.depth});
      continue;
    }
    for (const Token &token : lex(part.text).tokens)
      steps.push_back({part.text.substr(token.begin, token.end - token.begin),
                       index, part.depth});
  }
  // The op's name is there.
  if (!steps.empty())
    steps.erase(steps.begin());
  return steps;
}

/// The step at or after `from` whose word is `word`, if none but optional ones
/// and stops stand before it.
static std::optional<size_t> follow(const std::vector<Step> &steps, size_t from,
                                    StringRef word) {
  for (size_t i = from; i < steps.size(); ++i) {
    if (steps[i].word == word)
      return i;
    // Optional parts may be left out; what is left of this one may not.
    bool isOptional = steps[i].depth > 0;
    if (!steps[i].word.empty() && !isOptional)
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<size_t> kernelscope::stopAt(const std::vector<SyntaxPart> &parts,
                                          const Syntax &syntax,
                                          const Statement &statement,
                                          size_t offset) {
  std::vector<Step> steps = stepsOf(parts);
  const std::vector<Token> &tokens = syntax.tokens();
  size_t at = 0;    // The step that is due.
  size_t depth = 0; // Of brackets inside a stop.
  for (size_t i = syntax.tokenAfter(statement.name.end);
       i < tokens.size() && tokens[i].end <= offset; ++i) {
    StringRef word = syntax.text(tokens[i]);
    // The cursor is at the end of this word.
    bool isBeingTyped = tokens[i].end == offset &&
                        tokens[i].kind != Token::Punctuation &&
                        tokens[i].kind != Token::Arrow;
    if (isBeingTyped)
      break;
    if (depth == 0)
      if (std::optional<size_t> next = follow(steps, at, word)) {
        at = *next + 1;
        continue;
      }
    depth += word == "(" || word == "[" || word == "{" || word == "<";
    bool closes = word == ")" || word == "]" || word == "}" || word == ">";
    if (closes && depth > 0)
      --depth;
  }
  // An optional part is due only if it has begun, or may come first.
  if (at == 0 && !steps.empty() && steps.front().word.empty())
    return steps.front().part;
  unsigned begun = at > 0 ? steps[at - 1].depth : 0;
  for (; at < steps.size(); ++at) {
    begun = std::min(begun, steps[at].depth);
    if (steps[at].word.empty() && steps[at].depth == begun)
      return steps[at].part;
  }
  return std::nullopt;
}
