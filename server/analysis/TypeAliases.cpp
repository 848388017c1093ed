//===- TypeAliases.cpp - short names for the types of a text --------------===//

#include "server/analysis/TypeAliases.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>

using namespace kernelscope;
using llvm::StringRef;

/// The token after the `>` that closes the `<` at `open`; 0 without one.
size_t TypeAliases::pastBrackets(size_t open, size_t end) const {
  size_t depth = 0;
  const llvm::ArrayRef<Token> tokens = syntax.tokens();
  for (size_t i = open; i < end; ++i) {
    const Token &token = tokens[i];
    if (token.kind != Token::Punctuation)
      continue;
    char c = syntax.text()[token.begin];
    if (c == '<')
      ++depth;
    else if (c == '>' && --depth == 0)
      return i + 1;
  }
  return 0;
}

void TypeAliases::add(const Statement &statement) {
  const llvm::ArrayRef<Token> tokens = syntax.tokens();
  const size_t end = statement.endToken;
  for (size_t i = statement.firstToken; i + 1 < end; ++i) {
    const Token &token = tokens[i];
    if (!token.isAny<Token::Hash, Token::Bang, Token::Identifier>())
      continue;
    if (token.end != tokens[i + 1].begin || syntax.text()[token.end] != '<')
      continue;
    StringRef word = syntax.text(token);
    if (token.kind == Token::Identifier && word != "tensor")
      continue;
    bool isHash = token.kind == Token::Hash;
    bool isBang = token.kind == Token::Bang;
    size_t past = pastBrackets(i + 1, end);
    if (past == 0)
      return; // what follows may be inside anything
    Span span{token.begin, tokens[past - 1].end};
    i = past - 1;
    // An attribute may be kept as its text, so what is in it stays.
    StringRef text = syntax.text(span);
    if (isHash || (isBang && !word.contains('.')) || text.contains('\n'))
      continue;
    std::string &alias = aliases[text];
    if (alias.empty()) {
      // The blank keeps it apart from what follows.
      alias = "!" + std::to_string(aliases.size() - 1) + " ";
      lines += alias + "= " + text.str() + "\n";
    }
    if (alias.size() <= span.size())
      found.push_back({span, alias});
  }
}

std::vector<ShortForm>
TypeAliases::andBlanks(llvm::ArrayRef<Span> locations) const {
  std::vector<ShortForm> blanks = asBlanks(locations), both;
  both.reserve(found.size() + blanks.size());
  std::merge(found.begin(), found.end(), blanks.begin(), blanks.end(),
             std::back_inserter(both),
             [](const ShortForm &a, const ShortForm &b) {
               return a.span.begin < b.span.begin;
             });
  return both;
}

bool TypeAliases::covers(size_t offset) const {
  auto after = llvm::partition_point(
      found, [&](const ShortForm &one) { return one.span.begin <= offset; });
  return after != found.begin() && offset < std::prev(after)->span.end;
}
