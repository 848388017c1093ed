//===- Completion.cpp - what may be typed here ----------------------------===//
//
// The line at the cursor is half-typed, so only the words around it decide
// what is offered; types of values come from the IR of the statements around.
//
//===----------------------------------------------------------------------===//

#include "server/features/Completion.h"

#include "passes/lint/Lint.h"
#include "server/features/AttributeCompletion.h"
#include "server/features/CompletionPlace.h"
#include "server/features/LayoutSnippet.h"
#include "server/features/Name.h"
#include "server/features/OpSnippet.h"
#include "server/features/TypeCompletion.h"
#include "server/features/ValueCompletion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace kernelscope;
using llvm::StringRef;

namespace {

class Completer : CompletionPlace {
public:
  using CompletionPlace::CompletionPlace;

  CompletionList run() {
    list.span = span;
    if (addCodes() || isInsideTextOrComment())
      return std::move(list);
    switch (sigil) {
    case '%':
      addAll(valuesAt(*this));
      break;
    case '@':
      addSymbols();
      break;
    case '^':
      addBlocks();
      break;
    case '#':
      addHashes();
      break;
    case '!':
      addTypesInUse();
      addAliases();
      addAll(dialectTypesAt(*this, ""));
      break;
    default:
      addWords();
    }
    for (auto [index, item] : llvm::enumerate(list.items)) {
      std::string number = std::to_string(index);
      item.sortText =
          std::string(6 - std::min<size_t>(6, number.size()), '0') + number;
    }
    return std::move(list);
  }

private:
  /// The codes of warnings, after `// kernelscope: allow(`.
  bool addCodes() {
    StringRef head = before;
    size_t comment = head.find("//");
    size_t open = head.rfind("allow(");
    if (comment == StringRef::npos || open == StringRef::npos ||
        open < comment || !head.contains("kernelscope:") ||
        head.drop_front(open).contains(')'))
      return false;
    auto addCode = [&](StringRef code) {
      if (code.starts_with(prefix))
        add({code.str(), CompletionKind::Keyword, "", "", "", false, ""});
    };
    for (const Lint &lint : lints)
      addCode(lint.code);
    addCode("older-spelling");
    addCode("newer-spelling");
    return true;
  }

  void add(CompletionItem item) {
    if (item.newText.empty())
      item.newText = item.label;
    if (seen.insert(item.label).second)
      list.items.push_back(std::move(item));
  }

  void addWords() {
    if (isAtOperation() || isQuoted)
      return addOperations();
    if (addAliasValue() || addLocations())
      return;
    if (auto marks = marksAt(*this))
      return addAll(std::move(*marks));
    const Doc *layout = enclosingLayout();
    const Doc *doc = layout ? layout : operationDoc();
    auto entries = doc ? readSignature(*doc) : std::vector<SignatureEntry>();
    if (auto choices = choicesAt(*this, entries))
      return addAll(std::move(*choices));
    if (!keyBefore().empty())
      return addKeyValue(entries);
    if (isInDictionary() || isInOpenDictionary())
      return addAll(keysAt(*this, entries));
    if (addTypeParameter())
      return;
    if (isAtType())
      return addTypes();
    if (std::optional<SignatureEntry> next = due(); next && prefix.empty()) {
      if (next->kind == "operand")
        addAll(valuesAt(*this));
      else if (next->constraint.contains("symbol reference"))
        addSymbols();
      else if (next->constraint == "TypedAttr instance")
        addAll(constantsAt());
    }
    addAll(keywordsAt(*this, entries));
  }

  void addKeyValue(llvm::ArrayRef<SignatureEntry> entries) {
    bool isLayoutDue = llvm::any_of(entries, [&](const SignatureEntry &entry) {
      return entry.name == keyBefore() && entry.constraint == "layout";
    });
    if (isLayoutDue) {
      sigil = '#';
      return addHashes();
    }
    addAll(valuesOfKeyAt(*this, entries));
  }

  /// After `tensor<`, `memdesc<` and the like: shapes in use, an element, a
  /// layout, a memory.
  bool addTypeParameter() {
    std::optional<TypeSlot> slot = typeSlot();
    bool isKnown =
        slot && (slot->isTensor() || slot->isBuffer() || slot->isDescriptor());
    if (!isKnown)
      return false;
    if (slot->commas == 0) {
      addAll(contentsAt(*this, *slot));
    } else if (slot->isBuffer() && slot->commas > 2) {
      if (StringRef("mutable").starts_with(prefix))
        add({"mutable", CompletionKind::Keyword, "the buffer may be written",
             "", "", false, ""});
    } else {
      sigil = '#';
      addHashes();
    }
    return true;
  }

  void addAll(std::vector<CompletionItem> items) {
    for (CompletionItem &item : items)
      add(std::move(item));
  }

  void addOperations() {
    auto [dialect, rest] = prefix.split('.');
    bool hasDialect = prefix.contains('.');
    // `t` finds ops whose short name begins with it, `tt.` those of `tt`.
    list.mayGrow = !hasDialect;
    OpSnippets snippets(document, span.begin, before.trim().empty());
    llvm::StringSet<> used = dialectsInUse();
    // A kernel for one vendor seldom needs the other's ops.
    for (bool isUsed : {true, false})
      for (const Doc &doc : getDocs()) {
        auto [space, name] = StringRef(doc.name).split('.');
        if (doc.kind != DocKind::Op || used.contains(space) != isUsed)
          continue;
        if (!hasDialect && space.starts_with(prefix))
          add({space.str(), CompletionKind::Dialect, "dialect", "",
               (isQuoted ? "\"" : "") + space.str() + ".", false, ""});
        // `load` finds `tt.load` too.
        bool fits = hasDialect ? space == dialect && name.starts_with(rest)
                               : !prefix.empty() && name.starts_with(prefix);
        if (fits)
          add({doc.name.str(), CompletionKind::Operation, doc.summary.str(),
               doc.description.str(), snippets(doc), true, ""});
      }
    if (!hasDialect && StringRef("module").starts_with(prefix))
      add({"module", CompletionKind::Operation, "", "", "module {\n  $0\n}",
           true, ""});
  }

  /// Of all ops but the one at the cursor.
  llvm::StringSet<> dialectsInUse() const {
    llvm::StringSet<> used;
    for (const Statement &statement : syntax.statements())
      if (statement.kind == Statement::Operation &&
          !statement.name.touches(span.begin))
        used.insert(syntax.text(statement.name).ltrim('"').split('.').first);
    return used;
  }

  /// Behind `#name =` and `!name =`.
  bool addAliasValue() {
    auto [head, rest] = before.split('=');
    head = head.trim();
    bool isAlias = (head.starts_with("#") || head.starts_with("!")) &&
                   before.contains('=') && rest.trim().empty() &&
                   !head.contains(' ');
    if (!isAlias)
      return false;
    sigil = head.front();
    if (sigil == '!') {
      addAll(builtinTypesAt(*this, ""));
      addAll(dialectTypesAt(*this, ""));
      return true;
    }
    bool isLocation = head.starts_with("#loc");
    if (isLocation)
      addLocation();
    for (const Doc &doc : getDocs())
      if (doc.kind == DocKind::Attribute && layoutKind(doc.name))
        add({"#" + doc.name.str(), CompletionKind::Attribute, doc.summary.str(),
             doc.description.str(), snippetOfLayout(doc), true, ""});
    addLocation();
    return true;
  }

  void addLocation() {
    add({"loc", CompletionKind::Keyword, "location in a source file", "",
         "loc(\"${1:kernel.py}\":${2:1}:${3:1})", true, ""});
  }

  /// In `loc(`.
  bool addLocations() {
    if (!isAtLocation())
      return false;
    if (prefix.empty()) {
      sigil = '#';
      addAliases();
      add({"\"kernel.py\":1:1", CompletionKind::Keyword,
           "a place in a source file", "", "\"${1:kernel.py}\":${2:1}:${3:1}",
           true, ""});
    }
    if (StringRef("unknown").starts_with(prefix))
      add({"unknown", CompletionKind::Keyword, "no location", "", "", false,
           ""});
    return true;
  }

  void addTypes() {
    addTypesInUse();
    std::optional<SignatureEntry> next = due();
    StringRef constraint = next ? next->constraint : "";
    addAll(builtinTypesAt(*this, constraint));
    if (!prefix.empty())
      return;
    sigil = '!';
    addAliases();
    addAll(dialectTypesAt(*this, constraint));
  }

  void addTypesInUse() {
    // Inside `tensor<...>` only an element is due.
    if (!before.rtrim().ends_with("<") && !isInElement)
      addAll(typesInUse(*this));
  }

  /// Behind `#`: in a type the layouts that it can have, in `loc(` locations.
  void addHashes() {
    if (isAtLocation())
      return addAliases();
    std::optional<LayoutKind> due = layoutDue();
    addAliases(due);
    sigil = '#';
    StringRef typed = prefix.ltrim('#');
    // A new alias is seldom anything but a layout.
    for (bool isLayoutFirst : {true, false})
      for (const Doc &doc : getDocs())
        if (doc.kind == DocKind::Attribute &&
            StringRef(doc.name).starts_with(typed) &&
            layoutKind(doc.name).has_value() == isLayoutFirst &&
            (!due || layoutKind(doc.name) == *due))
          add({"#" + doc.name.str(), CompletionKind::Attribute,
               doc.summary.str(), doc.description.str(),
               layoutKind(doc.name) ? snippetOfLayout(doc)
                                    : "#" + doc.name.str() + "<$1>",
               true, ""});
  }

  /// The kind of layout that the type or layout at the cursor has there.
  std::optional<LayoutKind> layoutDue() const {
    std::optional<TypeSlot> slot = typeSlot();
    if (!slot)
      return std::nullopt;
    if (slot->isBuffer())
      return slot->commas == 1 ? LayoutKind::Shared : LayoutKind::Memory;
    if (slot->isTensor())
      return LayoutKind::Distributed;
    if (slot->isDescriptor())
      return LayoutKind::Shared;
    return findDoc(DocKind::Attribute, slot->owner) ? layoutKind(slot->owner)
                                                    : std::nullopt;
  }

  void addAliases(std::optional<LayoutKind> due = std::nullopt) {
    Span chunk = chunkAt(document, offset);
    bool isLocation = isAtLocation();
    for (const Statement &statement : syntax.statements()) {
      StringRef name = syntax.text(statement.name);
      bool fits = statement.kind == Statement::Alias &&
                  chunk.contains(statement.span) && name.front() == sigil &&
                  !statement.span.touches(span.begin) &&
                  syntax.isLocationAlias(statement) == isLocation;
      if (!fits)
        continue;
      StringRef value = syntax.aliasValue(statement);
      if (due && value.starts_with("#") &&
          layoutKind(value.drop_front().take_while(isWordPart)) != *due)
        continue;
      add({name.str(), CompletionKind::Alias, value.str(), "", "", false, ""});
    }
  }

  void addSymbols() {
    Span chunk = chunkAt(document, offset);
    for (const Unit &unit : document.units()) {
      if (unit.statement == noSyntax || !chunk.contains(unit.span))
        continue;
      const Statement &statement = syntax.statement(unit.statement);
      const Token *symbol = syntax.symbolOf(statement);
      if (symbol && symbol->end > symbol->begin + 1)
        add({syntax.text(*symbol).str(), CompletionKind::Symbol,
             syntax.text(statement.header(syntax)).trim().str(), "", "", false,
             ""});
    }
  }

  void addBlocks() {
    SyntaxId region = syntax.regionAt(offset);
    for (SyntaxId id : syntax.region(region).statements) {
      const Statement &statement = syntax.statement(id);
      if (statement.kind == Statement::Label)
        add({syntax.text(statement.name).str(), CompletionKind::Block,
             syntax.text(statement.span).str(), "", "", false, ""});
    }
  }

  llvm::StringSet<> seen;
  CompletionList list;
};

} // namespace

CompletionList kernelscope::completion(const Document &document,
                                       size_t offset) {
  return Completer(document, offset).run();
}
