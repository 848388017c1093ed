//===- Completion.cpp - what may be typed here ----------------------------===//
//
// The line at the cursor is half-typed, so only the words around it decide
// what is offered; types of values come from the IR of the statements around.
//
//===----------------------------------------------------------------------===//

#include "server/features/Completion.h"

#include "dialects/Dialects.h"
#include "server/features/Name.h"
#include "server/features/TypeText.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace kernelscope;
using llvm::StringRef;

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// `tt.load ${1:%ptr} : ${2:type}`, from the names that ODS gives.
static std::string snippetOf(const Doc &doc) {
  constexpr size_t mostOperands = 3;
  std::string snippet = doc.name.str();
  unsigned stop = 0;
  bool hasType = false;
  for (const SignatureEntry &entry : readSignature(doc)) {
    hasType |= entry.kind == "operand" || entry.kind == "result";
    if (entry.kind != "operand" || entry.name.empty() || stop == mostOperands ||
        entry.constraint.starts_with("variadic"))
      continue;
    snippet += (stop ? ", " : " ");
    snippet += ("${" + llvm::Twine(++stop) + ":%" + entry.name + "}").str();
  }
  if (hasType)
    snippet += (" : ${" + llvm::Twine(stop + 1) + ":type}").str();
  return snippet;
}

namespace {

class Completer {
public:
  Completer(const Document &document, size_t offset)
      : document(document), syntax(document.syntax()),
        text(document.text().str()), offset(std::min(offset, text.size())) {}

  CompletionList run() {
    findWord();
    if (isInsideTextOrComment())
      return std::move(list);
    switch (sigil) {
    case '%':
      addValues();
      break;
    case '@':
      addSymbols();
      break;
    case '^':
      addBlocks();
      break;
    case '#':
      addAliases();
      addDocs(DocKind::Attribute, CompletionKind::Attribute);
      break;
    case '!':
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
  //===--- Where the cursor is --------------------------------------------===//

  void findWord() {
    size_t begin = offset;
    while (begin > 0 && isWordPart(text[begin - 1]))
      --begin;
    // In `tensor<16x32xf|` the word is `f`.
    StringRef word = text.substr(begin, offset - begin);
    while (true) {
      size_t digits = word.find_first_not_of("0123456789");
      if (digits == 0 || digits == StringRef::npos || word[digits] != 'x')
        break;
      word = word.drop_front(digits + 1);
    }
    begin = offset - word.size();
    if (begin > 0 && StringRef("%#!@^").contains(text[begin - 1])) {
      sigil = text[begin - 1];
      --begin;
    }
    list.span = {begin, offset};
    prefix = text.substr(begin, offset - begin);
    size_t lineStart = text.rfind('\n', begin);
    lineStart = lineStart == StringRef::npos || begin == 0 ? 0 : lineStart + 1;
    before = text.substr(lineStart, begin - lineStart);
  }

  bool isInsideTextOrComment() const {
    for (Span comment : syntax.comments())
      if (comment.begin < offset && offset <= comment.end)
        return true;
    size_t index = syntax.tokenAfter(list.span.begin);
    if (index >= syntax.tokens().size())
      return false;
    const Token &token = syntax.tokens()[index];
    return (token.kind == Token::String ||
            token.kind == Token::UnterminatedString) &&
           token.begin < offset;
  }

  /// Whether an op name is expected: at the start of a line or a region, or
  /// after `%x =`.
  bool isAtOperation() const {
    StringRef head = before.trim();
    if (head.empty())
      return true;
    if (head.ends_with("{")) {
      size_t brace = text.rfind('{', list.span.begin);
      Span body = syntax.region(syntax.regionAt(list.span.begin)).body;
      return body.begin == brace + 1;
    }
    return head.consume_back("=") && head.starts_with("%") &&
           !head.contains('(') && !head.contains('=') &&
           head.count('%') == head.count(',') + 1;
  }

  /// The last brace of a dictionary that is open on this line, or `npos`.
  size_t openBrace() const {
    int depth = 0;
    for (size_t i = before.size(); i-- > 0;) {
      if (before[i] == '}')
        ++depth;
      else if (before[i] == '{' && depth-- == 0)
        return i;
    }
    return StringRef::npos;
  }
  bool isInDictionary() const { return openBrace() != StringRef::npos; }

  bool isAtType() const {
    return before.contains(':') || before.contains("->") ||
           before.rtrim().ends_with("<");
  }

  //===--- What is offered ------------------------------------------------===//

  void add(CompletionItem item) {
    if (item.newText.empty())
      item.newText = item.label;
    if (seen.insert(item.label).second)
      list.items.push_back(std::move(item));
  }

  void addWords() {
    if (isAtOperation())
      return addOperations();
    const Doc *layout = enclosingLayout();
    const Doc *doc = layout ? layout : operationDoc();
    auto entries = doc ? readSignature(*doc) : std::vector<SignatureEntry>();
    if (addChoices(entries))
      return;
    if (isInDictionary())
      return addKeys(entries);
    if (isAtType())
      return addTypes();
    addKeywords(entries);
  }

  /// The layout whose `<{` is open before the cursor.
  const Doc *enclosingLayout() const {
    size_t brace = openBrace();
    StringRef head = before.substr(0, brace);
    if (brace == StringRef::npos || !head.consume_back("<"))
      return nullptr;
    size_t hash = head.rfind('#');
    if (hash == StringRef::npos)
      return nullptr;
    return findDoc(DocKind::Attribute, head.drop_front(hash + 1));
  }

  /// The operation that the cursor is in, or behind on the same line.
  SyntaxId currentStatement() const {
    size_t at = list.span.begin;
    SyntaxId last = syntax.statementBefore(syntax.regionAt(at), at);
    if (last != noSyntax) {
      size_t end = syntax.statement(last).span.end;
      if (end <= at && !text.substr(end, at - end).contains('\n'))
        return last;
    }
    return syntax.statementAt(at);
  }

  const Doc *operationDoc() const {
    SyntaxId id = currentStatement();
    if (id == noSyntax)
      return nullptr;
    return findDoc(DocKind::Op,
                   syntax.text(syntax.statement(id).name).trim('"'));
  }

  /// Behind `cache =` in a dictionary `2 : i32`, behind `cacheModifier =` of
  /// the op's syntax `ca`. False if no such value is expected.
  bool addChoices(llvm::ArrayRef<SignatureEntry> entries) {
    StringRef head = before.rtrim();
    if (!head.ends_with("=") && !head.ends_with("<"))
      return false;
    char end = head.back();
    head = head.drop_back().rtrim();
    StringRef key = head.take_back(
        head.size() - (head.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") +
                       1));
    bool isKey = end == '=' && isInDictionary();
    for (const SignatureEntry &entry : entries) {
      bool isMeant = isKey ? entry.name == key
                           : entry.introducer == (key + llvm::Twine(end)).str();
      if (!isMeant || entry.choices.empty())
        continue;
      for (const auto &choice : entry.choices)
        addChoice(choice, isKey ? choice.spelling : choice.word, entry);
      return true;
    }
    return false;
  }

  void addChoice(const SignatureEntry::Choice &choice, StringRef spelling,
                 const SignatureEntry &entry) {
    if (choice.word.starts_with(prefix))
      add({choice.word.str(), CompletionKind::Keyword, entry.constraint.str(),
           "", spelling.str(), false, ""});
  }

  /// In the op's own syntax: values between commas, such as `slt` in
  /// `arith.cmpi`, and keywords that introduce others.
  void addKeywords(llvm::ArrayRef<SignatureEntry> entries) {
    SyntaxId id = currentStatement();
    if (id == noSyntax)
      return;
    size_t name = syntax.statement(id).name.end;
    if (name > list.span.begin)
      return;
    size_t commas = text.substr(name, list.span.begin - name).count(',');
    for (const SignatureEntry &entry : entries) {
      StringRef word = entry.introducer;
      if (word == ("@" + llvm::Twine(commas)).str()) {
        for (const auto &choice : entry.choices)
          addChoice(choice, choice.word, entry);
      } else if (word.consume_back("=") && word.starts_with(prefix)) {
        add({word.str(), CompletionKind::Attribute, entry.constraint.str(), "",
             (word + " = ").str(), false, ""});
      } else if (word.consume_back("<") && word.starts_with(prefix)) {
        add({word.str(), CompletionKind::Attribute, entry.constraint.str(), "",
             (word + "<$1>").str(), true, ""});
      }
    }
  }

  /// The keys of a dictionary that are not in it yet.
  void addKeys(llvm::ArrayRef<SignatureEntry> entries) {
    StringRef inside = before.substr(openBrace());
    for (const SignatureEntry &entry : entries)
      if ((entry.kind == "attribute" || entry.kind == "parameter") &&
          entry.name.starts_with(prefix) &&
          !inside.contains((entry.name + " =").str()))
        add({entry.name.str(), CompletionKind::Attribute,
             entry.constraint.str(), "", (entry.name + " = ").str(), false,
             ""});
  }

  void addOperations() {
    auto [dialect, rest] = prefix.split('.');
    bool hasDialect = prefix.contains('.');
    for (const Doc &doc : getDocs()) {
      if (doc.kind != DocKind::Op)
        continue;
      auto [space, name] = StringRef(doc.name).split('.');
      if (!hasDialect && space.starts_with(prefix))
        add({space.str(), CompletionKind::Dialect, "dialect", "",
             (space + ".").str(), false, ""});
      // `load` finds `tt.load` too.
      bool fits = hasDialect ? space == dialect && name.starts_with(rest)
                             : !prefix.empty() && name.starts_with(prefix);
      if (fits)
        add({doc.name.str(), CompletionKind::Operation, doc.summary.str(),
             doc.description.str(), snippetOf(doc), true, ""});
    }
    if (!hasDialect && StringRef("module").starts_with(prefix))
      add({"module", CompletionKind::Operation, "", "", "module {\n  $0\n}",
           true, ""});
  }

  void addTypes() {
    for (StringRef type : {"i1", "i8", "i16", "i32", "i64", "index", "f16",
                           "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"})
      if (type.starts_with(prefix))
        add({type.str(), CompletionKind::Type, "", "", "", false, ""});
    for (StringRef type : {"tensor", "vector"})
      if (type.starts_with(prefix))
        add({type.str(), CompletionKind::Type, "", "", (type + "<$1>").str(),
             true, ""});
    if (!prefix.empty())
      return;
    sigil = '!';
    addAliases();
    addDocs(DocKind::Type, CompletionKind::Type);
  }

  void addDocs(DocKind kind, CompletionKind as) {
    StringRef typed =
        prefix.starts_with(StringRef(&sigil, 1)) ? prefix.drop_front() : prefix;
    for (const Doc &doc : getDocs())
      if (doc.kind == kind && StringRef(doc.name).starts_with(typed))
        add({sigil + doc.name.str(), as, doc.summary.str(),
             doc.description.str(), sigil + doc.name.str() + "<$1>", true, ""});
  }

  void addAliases() {
    Span chunk = chunkAt(document, offset);
    for (const Statement &statement : syntax.statements()) {
      StringRef name = syntax.text(statement.name);
      bool fits = statement.kind == Statement::Alias &&
                  chunk.contains(statement.span) && name.front() == sigil &&
                  !isHidden(statement);
      if (!fits)
        continue;
      Span value = {statement.name.end, statement.span.end};
      add({name.str(), CompletionKind::Alias,
           syntax.text(value).ltrim(" =").str(), "", "", false, ""});
    }
  }

  /// A dump's thousand `#loc12` aliases would hide everything else.
  bool isHidden(const Statement &alias) const {
    return syntax.isLocationAlias(alias) && !before.rtrim().ends_with("loc(");
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

  /// All values that dominate the cursor, judged by nesting alone, nearest
  /// first.
  void addValues() {
    collectTypes();
    for (SyntaxId region = syntax.regionAt(offset); region != noSyntax;) {
      const std::vector<SyntaxId> &ids = syntax.region(region).statements;
      for (SyntaxId id : llvm::reverse(ids)) {
        const Statement &statement = syntax.statement(id);
        if (statement.span.touches(offset) || statement.span.begin > offset)
          continue;
        for (const ResultName &result : statement.results)
          addValue(result.name);
        if (statement.kind == Statement::Label)
          addDefinedIn(statement.span);
      }
      SyntaxId owner = syntax.region(region).owner;
      if (owner == noSyntax)
        return;
      addDefinedIn(syntax.statement(owner).header(syntax));
      region = syntax.statement(owner).parent;
    }
  }

  /// `%x: type` of arguments, `%i = ` of loops.
  void addDefinedIn(Span header) {
    const std::vector<Token> &tokens = syntax.tokens();
    for (size_t i = syntax.tokenAfter(header.begin);
         i + 1 < tokens.size() && tokens[i].begin < header.end; ++i) {
      StringRef next = syntax.text(tokens[i + 1]);
      bool isResult =
          !tokens.empty() && i > 0 && next == "=" && tokens[i].firstOnLine;
      if (tokens[i].kind == Token::Value && (next == ":" || next == "=") &&
          !isResult)
        addValue(tokens[i].span());
    }
  }

  void addValue(Span name) {
    std::string type;
    if (unit && printer)
      if (std::optional<mlir::SMLoc> place = unit->toParser(name.begin))
        if (mlir::Type known = types.lookup(place->getPointer()))
          type = (*printer)(known);
    if (name.size() <= 1)
      return;
    // `step %n : i32` looks like a definition; the real one may follow.
    for (CompletionItem &item : list.items)
      if (item.label == syntax.text(name) && item.detail.empty())
        item.detail = type;
    add({syntax.text(name).str(), CompletionKind::Value, std::move(type), "",
         "", false, ""});
  }

  /// The types of all values of the unit, by where the parser saw their names.
  void collectTypes() {
    unit = document.unitAt(offset);
    if (!unit || !unit->fragment->isParsed)
      return;
    printer.emplace(*unit);
    for (const auto &op : unit->fragment->state.getOpDefs())
      for (const auto &group : op.resultGroups)
        if (group.startIndex < op.op->getNumResults())
          types[group.definition.loc.Start.getPointer()] =
              op.op->getResult(group.startIndex).getType();
    for (const auto &block : unit->fragment->state.getBlockDefs())
      for (auto [index, argument] : llvm::enumerate(block.arguments))
        if (argument.loc.isValid() && index < block.block->getNumArguments())
          types[argument.loc.Start.getPointer()] =
              block.block->getArgument(index).getType();
  }

  const Document &document;
  const Syntax &syntax;
  StringRef text;
  size_t offset;
  char sigil = '\0';
  StringRef prefix; ///< What was typed of the word, its sigil included.
  StringRef before; ///< The line up to the word.
  const Unit *unit = nullptr; ///< Around the cursor.
  std::optional<TypePrinter> printer;
  llvm::DenseMap<const char *, mlir::Type> types;
  llvm::StringSet<> seen;
  CompletionList list;
};

} // namespace

CompletionList kernelscope::completion(const Document &document,
                                       size_t offset) {
  return Completer(document, offset).run();
}
