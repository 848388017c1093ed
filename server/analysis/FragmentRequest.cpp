//===- FragmentRequest.cpp - what to parse for one unit -------------------===//

#include "server/analysis/FragmentRequest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

std::vector<Unit::Piece> FragmentRequest::pieces() const {
  std::vector<Unit::Piece> pieces;
  size_t local = 0;
  for (const Part &part : parts) {
    if (part.span.empty())
      continue;
    pieces.push_back({part.span, local});
    local += part.span.size() + 1;
  }
  return pieces;
}

std::string FragmentRequest::key(const Syntax &syntax) const {
  std::string key(verify ? "v" : "-");
  for (const Part &part : parts) {
    if (part.span.empty())
      key += part.literal;
    else
      key += syntax.text(part.span);
    key += '\0';
    if (part.statement == statement)
      key += '\1';
  }
  for (const Patch &patch : patches)
    for (const Patch::Insertion &insertion : patch.insertions)
      key += insertion.text;
  return key;
}

bool FragmentRequest::owns(const Syntax &syntax, SyntaxId id) const {
  return statement == noSyntax ||
         syntax.statement(statement).span.contains(syntax.statement(id).span);
}

std::string kernelscope::placeholderFor(StringRef alias, bool isLocation) {
  if (alias.starts_with("!"))
    return " = none";
  // As MLIR names location aliases.
  StringRef number = alias;
  if (number.consume_front("#loc") && llvm::all_of(number, llvm::isDigit))
    isLocation = true;
  return isLocation ? " = loc(unknown)" : (" = \"" + unknownValue + "\"").str();
}
