//===- AliasRefactorings.cpp - layouts to aliases and back ----------------===//

#include "server/features/AliasRefactorings.h"

#include "server/features/Name.h"

#include <set>

using namespace kernelscope;
using llvm::StringRef;

Span kernelscope::linesOf(const Document &document,
                          const Statement &statement) {
  const Text &text = document.text();
  StringRef all = text.str();
  size_t begin = text.lineSpan(text.lineAt(statement.span.begin)).begin;
  size_t end = text.lineSpan(text.lineAt(statement.span.end)).end;
  // `loc(...)` belongs to the statement, a comment after it may go, too.
  StringRef after = all.slice(statement.span.end, end).trim();
  bool isAlone = all.slice(begin, statement.span.begin).trim().empty() &&
                 (after.empty() || after.starts_with("//"));
  if (!isAlone)
    return statement.span;
  size_t next = text.lineAt(statement.span.end) + 1;
  return {begin, next < text.lineCount() ? text.lineSpan(next).begin : end};
}

void kernelscope::addInline(const Document &document, size_t offset,
                            std::vector<CodeAction> &actions) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name || name->kind != Name::Alias || !name->definition)
    return;
  const Syntax &syntax = document.syntax();
  StringRef word = syntax.text(name->origin);
  const Statement *alias = findAlias(document, offset, word);
  // In `loc(#loc1)` another `loc(...)` may not stand.
  if (!alias || syntax.isLocationAlias(*alias))
    return;
  CodeAction action;
  action.title = ("Inline '" + word + "'").str();
  action.kind = "refactor.inline";
  std::string value = syntax.aliasValue(*alias).str();
  for (Span use : name->uses)
    action.edits.push_back({use, value});
  action.edits.push_back({linesOf(document, *alias), ""});
  actions.push_back(std::move(action));
}

/// `#ttg.blocked<...>` around `offset`, outside an alias of just that.
static std::optional<Span> layoutAt(const Syntax &syntax, size_t offset) {
  const std::vector<Token> &tokens = syntax.tokens();
  SyntaxId id = syntax.statementAt(offset);
  if (id == noSyntax)
    return std::nullopt;
  const Statement &statement = syntax.statement(id);
  for (size_t first = syntax.tokenAfter(offset) + 1;
       first-- > statement.firstToken;) {
    if (first + 1 >= statement.endToken || tokens[first].kind != Token::Hash ||
        tokens[first].begin > offset ||
        !syntax.text(tokens[first]).contains('.') ||
        syntax.text(tokens[first + 1]) != "<")
      continue;
    size_t depth = 0, last = first + 1;
    for (; last < statement.endToken; ++last) {
      StringRef word = syntax.text(tokens[last]);
      depth += word == "<";
      depth -= word == ">";
      if (depth == 0)
        break;
    }
    if (last == statement.endToken || tokens[last].end < offset)
      continue;
    bool isAliasItself =
        statement.kind == Statement::Alias && first == statement.firstToken + 2;
    if (isAliasItself)
      return std::nullopt;
    return Span{tokens[first].begin, tokens[last].end};
  }
  return std::nullopt;
}

void kernelscope::addExtract(const Document &document, size_t offset,
                             std::vector<CodeAction> &actions) {
  const Syntax &syntax = document.syntax();
  std::optional<Span> layout = layoutAt(syntax, offset);
  if (!layout)
    return;
  StringRef value = syntax.text(*layout);
  Span chunk = chunkAt(document, offset);
  const Statement *first = nullptr;
  const Statement *same = nullptr;
  std::set<std::string> taken;
  for (const Statement &statement : syntax.statements()) {
    if (!chunk.contains(statement.span))
      continue;
    if (statement.kind == Statement::Alias) {
      taken.insert(syntax.text(statement.name).str());
      if (!first && syntax.aliasValue(statement) == value)
        same = &statement;
    } else if (!first && statement.kind == Statement::Operation) {
      first = &statement;
    }
  }
  if (!first)
    return;
  StringRef stem =
      value.drop_front().take_until([](char c) { return c == '<'; });
  stem = stem.rsplit('.').second;
  if (stem.contains("shared"))
    stem = "shared";
  stem.consume_back("_encoding");
  std::string name = ("#" + stem).str();
  for (unsigned i = 1; taken.contains(name); ++i)
    name = ("#" + stem + llvm::Twine(i)).str();
  CodeAction action;
  action.kind = "refactor.extract";
  if (same) {
    name = syntax.text(same->name).str();
    action.title = "Use '" + name + "'";
  } else {
    action.title = "Extract '" + name + "'";
    action.edits.push_back({{first->span.begin, first->span.begin},
                            (name + " = " + value + "\n").str()});
  }
  StringRef text = document.text().str();
  for (size_t at = text.find(value, chunk.begin);
       at != StringRef::npos && at < chunk.end;
       at = text.find(value, at + value.size())) {
    // An alias may be used only after it is defined.
    if (at >= first->span.begin)
      action.edits.push_back({{at, at + value.size()}, name});
  }
  actions.push_back(std::move(action));
}
