//===- Refactorings.cpp - changes that keep the meaning -------------------===//

#include "server/features/Refactorings.h"

#include "server/analysis/Hole.h"
#include "server/analysis/Verifier.h"
#include "server/features/AliasRefactorings.h"
#include "server/features/Name.h"
#include "server/features/OpSyntax.h"
#include "server/features/TypeText.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace kernelscope;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isRemovable(mlir::Operation *op) {
  if (!op || llvm::isa<HoleOp>(op) || op->getNumResults() == 0 ||
      op->getNumRegions() != 0)
    return false;
  // What a broken op does can only be known from its kind.
  return op->hasTrait<mlir::OpTrait::AlwaysSpeculatableImplTrait>() ||
         (verifies(op) && mlir::isMemoryEffectFree(op));
}

static void addRemove(const Document &document, size_t offset,
                      std::vector<CodeAction> &actions) {
  const Syntax &syntax = document.syntax();
  SyntaxId id = syntax.statementAt(offset);
  const Unit *unit = document.unitAt(offset);
  if (id == noSyntax || !unit || !unit->fragment->isParsed)
    return;
  const Statement &statement = syntax.statement(id);
  bool isOnName =
      llvm::any_of(statement.results, [&](const ResultName &result) {
        return result.name.touches(offset);
      });
  if (!isOnName && !statement.name.touches(offset))
    return;
  mlir::Operation *op = findOperation(document, statement);
  if (!isRemovable(op) || !op->use_empty() || statement.results.empty())
    return;
  // Nor does a line that could not be parsed use it.
  for (const ResultName &result : statement.results)
    if (std::optional<Name> name = nameAt(document, result.name.begin);
        name && !name->uses.empty())
      return;
  StringRef word = syntax.text(statement.results.front().name);
  actions.push_back({("Remove '" + word + "', which is not used").str(),
                     "refactor.rewrite",
                     {{linesOf(document, statement), ""}},
                     {}});
}

CodeAction kernelscope::removeUnused(const Document &document) {
  CodeAction action;
  action.kind = "source.removeUnused.kernelscope";
  action.title = "Remove unused values";
  const Syntax &syntax = document.syntax();
  for (const Unit &unit : document.units()) {
    // In a function with errors what cannot be read may be a use.
    if (unit.statement == noSyntax || !unit.facts->isValid)
      continue;
    llvm::DenseSet<mlir::Operation *> unused;
    // Uses come after definitions, except around a loop, where they stay.
    std::vector<mlir::Operation *> ops;
    unit.facts->root->walk([&](mlir::Operation *op) { ops.push_back(op); });
    bool changed = true;
    while (changed) {
      changed = false;
      for (mlir::Operation *op : llvm::reverse(ops)) {
        bool isUnused =
            isRemovable(op) && !unused.contains(op) &&
            llvm::all_of(op->getUsers(), [&](mlir::Operation *user) {
              return unused.contains(user);
            });
        if (isUnused) {
          unused.insert(op);
          changed = true;
        }
      }
    }
    for (mlir::Operation *op : ops) {
      if (!unused.contains(op))
        continue;
      const auto *definition = unit.fragment->state.getOpDef(op);
      SyntaxId id =
          definition
              ? syntax.statementAt(unit.toDocument(definition->loc).begin)
              : noSyntax;
      if (id != noSyntax)
        action.edits.push_back({linesOf(document, syntax.statement(id)), ""});
    }
  }
  llvm::sort(action.edits, [](const TextEdit &a, const TextEdit &b) {
    return a.span.begin < b.span.begin;
  });
  return action;
}

//===----------------------------------------------------------------------===//
// Ops in error
//===----------------------------------------------------------------------===//

/// Inserts `pairs` into the braces that are there; without them, with braces
/// before the types, or in the generic form behind the operands.
static TextEdit insertEntries(const Syntax &syntax, const Statement &statement,
                              const std::string &pairs) {
  const std::vector<Token> &tokens = syntax.tokens();
  bool isGeneric = syntax.text(statement.name).starts_with("\"");
  size_t depth = 0, end = statement.name.end;
  for (size_t i = syntax.tokenAfter(end); i < statement.endToken; ++i) {
    StringRef word = syntax.text(tokens[i]);
    bool isDictionary =
        word == "{" &&
        (isGeneric ? depth == 1 && syntax.text(tokens[i - 1]) == "<"
                   : depth == 0);
    if (isDictionary) {
      bool isEmpty =
          i + 1 < statement.endToken && syntax.text(tokens[i + 1]) == "}";
      return {{tokens[i].end, tokens[i].end}, pairs + (isEmpty ? "" : ", ")};
    }
    bool isPastOperands = isGeneric ? depth == 0 && word != "(" && word != "<"
                                    : depth == 0 && word == ":";
    if (isPastOperands ||
        (isGeneric && word == "(" && depth == 0 && end != statement.name.end))
      break;
    depth += word == "(" || word == "[" || word == "<";
    depth -= depth && (word == ")" || word == "]" || word == ">");
    end = tokens[i].end;
  }
  return {{end, end}, isGeneric ? " <{" + pairs + "}>" : " {" + pairs + "}"};
}

/// The size of the first tensor of rank 1 that the text of `statement` names; 0
/// if there is none.
static uint64_t sizeOfRange(const Syntax &syntax, const Statement &statement) {
  StringRef text =
      syntax.text(statement.header(syntax)).split("tensor<").second;
  uint64_t size = 0;
  return text.consumeInteger(10, size) || !text.starts_with("xi") ? 0 : size;
}

/// Of `tt.make_range` the range is as long as the result: the attribute that is
/// missing follows from the other one.
static void fillRange(const Syntax &syntax, const Statement &statement,
                      std::vector<std::pair<StringRef, std::string>> &missing) {
  uint64_t size = sizeOfRange(syntax, statement);
  if (syntax.text(statement.name).trim('"') != "tt.make_range" || !size)
    return;
  auto written = [&](StringRef name) {
    int64_t value = 0;
    StringRef rest = syntax.text(statement.header(syntax))
                         .split((name + " = ").str())
                         .second;
    rest.consumeInteger(10, value);
    return value;
  };
  for (auto &[name, value] : missing) {
    if (name == "end")
      value = std::to_string(written("start") + int64_t(size)) + " : i32";
    else if (name == "start" && missing.size() == 1)
      value = std::to_string(written("end") - int64_t(size)) + " : i32";
  }
}

/// Where `statement` has its types: after its regions, if it has any.
static StringRef typesOf(const Syntax &syntax, const Statement &statement) {
  if (statement.regions.empty())
    return syntax.text(statement.header(syntax));
  const size_t end = syntax.region(statement.regions.back()).body.end;
  return syntax.text(Span{end, statement.span.end});
}

/// The sizes of each tensor type that `statement` writes out.
static std::vector<std::vector<int64_t>>
tensorShapes(const Syntax &syntax, const Statement &statement) {
  std::vector<std::vector<int64_t>> shapes;
  StringRef rest = typesOf(syntax, statement);
  while (true) {
    size_t at = rest.find("tensor<");
    if (at == StringRef::npos)
      return shapes;
    rest = rest.drop_front(at + StringRef("tensor<").size());
    std::vector<int64_t> &shape = shapes.emplace_back();
    for (int64_t size;
         !rest.consumeInteger(10, size) && rest.consume_front("x");)
      shape.push_back(size);
  }
}

/// The axis by which two shapes differ, if one is the other without it. Of
/// several, the one that a slice in the types of `statement` leaves out.
static std::optional<size_t> axisBetween(const Syntax &syntax,
                                         const Statement &statement) {
  auto shapes = tensorShapes(syntax, statement);
  if (shapes.size() < 2)
    return std::nullopt;
  auto [shorter, longer] = std::minmax(
      shapes.front(), shapes.back(),
      [](const auto &a, const auto &b) { return a.size() < b.size(); });
  std::optional<size_t> found;
  for (size_t axis = 0; axis < longer.size(); ++axis) {
    std::vector<int64_t> without = longer;
    without.erase(without.begin() + static_cast<ptrdiff_t>(axis));
    if (without != shorter)
      continue;
    if (typesOf(syntax, statement)
            .contains(("slice<{dim = " + llvm::Twine(axis) + ",").str()))
      return axis;
    found = found.value_or(axis);
  }
  return found;
}

/// The axis that an op adds or removes follows from its types.
static void fillAxis(const Syntax &syntax, const Statement &statement,
                     std::vector<std::pair<StringRef, std::string>> &missing) {
  for (auto &[name, value] : missing)
    if (name == "axis")
      if (std::optional<size_t> axis = axisBetween(syntax, statement))
        value = std::to_string(*axis) + " : i32";
}

/// The attributes that the dictionary of an op must have, and has not.
static void addMissingAttributes(const Document &document, size_t offset,
                                 std::vector<CodeAction> &actions) {
  const Syntax &syntax = document.syntax();
  SyntaxId id = operationAt(syntax, offset);
  if (id == noSyntax)
    return;
  const Statement &statement = syntax.statement(id);
  std::vector<Diagnostic> errors;
  for (const Diagnostic &diagnostic : document.diagnostics())
    if (diagnostic.severity == Severity::Error &&
        statement.header(syntax).contains(diagnostic.span))
      errors.push_back(diagnostic);
  const Doc *doc = findDoc(DocKind::Op, syntax.text(statement.name).trim('"'));
  if (!doc || errors.empty())
    return;
  // In the table they stand in braces: `{axis = `axis=0 : i32`}`.
  std::vector<std::pair<StringRef, std::string>> missing;
  std::vector<SyntaxPart> parts = readSyntax(*doc);
  StringRef header = syntax.text(statement.header(syntax));
  for (size_t i = 1; i < parts.size(); ++i) {
    // One that is only misspelt is renamed.
    bool isRenamed = llvm::any_of(errors, [&](const Diagnostic &error) {
      return llvm::any_of(error.fixes, [&](const QuickFix &fix) {
        return fix.edits.size() == 1 && fix.edits[0].newText == parts[i].text;
      });
    });
    bool isKey = !isRenamed && parts[i].isStop() && !parts[i - 1].isStop() &&
                 parts[i - 1].text.ends_with((parts[i].text + " = ").str());
    StringRef before =
        isKey ? parts[i - 1].text.drop_back(parts[i].text.size() + 3)
              : StringRef();
    if (!isKey || (!before.ends_with("{") && before != ", ") ||
        header.contains((parts[i].text + " =").str()))
      continue;
    // The type of a number may stand behind the stop.
    StringRef type = i + 1 < parts.size() && !parts[i + 1].isStop()
                         ? parts[i + 1].text.take_until(
                               [](char c) { return c == '}' || c == ','; })
                         : StringRef();
    missing.push_back({parts[i].text, (*parts[i].typed + type).str()});
  }
  if (missing.empty())
    return;
  fillRange(syntax, statement, missing);
  fillAxis(syntax, statement, missing);
  std::string names, pairs;
  for (const auto &[name, value] : missing) {
    names += (names.empty() ? "'" : ", '") + name.str() + "'";
    pairs += (pairs.empty() ? "" : ", ") + name.str() + " = " + value;
  }
  actions.push_back({"Add " + names,
                     "quickfix",
                     {insertEntries(syntax, statement, pairs)},
                     std::move(errors)});
}

static std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The type in quotes in `message` that is neither of two ways to write one.
static std::string otherType(StringRef message, StringRef one, StringRef same) {
  for (auto [text, rest] = message.split('\''); !rest.empty();) {
    std::tie(text, rest) = rest.split('\'');
    if (text.starts_with("tensor<") && text != one && text != same)
      return text.str();
    std::tie(text, rest) = rest.split('\'');
  }
  return "";
}

/// The words of a use whose first one is `word`, `%x` or `%x#1`, and the value
/// that they stand for among the results that `named` is the first of.
static std::pair<Span, mlir::Value>
useAt(const Syntax &syntax, const Token &word, mlir::Value named) {
  size_t next = &word - syntax.tokens().data() + 1;
  auto first = llvm::dyn_cast<mlir::OpResult>(named);
  unsigned number = 0;
  if (!first || next == syntax.tokens().size())
    return {word.span(), named};
  const Token &after = syntax.tokens()[next];
  bool isPart =
      after.kind == Token::Hash && after.begin == word.end &&
      !syntax.text(after).drop_front().getAsInteger(10, number) &&
      number < first.getOwner()->getNumResults() - first.getResultNumber();
  if (!isPart)
    return {word.span(), named};
  return {{word.begin, after.end},
          first.getOwner()->getResult(first.getResultNumber() + number)};
}

/// Where an op takes a tensor with another layout than the value has.
static void addConversions(const Document &document, Span span,
                           std::vector<CodeAction> &actions) {
  const Syntax &syntax = document.syntax();
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    bool isMeant = diagnostic.code == "type-mismatch" &&
                   diagnostic.span.begin <= span.end &&
                   span.begin <= diagnostic.span.end;
    const Token *word =
        isMeant ? syntax.tokenAt(diagnostic.span.begin) : nullptr;
    if (!word || word->kind != Token::Value)
      continue;
    std::optional<Name> named = nameAt(document, word->begin);
    const Unit *unit = document.unitAt(word->begin);
    SyntaxId id = syntax.statementAt(word->begin);
    if (!named || !named->value || !unit || id == noSyntax)
      continue;
    TypePrinter printer(*unit);
    auto [use, value] = useAt(syntax, *word, named->value);
    std::string has = printer(value.getType());
    std::string wanted = printer.shorten(
        otherType(diagnostic.message, has, printed(value.getType())));
    auto shapeOf = [](StringRef type) {
      return type.take_until([](char c) { return c == ',' || c == '>'; });
    };
    if (!StringRef(has).starts_with("tensor<") ||
        shapeOf(wanted) != shapeOf(has))
      continue;
    const Statement &statement = syntax.statement(id);
    StringRef stem = syntax.text(*word), written = syntax.text(use);
    // Nothing can follow a number.
    bool isNumber = llvm::isDigit(stem.back()) && llvm::isDigit(stem[1]);
    std::string name = isNumber ? "%converted" : (stem + "_converted").str();
    std::string converted = name;
    StringRef around = syntax.text(unit->span);
    for (unsigned i = 1; around.contains(converted); ++i)
      converted = name + std::to_string(i);
    const Text &text = document.text();
    size_t line = text.lineSpan(text.lineAt(statement.span.begin)).begin;
    StringRef indent = syntax.text(Span{line, statement.span.begin});
    actions.push_back({("Convert the layout of '" + written + "' first").str(),
                       "quickfix",
                       {{{line, line},
                         (indent + converted + " = ttg.convert_layout " +
                          written + " : " + has + " -> " + wanted + "\n")
                             .str()},
                        {use, converted}},
                       {diagnostic}});
  }
}

std::vector<CodeAction> kernelscope::refactorings(const Document &document,
                                                  Span span) {
  std::vector<CodeAction> actions;
  addConversions(document, span, actions);
  addMissingAttributes(document, span.begin, actions);
  addRemove(document, span.begin, actions);
  addExtract(document, span.begin, actions);
  addInline(document, span.begin, actions);
  return actions;
}
