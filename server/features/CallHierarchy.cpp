//===- CallHierarchy.cpp - who calls whom ---------------------------------===//
//
// Uses only the text, so that it works beside errors.
//
//===----------------------------------------------------------------------===//

#include "server/features/CallHierarchy.h"

#include "server/features/Name.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

static bool isFunction(const Syntax &syntax, const Statement &statement) {
  return statement.kind == Statement::Operation &&
         syntax.text(statement.name).trim('"').ends_with("func") &&
         syntax.symbolOf(statement);
}

/// The name of the function that a call names; null for any other statement.
static const Token *calleeOf(const Syntax &syntax, const Statement &statement) {
  bool isCall = statement.kind == Statement::Operation &&
                syntax.text(statement.name).trim('"').ends_with("call");
  return isCall ? syntax.symbolOf(statement) : nullptr;
}

static CalledFunction describe(const Syntax &syntax,
                               const Statement &function) {
  const Token *name = syntax.symbolOf(function);
  StringRef rest =
      syntax.text(Span{name->end, function.header(syntax).end}).trim();
  constexpr size_t most = 100;
  return {syntax.text(*name).drop_front().trim('"').str(),
          rest.take_front(most).str(), function.span, name->span()};
}

/// The function around a statement, or null.
static const Statement *functionAround(const Syntax &syntax,
                                       const Statement &statement) {
  for (SyntaxId id = syntax.region(statement.parent).owner; id != noSyntax;
       id = syntax.region(syntax.statement(id).parent).owner)
    if (isFunction(syntax, syntax.statement(id)))
      return &syntax.statement(id);
  return nullptr;
}

static const Statement *findFunction(const Document &document, size_t offset) {
  const Syntax &syntax = document.syntax();
  const Token *token = syntax.tokenAt(offset);
  if (!token || token->kind != Token::Symbol)
    return nullptr;
  const Statement *found = findSymbol(document, offset, syntax.text(*token));
  return found && isFunction(syntax, *found) ? found : nullptr;
}

/// The statements in the chunk of `offset` that call.
template <typename Visitor>
static void forCalls(const Document &document, size_t offset, Visitor visit) {
  const Syntax &syntax = document.syntax();
  Span chunk = chunkAt(document, offset);
  for (const Statement &statement : syntax.statements())
    if (chunk.contains(statement.span))
      if (const Token *callee = calleeOf(syntax, statement))
        visit(statement, *callee);
}

static void add(std::vector<FunctionCalls> &list, const Syntax &syntax,
                const Statement &function, Span place) {
  auto known = llvm::find_if(list, [&](const FunctionCalls &calls) {
    return calls.function.span == function.span;
  });
  if (known == list.end()) {
    list.push_back({describe(syntax, function), {}});
    known = std::prev(list.end());
  }
  known->places.push_back(place);
}

std::optional<CalledFunction> kernelscope::functionAt(const Document &document,
                                                      size_t offset) {
  const Statement *function = findFunction(document, offset);
  return function ? std::optional(describe(document.syntax(), *function))
                  : std::nullopt;
}

std::vector<FunctionCalls> kernelscope::callersOf(const Document &document,
                                                  size_t offset) {
  const Syntax &syntax = document.syntax();
  std::vector<FunctionCalls> list;
  const Statement *function = findFunction(document, offset);
  if (!function)
    return list;
  StringRef name = syntax.text(*syntax.symbolOf(*function));
  forCalls(document, offset, [&](const Statement &call, const Token &callee) {
    if (syntax.text(callee) == name)
      if (const Statement *caller = functionAround(syntax, call))
        add(list, syntax, *caller, callee.span());
  });
  return list;
}

std::vector<FunctionCalls> kernelscope::calleesOf(const Document &document,
                                                  size_t offset) {
  const Syntax &syntax = document.syntax();
  std::vector<FunctionCalls> list;
  const Statement *function = findFunction(document, offset);
  if (!function)
    return list;
  forCalls(document, offset, [&](const Statement &call, const Token &callee) {
    if (function->span.contains(call.span))
      if (const Statement *called = findFunction(document, callee.begin))
        add(list, syntax, *called, callee.span());
  });
  return list;
}
