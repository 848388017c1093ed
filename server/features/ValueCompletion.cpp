//===- ValueCompletion.cpp - values and their types -----------------------===//

#include "server/features/ValueCompletion.h"

#include "server/features/ScopeValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

/// Whether `line` has the word `%x`, not only one that begins like it.
static bool namesWord(StringRef line, StringRef word) {
  for (size_t at = line.find(word); at != StringRef::npos;
       at = line.find(word, at + 1))
    if (at + word.size() >= line.size() || !isWordPart(line[at + word.size()]))
      return true;
  return false;
}

/// The type of the op's last operand before the cursor; null if there is none.
static mlir::Type operandBefore(const CompletionPlace &place,
                                llvm::ArrayRef<ScopeValue> values) {
  SyntaxId id = place.currentStatement();
  if (id == noSyntax)
    return nullptr;
  const Syntax &syntax = place.syntax;
  size_t name = syntax.tokenAfter(syntax.statement(id).name.end);
  for (size_t i = syntax.tokenAfter(place.span.begin); i > name; --i) {
    const Token &token = syntax.tokens()[i - 1];
    if (token.kind != Token::Value)
      continue;
    for (const ScopeValue &value : values)
      if (value.name == syntax.text(token))
        return value.type;
  }
  return nullptr;
}

std::vector<CompletionItem>
kernelscope::valuesAt(const CompletionPlace &place) {
  std::vector<ScopeValue> values = valuesInScope(place.document, place.offset);
  // An op does not use its own results.
  StringRef results =
      place.before.contains('=') ? place.before.split('=').first : "";
  llvm::erase_if(values, [&](const ScopeValue &value) {
    return namesWord(results, value.name);
  });
  mlir::Type previous = operandBefore(place, values);
  std::optional<SignatureEntry> due = place.due();
  StringRef constraint = due && due->kind == "operand" ? due->constraint : "";
  auto fits = [&](const ScopeValue &value) {
    return fitsConstraint(value.type, constraint);
  };
  if (llvm::any_of(values, fits))
    llvm::erase_if(values,
                   [&](const ScopeValue &value) { return !fits(value); });
  std::vector<CompletionItem> items;
  for (unsigned wanted = mostLikeness + 1; wanted-- > 0;)
    for (const ScopeValue &value : values)
      if (likeness(value.type, previous) == wanted)
        items.push_back({value.name, CompletionKind::Value, value.typeText, "",
                         "", false, ""});
  return items;
}

std::vector<CompletionItem>
kernelscope::typesInUse(const CompletionPlace &place) {
  constexpr size_t most = 12;
  std::vector<CompletionItem> items;
  std::vector<ScopeValue> values = valuesInScope(place.document, place.offset);
  if (std::optional<SignatureEntry> due = place.due())
    llvm::erase_if(values, [&](const ScopeValue &value) {
      return !fitsConstraint(value.type, due->constraint);
    });
  for (bool isNamed : {true, false})
    for (const ScopeValue &value : values)
      if (!value.typeText.empty() && items.size() < most &&
          StringRef(value.typeText).starts_with(place.prefix) &&
          namesWord(place.before, value.name) == isNamed &&
          llvm::none_of(items, [&](const CompletionItem &item) {
            return item.label == value.typeText;
          }))
        items.push_back({value.typeText, CompletionKind::Type,
                         "type of " + value.name, "", "", false, ""});
  return items;
}
