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
      addDocs(DocKind::Type, CompletionKind::Type);
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
    if (addAliasValue() || addLocations() || addMarks())
      return;
    const Doc *layout = enclosingLayout();
    const Doc *doc = layout ? layout : operationDoc();
    auto entries = doc ? readSignature(*doc) : std::vector<SignatureEntry>();
    if (auto choices = choicesAt(*this, entries))
      return addAll(std::move(*choices));
    if (isInDictionary() || isInOpenDictionary())
      return addAll(keysAt(*this, entries));
    if (isAtLayout()) {
      sigil = '#';
      return addHashes();
    }
    if (isAtType())
      return addTypes();
    if (std::optional<SignatureEntry> next = due(); next && prefix.empty()) {
      if (next->kind == "operand")
        addAll(valuesAt(*this));
      else if (next->constraint.contains("symbol reference"))
        addSymbols();
    }
    addAll(keywordsAt(*this, entries));
  }

  void addAll(std::vector<CompletionItem> items) {
    for (CompletionItem &item : items)
      add(std::move(item));
  }

  void addOperations() {
    auto [dialect, rest] = prefix.split('.');
    bool hasDialect = prefix.contains('.');
    OpSnippets snippets(document, span.begin, before.trim().empty());
    for (const Doc &doc : getDocs()) {
      if (doc.kind != DocKind::Op)
        continue;
      auto [space, name] = StringRef(doc.name).split('.');
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
      addDocs(DocKind::Type, CompletionKind::Type);
      return true;
    }
    for (const Doc &doc : getDocs())
      if (doc.kind == DocKind::Attribute && isLayout(doc.name))
        add({"#" + doc.name.str(), CompletionKind::Attribute, doc.summary.str(),
             doc.description.str(), snippetOfLayout(doc), true, ""});
    add({"loc", CompletionKind::Keyword, "location in a source file", "",
         "loc(\"${1:kernel.py}\":${2:1}:${3:1})", true, ""});
    return true;
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

  /// In the braces after `attributes`, after an argument's type, after a
  /// loop: what passes and Triton's front end write there.
  bool addMarks() {
    std::optional<Mark::Place> place = markPlace();
    if (!place)
      return false;
    for (const Mark &mark : allMarks())
      if (mark.place == *place && mark.name.starts_with(prefix) &&
          !before.contains(mark.key() + " ="))
        add({mark.name.str(), CompletionKind::Attribute,
             StringRef(mark.text).split('\n').first.str(), mark.text.str(),
             mark.key() + " = ${1:" + mark.example.str() + "}", true, ""});
    return true;
  }

  void addTypes() {
    addTypesInUse();
    std::optional<SignatureEntry> next = due();
    bool isBuffer = next && next->constraint.contains("view of");
    if (!isBuffer)
      addBuiltinTypes();
    if (!prefix.empty())
      return;
    sigil = '!';
    addAliases();
    addDocs(DocKind::Type, CompletionKind::Type, isBuffer ? "ttg.memdesc" : "");
  }

  void addBuiltinTypes() {
    for (StringRef type : {"i1", "i8", "i16", "i32", "i64", "index", "f16",
                           "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"})
      if (type.starts_with(prefix))
        add({type.str(), CompletionKind::Type, "", "", "", false, ""});
    for (StringRef type : {"tensor", "vector"})
      if (type.starts_with(prefix))
        add({type.str(), CompletionKind::Type, "", "", (type + "<$1>").str(),
             true, ""});
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
    size_t tensor = before.rfind("tensor<"), buffer = before.rfind("memdesc<");
    auto isBefore = [](size_t a, size_t b) {
      return a != StringRef::npos && (b == StringRef::npos || a > b);
    };
    std::optional<bool> shared;
    if (isBefore(tensor, buffer))
      shared = false;
    else if (isBefore(buffer, tensor))
      shared = true;
    addAliases(shared);
    sigil = '#';
    StringRef typed = prefix.ltrim('#');
    for (const Doc &doc : getDocs())
      if (doc.kind == DocKind::Attribute &&
          StringRef(doc.name).starts_with(typed) &&
          (!shared || (isLayout(doc.name) && isOfMemory(doc.name) == *shared)))
        add({"#" + doc.name.str(), CompletionKind::Attribute, doc.summary.str(),
             doc.description.str(),
             isLayout(doc.name) ? snippetOfLayout(doc)
                                : "#" + doc.name.str() + "<$1>",
             true, ""});
  }

  /// Those whose names begin with `only`.
  void addDocs(DocKind kind, CompletionKind as, StringRef only = "") {
    StringRef typed =
        prefix.starts_with(StringRef(&sigil, 1)) ? prefix.drop_front() : prefix;
    for (const Doc &doc : getDocs())
      if (doc.kind == kind && StringRef(doc.name).starts_with(typed) &&
          StringRef(doc.name).starts_with(only))
        add({sigil + doc.name.str(), as, doc.summary.str(),
             doc.description.str(), sigil + doc.name.str() + "<$1>", true, ""});
  }

  /// `shared`: only layouts of memory, or none of them.
  void addAliases(std::optional<bool> shared = std::nullopt) {
    Span chunk = chunkAt(document, offset);
    bool isLocation = isAtLocation();
    for (const Statement &statement : syntax.statements()) {
      StringRef name = syntax.text(statement.name);
      bool fits = statement.kind == Statement::Alias &&
                  chunk.contains(statement.span) && name.front() == sigil &&
                  !statement.span.contains(span.begin) &&
                  syntax.isLocationAlias(statement) == isLocation;
      if (!fits)
        continue;
      StringRef value =
          syntax.text(Span{statement.name.end, statement.span.end}).ltrim(" =");
      if (shared && value.starts_with("#") &&
          isOfMemory(value.take_until([](char c) { return c == '<'; })) !=
              *shared)
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
