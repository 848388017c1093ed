//===- MisspeltNames.cpp - names of the text that nothing defines ---------===//

#include "server/analysis/NearMisses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace kernelscope;
using llvm::StringRef;

void kernelscope::suggestValue(Diagnostic &diagnostic, const Syntax &syntax,
                               SyntaxId around) {
  StringRef used = syntax.text(diagnostic.span);
  // One digit is as near to any other.
  if (around == noSyntax || used.size() < 2 || !llvm::isAlpha(used[1]))
    return;
  // Of a short name, a letter too few or too many is all that can be told.
  auto mayBeMeant = [&](StringRef name) {
    return used.size() >= 4 || differInUnderscores(used, name) ||
           (name.starts_with(used) && name.size() == used.size() + 1) ||
           (used.starts_with(name) && used.size() == name.size() + 1 &&
            name.size() > 1);
  };
  // No op uses its own results.
  SyntaxId user = syntax.statementAt(diagnostic.span.begin);
  auto isOwnResult = [&](StringRef name) {
    return user != noSyntax &&
           llvm::any_of(syntax.statement(user).results,
                        [&](const ResultName &result) {
                          return syntax.text(result.name) == name;
                        });
  };
  llvm::SetVector<StringRef> names;
  auto addIfDefined = [&](size_t i) {
    // `%x = ...`, `%x:2 = ...`, `%x: type` of an argument.
    StringRef next = syntax.text(syntax.tokens()[i + 1]);
    StringRef name = syntax.text(syntax.tokens()[i]);
    if (syntax.tokens()[i].kind == Token::Value &&
        (next == "=" || next == ":") && mayBeMeant(name) && !isOwnResult(name))
      names.insert(name);
  };
  // The lines before it and the arguments, not all of a long function.
  constexpr size_t most = 400;
  size_t first = syntax.statement(around).firstToken;
  size_t use = syntax.tokenAfter(diagnostic.span.begin);
  size_t near = std::max(first, use > most ? use - most : 0);
  for (size_t i = use; i-- > near;)
    addIfDefined(i);
  for (size_t i = first; i < std::min(first + most, near); ++i)
    addIfDefined(i);
  // A value that nothing uses waits for this use: of equally near ones, it is
  // meant.
  llvm::StringMap<unsigned> mentions;
  for (size_t i = near, end = std::min(use + most, syntax.tokens().size());
       i < end; ++i)
    if (syntax.tokens()[i].kind == Token::Value)
      ++mentions[syntax.text(syntax.tokens()[i])];
  llvm::SmallVector<StringRef> ordered;
  for (bool isUsed : {false, true})
    for (StringRef name : names)
      if ((mentions[name] > 1) == isUsed)
        ordered.push_back(name);
  suggest(diagnostic, diagnostic.span, nearestOf(ordered, used),
          /*isToBeChecked=*/true);
}

void kernelscope::suggestAlias(Diagnostic &diagnostic, const Syntax &syntax) {
  StringRef used = syntax.text(diagnostic.span);
  llvm::SmallVector<StringRef> names;
  for (const Statement *alias : aliasesOf(syntax))
    if (syntax.text(alias->name).front() == used.front())
      names.push_back(syntax.text(alias->name));
  // Locations are numbered, and one number is as near to any other.
  auto digitsOf = [](StringRef name) {
    return name.drop_front(name.find_last_not_of("0123456789") + 1);
  };
  for (const Statement &statement : syntax.statements())
    if (StringRef name = syntax.text(statement.name);
        statement.kind == Statement::Alias &&
        syntax.isLocationAlias(statement) && digitsOf(name) == digitsOf(used))
      names.push_back(name);
  if (used.size() >= 4)
    suggest(diagnostic, diagnostic.span, nearestOf(names, used));
}

void kernelscope::suggestFunction(Diagnostic &diagnostic,
                                  const Syntax &syntax) {
  if (!StringRef(diagnostic.message).ends_with("has no tt.func of that name"))
    return;
  const Token *called = nullptr;
  for (size_t i = syntax.tokenAfter(diagnostic.span.begin);
       i < syntax.tokens().size() && !called; ++i)
    if (syntax.tokens()[i].kind == Token::Symbol)
      called = &syntax.tokens()[i];
  constexpr size_t shortest = 4;
  if (!called || called->span().size() < shortest)
    return;
  diagnostic.span = called->span();
  llvm::SmallVector<StringRef> names;
  for (const Statement &statement : syntax.statements())
    if (const Token *symbol = syntax.symbolOf(statement);
        symbol && syntax.text(statement.name) == "tt.func")
      names.push_back(syntax.text(*symbol));
  suggest(diagnostic, called->span(), nearestOf(names, syntax.text(*called)));
}
