//===- LocationAliases.cpp - what `#loc3 = loc(...)` stands for -----------===//

#include "server/analysis/LocationAliases.h"

#include "llvm/ADT/STLExtras.h"

#include <initializer_list>

using namespace kernelscope;
using llvm::StringRef;

namespace {

/// The tokens of an alias, compared with one way to write a location.
class LocationWords {
public:
  LocationWords(const Syntax &syntax, const Statement &alias)
      : syntax(syntax), tokens(llvm::ArrayRef(syntax.tokens())
                                   .slice(alias.firstToken,
                                          alias.endToken - alias.firstToken)) {}

  /// Whether the tokens are `words`: "%s" is a string, "%d" a number, "%a" an
  /// alias.
  bool match(std::initializer_list<StringRef> words) {
    if (tokens.size() != words.size())
      return false;
    read = {};
    unsigned numbers = 0;
    for (auto [token, word] : llvm::zip_equal(tokens, words)) {
      StringRef text = syntax.text(token);
      if (word == "%a") {
        if (token.kind != Token::Hash || text.contains('.'))
          return false;
        read.aliases.push_back(text);
      } else if (word == "%s") {
        if (token.kind != Token::String || text.contains('\\'))
          return false;
        read.name = text.drop_front().drop_back();
      } else if (word == "%d") {
        unsigned &number = numbers++ == 0 ? read.line : read.column;
        if (token.kind != Token::Number || text.getAsInteger(10, number))
          return false;
      } else if (text != word) {
        return false;
      }
    }
    return true;
  }

  PlainLocation read;

private:
  const Syntax &syntax;
  llvm::ArrayRef<Token> tokens;
};

} // namespace

std::optional<PlainLocation>
kernelscope::readPlainLocation(const Syntax &syntax, const Statement &alias) {
  if (alias.kind != Statement::Alias)
    return std::nullopt;
  LocationWords words(syntax, alias);
  auto as = [&](PlainLocation::Kind kind) {
    // The first alias is the one that is defined.
    words.read.aliases.erase(words.read.aliases.begin());
    words.read.kind = kind;
    return words.read;
  };
  if (words.match({"%a", "=", "loc", "(", "%s", ":", "%d", ":", "%d", ")"}))
    return as(PlainLocation::File);
  if (words.match({"%a", "=", "loc", "(", "%s", "(", "%a", ")", ")"}))
    return as(PlainLocation::Name);
  if (words.match(
          {"%a", "=", "loc", "(", "callsite", "(", "%a", "at", "%a", ")", ")"}))
    return as(PlainLocation::CallSite);
  if (words.match({"%a", "=", "loc", "(", "unknown", ")"}))
    return as(PlainLocation::Unknown);
  return std::nullopt;
}

mlir::LocationAttr LocationAliases::of(const Token &use,
                                       mlir::MLIRContext &context) {
  SyntaxId chunk = syntax.chunkAt(use.begin);
  auto [entry, isNew] = ofChunk.try_emplace(chunk);
  if (isNew)
    read(chunk, entry->second, context);
  return entry->second.lookup(syntax.text(use));
}

void LocationAliases::read(SyntaxId chunk, Locations &locations,
                           mlir::MLIRContext &context) {
  auto make = [&](const PlainLocation &plain) -> mlir::LocationAttr {
    llvm::SmallVector<mlir::LocationAttr, 2> named;
    for (StringRef alias : plain.aliases)
      named.push_back(locations.lookup(alias));
    if (llvm::is_contained(named, mlir::LocationAttr()))
      return {};
    auto name = mlir::StringAttr::get(&context, plain.name);
    switch (plain.kind) {
    case PlainLocation::Unknown:
      return mlir::UnknownLoc::get(&context);
    case PlainLocation::File:
      return mlir::FileLineColLoc::get(name, plain.line, plain.column);
    case PlainLocation::Name:
      return mlir::NameLoc::get(name, named[0]);
    case PlainLocation::CallSite:
      return mlir::CallSiteLoc::get(named[0], named[1]);
    }
    return {};
  };
  for (SyntaxId id : syntax.region(chunk).statements) {
    const Statement &statement = syntax.statement(id);
    if (std::optional<PlainLocation> plain =
            readPlainLocation(syntax, statement))
      if (mlir::LocationAttr location = make(*plain))
        locations.try_emplace(syntax.text(statement.name), location);
  }
}
