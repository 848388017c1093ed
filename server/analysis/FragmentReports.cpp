//===- FragmentReports.cpp - the diagnostics of one fragment --------------===//

#include "server/analysis/FragmentReports.h"

#include "server/analysis/AttributeErrors.h"
#include "server/analysis/NearMisses.h"
#include "server/analysis/OddCharacters.h"
#include "server/analysis/PlainWords.h"
#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace kernelscope;
using llvm::StringRef;

Diagnostic &FragmentReports::add(Diagnostic diagnostic) {
  return reports.emplace_back(std::move(diagnostic));
}

Span FragmentReports::wordAt(size_t offset) const {
  const Token *token = syntax.tokenAt(offset);
  return token ? token->span() : Span{offset, offset};
}

Span FragmentReports::parameterIn(StringRef message, Span span) const {
  SyntaxId id = syntax.statementAt(span.begin);
  // "order is [1]", "dot operand has opIdx = 2".
  StringRef name = message.split(' ').first;
  for (StringRef rest = message; !rest.empty(); rest = rest.split(' ').second) {
    StringRef next = rest.split(' ').second.split(' ').first;
    if (next != "=" && next != "is")
      continue;
    name = rest.split(' ').first;
    break;
  }
  if (id == noSyntax || name.empty())
    return span;
  for (size_t i = syntax.tokenAfter(span.begin);
       i + 1 < syntax.statement(id).endToken; ++i)
    if (syntax.text(syntax.tokens()[i]) == name &&
        syntax.text(syntax.tokens()[i + 1]) == "=")
      return syntax.tokens()[i].span();
  return span;
}

/// Says of an error at `!ttg.` or `#ttg.`, or right after it, that a name is
/// needed there: the parser takes the next word for it, of whatever line.
static void describeUnfinishedName(Diagnostic &error, const Syntax &syntax) {
  auto isUnfinished = [&](size_t index) {
    const Token &token = syntax.tokens()[index];
    return token.isAny<Token::Bang, Token::Hash>() &&
           syntax.text(token).ends_with(".");
  };
  size_t index = syntax.tokenAfter(error.span.begin);
  if (index == syntax.tokens().size() || !isUnfinished(index)) {
    bool isForHole = StringRef(error.message).contains("'kernelscope.hole'");
    if (index == 0 || !isUnfinished(index - 1) ||
        (!isForHole && syntax.tokens()[index - 1].end != error.span.begin))
      return;
    --index;
  }
  const Token &token = syntax.tokens()[index];
  error.span = token.span();
  error.code = "syntax";
  error.message =
      ("expected the name of " +
       StringRef(token.kind == Token::Bang ? "a type" : "an attribute") +
       " after '" + syntax.text(token) + "'")
          .str();
  error.fixes.clear();
}

/// Moves an error that ends in the type found, "... but it is 'f32'", from the
/// op's name to where the statement writes that type.
static void tellAtType(Diagnostic &error, const Syntax &syntax) {
  StringRef type = StringRef(error.message).split(", but it is '").second;
  const SyntaxId id = syntax.statementAt(error.span.begin);
  if (!type.consume_back("'") || id == noSyntax ||
      syntax.statement(id).name.begin != error.span.begin)
    return;
  const Span rest = {error.span.end, syntax.statement(id).span.end};
  const size_t at = syntax.text(rest).find(type);
  if (at != StringRef::npos)
    error.span = {rest.begin + at, rest.begin + at + type.size()};
}

void FragmentReports::addParseError(const ParseError &error, Span span,
                                    const PatchedText &patched) {
  Diagnostic diagnostic;
  diagnostic.span = parameterIn(error.message, span);
  diagnostic.message = error.message;
  classifyParseError(diagnostic, context);
  describeMisspelling(diagnostic, syntax);
  describeCharacter(diagnostic, syntax.text());
  tellAtValue(diagnostic, syntax);
  diagnostic.message = withAliases(sayPlainly(diagnostic.message), syntax);
  tellAtType(diagnostic, syntax);
  describeUnfinishedName(diagnostic, syntax);
  for (const auto &[offset, message] : error.notes) {
    if (StringRef(message).starts_with("Available dialects"))
      continue;
    Span place = wordAt(patched.toSource(offset));
    size_t next = syntax.tokenAfter(place.end);
    bool isDefinition =
        next < syntax.tokens().size() &&
        llvm::is_contained({"=", ":"}, syntax.text(syntax.tokens()[next]));
    diagnostic.related.push_back({place, std::nullopt,
                                  message != "prior use here"
                                      ? sayPlainly(message)
                                  : isDefinition ? "it is defined here"
                                                 : "it is used before here"});
  }
  add(std::move(diagnostic));
}

void FragmentReports::addParseError(const ParseError &error, size_t offset,
                                    const Culprit &culprit,
                                    const PatchedText &patched) {
  Span allowed =
      culprit.tail ? *culprit.tail : syntax.statement(culprit.statement).span;
  // A statement that ran on into the next one is wrong at its end, or before
  // its location, which the parser does not see.
  if (offset >= allowed.end) {
    auto location = llvm::find_if(
        request.locations, [&](Span one) { return one.end == allowed.end; });
    offset =
        location == request.locations.end() ? allowed.end - 1 : location->begin;
  }
  offset = std::max(offset, allowed.begin);
  size_t token = syntax.tokenAfter(offset);
  addParseError(error,
                token < syntax.tokens().size() ? syntax.tokens()[token].span()
                                               : Span{offset, allowed.end},
                patched);
}

void FragmentReports::addRemark(const ParseError &error,
                                const PatchedText &patched) {
  Diagnostic diagnostic;
  Span place = wordAt(patched.toSource(error.offset));
  // "layout has an unknown entry 'foo', which is ignored".
  StringRef quoted = StringRef(error.message).split('\'').second;
  diagnostic.span = parameterIn(quoted.split('\'').first, place);
  diagnostic.severity = severityOf(error.severity);
  diagnostic.code = "syntax";
  diagnostic.message = error.message;
  add(std::move(diagnostic));
}

void FragmentReports::addUndeclared(const Token &use,
                                    std::optional<Span> elsewhere) {
  Diagnostic diagnostic;
  diagnostic.span = use.span();
  diagnostic.code = "undeclared-value";
  StringRef name = syntax.text(use);
  if (elsewhere) {
    diagnostic.message = ("'" + name + "' is not visible here").str();
    diagnostic.related.push_back(
        {elsewhere, std::nullopt, "it is defined here, in another region"});
  } else {
    diagnostic.message = ("nothing defines '" + name + "'").str();
    suggestValue(diagnostic, syntax, request.statement);
  }
  add(std::move(diagnostic));
}

void FragmentReports::addIndexArray(Span element) {
  Diagnostic diagnostic;
  diagnostic.span = element;
  diagnostic.code = "syntax";
  diagnostic.message = "the elements of an 'array<...>' must be integers or "
                       "floats of whole bytes, not 'index'";
  diagnostic.fixes.push_back({"Change to 'i64'", {{element, "i64"}}});
  add(std::move(diagnostic));
}

void FragmentReports::addTooDeep(const Token &bracket) {
  Diagnostic diagnostic;
  diagnostic.span = bracket.span();
  diagnostic.code = "syntax";
  diagnostic.message =
      "brackets nest deeper than " + std::to_string(deepestNesting) + " here";
  add(std::move(diagnostic));
}

void FragmentReports::addRedefinition(Span name, Span first) {
  Diagnostic diagnostic;
  diagnostic.span = name;
  diagnostic.code = "redefinition";
  diagnostic.message = ("'" + syntax.text(name) + "' is defined twice").str();
  diagnostic.related.push_back(
      {first, std::nullopt, "it is defined here first"});
  add(std::move(diagnostic));
}

void FragmentReports::addTooManyResults(const Token &number) {
  Diagnostic diagnostic;
  diagnostic.span = number.span();
  diagnostic.code = "syntax";
  diagnostic.message = "a name can stand for at most " +
                       std::to_string(mostResults) + " results, not " +
                       syntax.text(number).str();
  add(std::move(diagnostic));
}

/// Whether a token can be the name of a mark.
static bool mayBeMark(const Token &token) {
  return token.isAny<Token::Identifier, Token::String>();
}

void FragmentReports::addUnknownMark(size_t index) {
  const Token &token = syntax.tokens()[index];
  bool isQuoted = token.kind == Token::String;
  if (syntax.text().substr(token.begin + isQuoted).starts_with("tt") &&
      index + 1 < syntax.tokens().size() &&
      syntax.text(syntax.tokens()[index + 1]) == "=")
    suggestMark(reports, token, syntax);
}

void FragmentReports::addUnknownMarks() {
  for (const FragmentRequest::Part &part : request.parts)
    if (part.statement != noSyntax &&
        syntax.statement(part.statement).kind == Statement::Operation) {
      auto [first, last] = syntax.tokensIn(part.span);
      for (size_t i = first; i < last; ++i)
        if (mayBeMark(syntax.tokens()[i]))
          addUnknownMark(i);
    }
}

void FragmentReports::addUnknownNames() {
  if (request.statement == noSyntax)
    return addUnknownMarks();
  const Statement &statement = syntax.statement(request.statement);
  llvm::SmallVector<StringRef> known;
  const llvm::ArrayRef<Token> tokens = syntax.tokens();
  const size_t end = statement.endToken;
  for (size_t i = statement.firstToken; i < end; ++i) {
    const Token &token = tokens[i];
    if (!token.isAny<Token::Hash, Token::Bang, Token::Identifier,
                     Token::String>())
      continue;
    if (mayBeMark(token)) {
      addUnknownMark(i);
      continue;
    }
    StringRef word = syntax.text(token).drop_front();
    StringRef space = word.take_front(word.find('.'));
    if (space.size() == word.size() || llvm::is_contained(known, space) ||
        llvm::any_of(respelt, [&](const TextEdit &edit) {
          return token.begin <= edit.span.end && edit.span.begin <= token.end;
        }))
      continue;
    if (isKnownDialect(context, space)) {
      known.push_back(space);
      continue;
    }
    Diagnostic diagnostic;
    diagnostic.span = token.span();
    diagnostic.code = "unknown-dialect";
    diagnostic.message =
        ("unknown dialect '" + space + "' of " +
         (token.kind == Token::Bang ? "type '" : "attribute '") +
         syntax.text(token) + "'")
            .str();
    add(std::move(diagnostic));
  }
}

const std::vector<TextEdit> &FragmentReports::addSpellings(Evidence &evidence) {
  for (const FragmentRequest::Part &part : request.parts) {
    bool isSkeleton = request.statement == noSyntax;
    if (part.span.empty() || part.statement == noSyntax)
      continue;
    bool isOwn = isSkeleton || part.statement == request.statement;
    // The skeleton has rewritten aliases and the headers of modules.
    const Statement &statement = syntax.statement(part.statement);
    if (!isOwn &&
        (statement.kind != Statement::Operation ||
         statement.span.contains(syntax.statement(request.statement).span)))
      continue;
    for (const Respelling &spelling : findRespellings(
             syntax, part.span, context, isOwn ? &evidence : nullptr)) {
      if (isOwn && !spelling.message.empty())
        add(toHint(spelling));
      if (!spelling.isRead)
        llvm::append_range(respelt, spelling.edits);
    }
  }
  // Overlaps stay: recovery may take out the statement of the first of two.
  respelt = inOrder(std::move(respelt));
  return respelt;
}
