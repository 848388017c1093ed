//===- AttributeErrors.cpp - errors about a module's attributes -----------===//

#include "server/analysis/AttributeErrors.h"

#include "server/analysis/PlainWords.h"
#include "server/analysis/TypeSets.h"
#include "server/analysis/spellings/Site.h"

using namespace kernelscope;
using llvm::StringRef;

void kernelscope::tellAtAttribute(Diagnostic &error, const Syntax &syntax,
                                  mlir::MLIRContext &context) {
  if (error.code != "verify.builtin.module")
    return;
  const spelling::Site site(syntax, context,
                            syntax.tokenAfter(error.span.begin));
  const size_t end = site.opEnd();
  const size_t open = site.find("{", site.at + 1, end);
  const auto attributes = open < end ? site.inside(open) : std::nullopt;
  if (!attributes)
    return;
  StringRef message = error.message;
  for (auto [first, last] : site.split(attributes->first, attributes->second)) {
    StringRef name = site.text(first).trim('"');
    if (message.contains((name + " = ").str()) ||
        message.contains((name + "' = ").str())) {
      error.span = site.span(first, last);
      return;
    }
  }
}

/// Where the value that begins at token `first` ends: before the next `,` or
/// closing bracket outside its own brackets.
static size_t endOfValue(const Syntax &syntax, size_t first, size_t end) {
  int depth = 0;
  size_t i = first;
  for (; i < end; ++i) {
    StringRef text = syntax.text(syntax.tokens()[i]);
    if (depth == 0 && (text == "," || text == "}" || text == ">"))
      break;
    if (text == "<" || text == "{" || text == "[" || text == "(")
      ++depth;
    else if (text == ">" || text == "}" || text == "]" || text == ")")
      --depth;
  }
  return i;
}

/// The values of the attribute `name` of `op`, if it is an enumeration.
static std::string choicesOf(StringRef op, StringRef name) {
  if (const Doc *doc = findDoc(DocKind::Op, op.trim('"')))
    for (const SignatureEntry &entry : readSignature(*doc))
      if (entry.kind == "attribute" && entry.name == name)
        return sayChoices(entry);
  return "";
}

void kernelscope::tellAtValue(Diagnostic &error, const Syntax &syntax) {
  auto [before, after] = StringRef(error.message).split("attribute '");
  auto [name, rest] = after.split("' failed to satisfy constraint: ");
  const SyntaxId id = syntax.statementAt(error.span.begin);
  if (rest.empty() || id == noSyntax)
    return;
  const std::vector<Token> &tokens = syntax.tokens();
  const size_t end = syntax.statement(id).endToken;
  for (size_t i = syntax.statement(id).firstToken; i + 2 < end; ++i) {
    if (syntax.text(tokens[i]).trim('"') != name ||
        syntax.text(tokens[i + 1]) != "=")
      continue;
    const size_t last = endOfValue(syntax, i + 2, end) - 1;
    if (last < i + 2)
      return;
    const Span value = {tokens[i + 2].begin, tokens[last].end};
    std::string needed =
        choicesOf(syntax.text(syntax.statement(id).name), name);
    error.message =
        needed.empty()
            ? sayPlainly((before + "attribute '" + name + "' is '" +
                          syntax.text(value) +
                          "', which failed to satisfy constraint: " + rest)
                             .str())
            : (before + "attribute '" + name + "' is '" + syntax.text(value) +
               "'; it must be " + needed)
                  .str();
    error.span = value;
    return;
  }
}
