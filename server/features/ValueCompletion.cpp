//===- ValueCompletion.cpp - values and their types -----------------------===//

#include "server/features/ValueCompletion.h"

#include "server/analysis/Unit.h"
#include "server/analysis/Verifier.h"
#include "server/features/ScopeValues.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

/// The types that the function around a half-typed return has to return; none
/// at other ops.
static std::optional<mlir::TypeRange>
returnedTypes(const CompletionPlace &place) {
  const Doc *op = place.operationDoc();
  bool isReturn = op && (op->name == "tt.return" || op->name == "func.return");
  const Unit *unit = place.document.unitAt(place.offset);
  if (!isReturn || !unit || !unit->fragment->isParsed)
    return std::nullopt;
  for (const auto &definition : unit->ops())
    if (auto function =
            llvm::dyn_cast<mlir::FunctionOpInterface>(definition.op);
        function && verifies(function))
      return mlir::TypeRange(function.getResultTypes());
  return std::nullopt;
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
  if (std::optional<mlir::TypeRange> types = returnedTypes(place)) {
    size_t index = place.before.count(',');
    llvm::erase_if(values, [&](const ScopeValue &value) {
      return index >= types->size() || value.type != (*types)[index];
    });
  }
  mlir::Type previous = operandBefore(place, values);
  std::optional<SignatureEntry> due = place.due();
  StringRef constraint = due && due->kind == "operand" ? due->constraint : "";
  auto fits = [&](const ScopeValue &value) {
    return fitsConstraint(value.type, constraint);
  };
  if (llvm::any_of(values, fits))
    llvm::erase_if(values,
                   [&](const ScopeValue &value) { return !fits(value); });
  // An i1 is an integer, too, but is a mask.
  const bool wantsNumbers = constraint.contains("integer");
  auto isOdd = [&](const ScopeValue &value) {
    return wantsNumbers && value.type &&
           mlir::getElementTypeOrSelf(value.type).isInteger(1);
  };
  std::vector<CompletionItem> items;
  for (bool odd : {false, true})
    for (unsigned wanted = mostLikeness + 1; wanted-- > 0;)
      for (const ScopeValue &value : values)
        if (isOdd(value) == odd && likeness(value.type, previous) == wanted)
          items.push_back({value.name, CompletionKind::Value, value.typeText,
                           "", "", false, ""});
  return items;
}

std::vector<CompletionItem>
kernelscope::typesInUse(const CompletionPlace &place, StringRef owner) {
  constexpr size_t most = 12;
  std::vector<CompletionItem> items;
  std::vector<ScopeValue> values = valuesInScope(place.document, place.offset);
  if (std::optional<SignatureEntry> due = place.due())
    llvm::erase_if(values, [&](const ScopeValue &value) {
      return !fitsConstraint(value.type, due->constraint);
    });
  // Those of the op's own values come first, after them tensors of the scalar
  // that it has.
  mlir::Type operand = operandBefore(place, values);
  auto rank = [&](const ScopeValue &value) {
    if (namesWord(place.before, value.name))
      return 0;
    bool isOfOperand = operand && value.type &&
                       mlir::getElementTypeOrSelf(value.type) == operand;
    return isOfOperand ? 1 : 2;
  };
  auto isMeant = [&](StringRef type) {
    return owner.empty() ? type.starts_with(place.prefix)
                         : type.ltrim('!').starts_with((owner + "<").str());
  };
  for (int wanted : {0, 1, 2})
    for (const ScopeValue &value : values)
      if (!value.typeText.empty() && items.size() < most &&
          isMeant(value.typeText) && rank(value) == wanted &&
          llvm::none_of(items, [&](const CompletionItem &item) {
            return item.label == value.typeText;
          }))
        items.push_back({value.typeText, CompletionKind::Type,
                         "type of " + value.name, "", "", false, ""});
  return items;
}
