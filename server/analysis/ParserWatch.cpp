//===- ParserWatch.cpp - where MLIR's parser is, should it die ------------===//

#include "server/analysis/ParserWatch.h"

#include <algorithm>
#include <iterator>

using namespace kernelscope;

static thread_local const ParserWatch *current = nullptr;

ParserWatch::ParserWatch(const Fragment &fragment, const Syntax &syntax,
                         const FragmentRequest &request)
    : fragment(fragment), syntax(syntax), request(request) {
  current = this;
}

ParserWatch::~ParserWatch() { current = nullptr; }

/// Where in the document what was read last ended: an op or, unless the parse
/// is about one op, an alias.
std::optional<size_t> ParserWatch::endOfLast() const {
  auto source = [&](llvm::SMLoc place) {
    return fragment.patched.toSource(place.getPointer() -
                                     fragment.buffer().begin());
  };
  std::optional<size_t> end;
  auto ops = fragment.state.getOpDefs();
  if (ops.begin() != ops.end())
    end = request.endOfOp(syntax, source(std::prev(ops.end())->scopeLoc.End));
  if (request.statement != noSyntax)
    return end;
  auto aliases = fragment.state.getAttributeAliasDefs();
  if (aliases.begin() == aliases.end())
    return end;
  SyntaxId alias = syntax.statementAt(
      source(std::prev(aliases.end())->definition.loc.Start));
  if (alias == noSyntax)
    return end;
  return std::max(end, std::optional(syntax.statement(alias).span.end));
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
