//===- SignatureHelp.cpp - the syntax of the op at the cursor -------------===//

#include "server/features/SignatureHelp.h"

#include "server/analysis/TypeSets.h"
#include "server/features/OpSyntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

/// A region shows as `{...}`.
static std::string onOneLine(StringRef words) {
  size_t brace = words.find("{\n");
  if (brace == StringRef::npos)
    return words.str();
  size_t end = words.find("\n}", brace);
  std::string line = (words.take_front(brace) + "{...}").str();
  return end == StringRef::npos ? line
                                : line + onOneLine(words.drop_front(end + 2));
}

std::optional<SignatureHelp>
kernelscope::signatureHelp(const Document &document, size_t offset) {
  const Syntax &syntax = document.syntax();
  SyntaxId id = operationAt(syntax, offset);
  if (id == noSyntax)
    return std::nullopt;
  const Statement &statement = syntax.statement(id);
  if (statement.kind != Statement::Operation || offset <= statement.name.end)
    return std::nullopt;
  const Doc *doc = findDoc(DocKind::Op, syntax.text(statement.name).trim('"'));
  if (!doc || doc->syntax.empty())
    return std::nullopt;
  // What looks like a region of an op without any is an open dictionary.
  bool isInRegion =
      hasRegion(*doc) && llvm::any_of(statement.regions, [&](SyntaxId region) {
        return syntax.region(region).body.begin <= offset;
      });
  if (isInRegion)
    return std::nullopt;

  SignatureHelp help;
  help.documentation = doc->summary.str();
  std::vector<SyntaxPart> parts = readSyntax(*doc);
  std::vector<SignatureEntry> entries = readSignature(*doc);
  std::optional<size_t> due = stopAt(parts, syntax, statement, offset);
  unsigned depth = 0;
  for (auto [index, part] : llvm::enumerate(parts)) {
    std::string text = part.isStop() ? part.text.str() : onOneLine(part.text);
    for (; depth < part.depth; ++depth) {
      // The space before an optional part stays outside.
      if (StringRef(text).starts_with(" ")) {
        help.label += " ";
        text.erase(0, 1);
      }
      help.label += "[";
    }
    for (; depth > part.depth; --depth)
      help.label += "]";
    Span span = {help.label.size(), help.label.size() + text.size()};
    help.label += text;
    if (!part.isStop())
      continue;
    auto entry = llvm::find_if(entries, [&](const SignatureEntry &entry) {
      return entry.name == part.subject();
    });
    if (due == index)
      help.active = help.parameters.size();
    help.parameters.push_back(
        {span, entry == entries.end() ? "" : sayConstraint(*entry)});
  }
  help.label += std::string(depth, ']');
  return help;
}
