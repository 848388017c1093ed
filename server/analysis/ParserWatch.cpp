//===- ParserWatch.cpp - where MLIR's parser is, should it die ------------===//

#include "server/analysis/ParserWatch.h"

#include <iterator>

using namespace kernelscope;

static thread_local const ParserWatch *current = nullptr;

ParserWatch::ParserWatch(const Fragment &fragment, const Syntax &syntax,
                         const FragmentRequest &request)
    : fragment(fragment), syntax(syntax), request(request) {
  current = this;
}

ParserWatch::~ParserWatch() { current = nullptr; }

/// Where in the document the last op, or in a skeleton the last alias, ended.
std::optional<size_t> ParserWatch::endOfLast() const {
  auto source = [&](llvm::SMLoc place) {
    return fragment.patched.toSource(place.getPointer() -
                                     fragment.buffer().begin());
  };
  if (request.statement != noSyntax) {
    auto ops = fragment.state.getOpDefs();
    if (ops.begin() == ops.end())
      return std::nullopt;
    return source(std::prev(ops.end())->scopeLoc.End);
  }
  auto aliases = fragment.state.getAttributeAliasDefs();
  if (aliases.begin() == aliases.end())
    return std::nullopt;
  SyntaxId alias = syntax.statementAt(
      source(std::prev(aliases.end())->definition.loc.Start));
  if (alias == noSyntax)
    return std::nullopt;
  return syntax.statement(alias).span.end;
}

std::optional<size_t> ParserWatch::position() {
  if (!current)
    return std::nullopt;
  const Syntax &syntax = current->syntax;
  std::optional<size_t> end = current->endOfLast();
  if (!end)
    return std::nullopt;
  size_t token = syntax.tokenAfter(*end);
  if (token == syntax.tokens().size())
    return std::nullopt;
  size_t place = syntax.tokens()[token].begin;
  // The op may be one that the unit only references.
  SyntaxId statement = current->request.statement;
  if (statement != noSyntax &&
      !syntax.statement(statement).span.contains(place))
    return std::nullopt;
  return place;
}
