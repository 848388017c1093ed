//===- AttributeCompletion.cpp - words and keys of an op ------------------===//

#include "server/features/AttributeCompletion.h"

#include "server/analysis/TypeSets.h"
#include "server/features/PredicateText.h"

using namespace kernelscope;
using llvm::StringRef;

static void addChoice(std::vector<CompletionItem> &items,
                      const CompletionPlace &place,
                      const SignatureEntry::Choice &choice, StringRef spelling,
                      const SignatureEntry &entry) {
  if (!choice.word.starts_with(place.prefix))
    return;
  const Doc *op = place.operationDoc();
  StringRef predicate = op ? predicateText(op->name, choice.word) : "";
  items.push_back(
      {choice.word.str(), CompletionKind::Keyword,
       predicate.empty() ? sayTypes(entry.constraint) : predicate.str(), "",
       spelling.str(), false, ""});
}

std::optional<std::vector<CompletionItem>>
kernelscope::choicesAt(const CompletionPlace &place,
                       llvm::ArrayRef<SignatureEntry> entries) {
  StringRef head = place.before.rtrim();
  if (!head.ends_with("=") && !head.ends_with("<"))
    return std::nullopt;
  char end = head.back();
  head = head.drop_back().rtrim();
  StringRef key = head.take_back(
      head.size() - (head.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") +
                     1));
  bool isKey = end == '=' && place.isInDictionary();
  for (const SignatureEntry &entry : entries) {
    bool isMeant = isKey ? entry.name == key
                         : entry.introducer == (key + llvm::Twine(end)).str();
    if (!isMeant || entry.choices.empty())
      continue;
    std::vector<CompletionItem> items;
    for (const auto &choice : entry.choices)
      addChoice(items, place, choice, isKey ? choice.spelling : choice.word,
                entry);
    return items;
  }
  return std::nullopt;
}

std::vector<CompletionItem>
kernelscope::keywordsAt(const CompletionPlace &place,
                        llvm::ArrayRef<SignatureEntry> entries) {
  std::vector<CompletionItem> items;
  SyntaxId id = place.currentStatement();
  if (id == noSyntax)
    return items;
  size_t name = place.syntax.statement(id).name.end;
  if (name > place.span.begin)
    return items;
  size_t commas = place.text.substr(name, place.span.begin - name).count(',');
  for (const SignatureEntry &entry : entries) {
    StringRef word = entry.introducer;
    if (word == ("@" + llvm::Twine(commas)).str()) {
      for (const auto &choice : entry.choices)
        addChoice(items, place, choice, choice.word, entry);
    } else if (word.consume_back("=") && word.starts_with(place.prefix)) {
      items.push_back({word.str(), CompletionKind::Attribute,
                       sayTypes(entry.constraint), "", (word + " = ").str(),
                       false, ""});
    } else if (word.consume_back("<") && word.starts_with(place.prefix)) {
      items.push_back({word.str(), CompletionKind::Attribute,
                       sayTypes(entry.constraint), "", (word + "<$1>").str(),
                       true, ""});
    }
  }
  return items;
}

std::vector<CompletionItem>
kernelscope::keysAt(const CompletionPlace &place,
                    llvm::ArrayRef<SignatureEntry> entries) {
  std::vector<CompletionItem> items;
  StringRef inside = place.isInDictionary()
                         ? place.before.substr(place.openBrace())
                         : StringRef();
  for (const SignatureEntry &entry : entries)
    if ((entry.kind == "attribute" || entry.kind == "parameter") &&
        entry.name.starts_with(place.prefix) &&
        !inside.contains((entry.name + " =").str()))
      items.push_back({entry.name.str(), CompletionKind::Attribute,
                       sayTypes(entry.constraint), "",
                       (entry.name + " = ").str(), false, ""});
  return items;
}
