//===- AttributeCompletion.cpp - words and keys of an op ------------------===//

#include "server/features/AttributeCompletion.h"

#include "dialects/target/Target.h"
#include "server/analysis/Marks.h"
#include "server/analysis/TypeSets.h"
#include "server/features/LayoutSnippet.h"
#include "server/features/WordMeaning.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

static void addChoice(std::vector<CompletionItem> &items,
                      const CompletionPlace &place,
                      const SignatureEntry::Choice &choice, StringRef spelling,
                      const SignatureEntry &entry) {
  if (!choice.word.starts_with(place.prefix))
    return;
  const Doc *op = place.operationDoc();
  StringRef meaning = op ? meaningOf(op->name, choice.word) : "";
  items.push_back({choice.word.str(), CompletionKind::Keyword,
                   meaning.empty() ? sayTypes(entry.constraint) : meaning.str(),
                   "", spelling.str(), false, ""});
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

/// The values that the text has for `key`, in layouts or elsewhere.
static std::vector<StringRef> valuesInText(StringRef text, StringRef key,
                                           bool isOfLayout, Span exceptAt) {
  constexpr size_t most = 8, mostSeen = 10000;
  std::vector<StringRef> values;
  size_t at = text.find(key);
  for (size_t seen = 0;
       at != StringRef::npos && values.size() < most && seen < mostSeen;
       ++seen, at = text.find(key, at + 1)) {
    StringRef rest = text.drop_front(at + key.size());
    bool isWord = at == 0 || !isWordPart(text[at - 1]);
    rest.consume_front("\"");
    if (!isWord || !rest.consume_front(" = "))
      continue;
    // A layout's braces follow its name directly.
    size_t brace = text.take_front(at).rfind('{');
    bool isInLayout = brace != StringRef::npos && brace >= 2 &&
                      text[brace - 1] == '<' && isWordPart(text[brace - 2]);
    StringRef value = leadingValue(rest).trim();
    size_t begin = rest.begin() - text.begin();
    bool isBeingTyped = exceptAt.touches(begin);
    if (!value.empty() && !isBeingTyped && isInLayout == isOfLayout &&
        !llvm::is_contained(values, value))
      values.push_back(value);
  }
  return values;
}

/// A value that the key may have where the file shows none.
static std::vector<std::string> examplesOf(StringRef key, const Doc *layout,
                                           const SignatureEntry *entry) {
  if (layout)
    return {exampleOfKey(*layout, key)};
  if (key == "ttg.target") {
    std::vector<std::string> targets;
    for (const Target &target : knownArchs())
      targets.push_back("\"" + target.moduleTarget() + "\"");
    return targets;
  }
  for (const Mark &mark : allMarks())
    if (mark.name == key)
      return mark.example == "true" || mark.example == "false"
                 ? std::vector<std::string>{"true", "false"}
                 : std::vector<std::string>{mark.example.str()};
  // "an i32, such as 1 : i32"
  if (entry)
    return {
        StringRef(sayTypes(entry->constraint)).split("such as ").second.str()};
  return {};
}

std::vector<CompletionItem>
kernelscope::valuesOfKeyAt(const CompletionPlace &place,
                           llvm::ArrayRef<SignatureEntry> entries) {
  StringRef key = place.keyBefore();
  const Doc *layout = place.enclosingLayout();
  const SignatureEntry *entry =
      llvm::find_if(entries, [&](const SignatureEntry &entry) {
        return entry.name == key && entry.kind != "operand";
      });
  if (entry == entries.end())
    entry = nullptr;
  std::vector<CompletionItem> items;
  auto add = [&](StringRef value, StringRef detail) {
    bool isNew = llvm::none_of(
        items, [&](const CompletionItem &item) { return item.label == value; });
    StringRef typed = value;
    if (place.isQuotedValue && !typed.consume_front("\""))
      return;
    if (isNew && !value.empty() && typed.starts_with(place.prefix))
      items.push_back({value.str(), CompletionKind::Keyword, detail.str(), "",
                       "", false, ""});
  };
  for (StringRef value :
       valuesInText(place.text, key, layout != nullptr, place.span))
    add(value, "in this file");
  for (const std::string &example : examplesOf(key, layout, entry))
    add(example, "");
  return items;
}

std::vector<CompletionItem> kernelscope::constantsAt() {
  constexpr CompletionKind kind = CompletionKind::Keyword;
  return {{"dense", kind, "one value for all elements", "", "dense<${1:0}>",
           true, ""},
          {"true", kind, "an i1", "", "", false, ""},
          {"false", kind, "an i1", "", "", false, ""},
          {"0 : i32", kind, "an integer", "", "${1:0} : ${2:i32}", true, ""},
          {"0.0 : f32", kind, "a float", "", "${1:0.0} : ${2:f32}", true, ""}};
}

std::optional<std::vector<CompletionItem>>
kernelscope::marksAt(const CompletionPlace &place) {
  std::optional<Mark::Place> kind = place.markPlace();
  if (!kind)
    return std::nullopt;
  std::vector<CompletionItem> items;
  for (const Mark &mark : allMarks())
    if (mark.place == *kind && mark.name.starts_with(place.prefix) &&
        !place.before.contains(mark.key() + " ="))
      items.push_back(
          {mark.name.str(), CompletionKind::Attribute,
           StringRef(mark.text).split('\n').first.str(), mark.text.str(),
           mark.key() + " = ${1:" + mark.example.str() + "}", true, ""});
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
