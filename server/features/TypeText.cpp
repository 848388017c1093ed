//===- TypeText.cpp - types and layouts for people to read ----------------===//

#include "server/features/TypeText.h"

#include "server/analysis/ValueName.h"

#include "server/features/Name.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;

template <typename Printable> static std::string print(Printable value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

TypePrinter::TypePrinter(const Unit &unit) {
  if (!unit.fragment->isParsed)
    return;
  for (const auto &alias : unit.fragment->state.getAttributeAliasDefs())
    if (alias.value && !llvm::isa<mlir::LocationAttr>(alias.value))
      aliases.push_back({print(alias.value), "#" + alias.name.str()});
  for (const auto &alias : unit.fragment->typeAliases())
    if (alias.value)
      aliases.push_back({print(alias.value), "!" + alias.name.str()});
  // An alias may be part of another one. One that is no longer than its name
  // does not help.
  llvm::erase_if(aliases, [](const auto &alias) {
    return alias.first.size() <= alias.second.size();
  });
  llvm::sort(aliases, [](const auto &a, const auto &b) {
    return a.first.size() > b.first.size();
  });
}

std::string TypePrinter::operator()(mlir::Type type) const {
  return shorten(print(type));
}

std::string TypePrinter::shorten(std::string text) const {
  for (const auto &[printed, alias] : aliases) {
    for (size_t at = text.find(printed); at != std::string::npos;
         at = text.find(printed, at + alias.size()))
      text.replace(at, printed.size(), alias);
  }
  return text;
}

std::string kernelscope::nameOf(const Unit &unit, mlir::Value value) {
  return nameOf(unit.fragment->state, value);
}

void kernelscope::listValues(std::string &text, const Unit &unit,
                             const TypePrinter &printer,
                             mlir::ValueRange values, llvm::StringRef prefix) {
  constexpr size_t limit = 6;
  for (auto [index, value] : llvm::enumerate(values)) {
    if (index == limit) {
      text += (prefix + "... " + llvm::Twine(values.size() - limit) + " more\n")
                  .str();
      return;
    }
    std::string name = nameOf(unit, value);
    text += (prefix + (name.empty() ? "#" + llvm::Twine(index).str() : name) +
             ": " + printer(value.getType()) + "\n")
                .str();
  }
}

//===----------------------------------------------------------------------===//
// The type in the text
//===----------------------------------------------------------------------===//

/// The span of the type that contains the token at `at`, including its
/// brackets.
static std::optional<Span> typeSpan(const Syntax &syntax,
                                    const Statement &statement, size_t at) {
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t first = at + 1; first-- > statement.firstToken;) {
    llvm::StringRef word = syntax.text(tokens[first]);
    if ((word != "tensor" && word != "!ttg.memdesc") ||
        first + 1 >= statement.endToken ||
        syntax.text(tokens[first + 1]) != "<")
      continue;
    size_t depth = 0;
    for (size_t last = first + 1; last < statement.endToken; ++last) {
      llvm::StringRef bracket = syntax.text(tokens[last]);
      depth += bracket == "<";
      depth -= bracket == ">";
      if (depth == 0) {
        if (last >= at)
          return Span{tokens[first].begin, tokens[last].end};
        break;
      }
    }
  }
  return std::nullopt;
}

/// The types that an op's header can spell.
static std::vector<mlir::Type> typesOf(mlir::Operation *op) {
  std::vector<mlir::Type> types;
  llvm::append_range(types, op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (mlir::NamedAttribute attribute : op->getAttrs())
    if (auto held = llvm::dyn_cast<mlir::TypeAttr>(attribute.getValue())) {
      types.push_back(held.getValue());
      if (auto function = llvm::dyn_cast<mlir::FunctionType>(held.getValue())) {
        llvm::append_range(types, function.getInputs());
        llvm::append_range(types, function.getResults());
      }
    }
  return types;
}

static std::string withoutSpaces(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    if (!llvm::isSpace(c))
      result += c;
  return result;
}

std::optional<TypeAt> kernelscope::typeAt(const Document &document,
                                          size_t offset) {
  const Syntax &syntax = document.syntax();
  const Token *token = syntax.tokenAt(offset);
  const Unit *unit = document.unitAt(offset);
  if (!token || !unit || !unit->fragment->isParsed)
    return std::nullopt;
  SyntaxId id = syntax.statementAt(token->begin);
  if (id == noSyntax || syntax.statement(id).kind != Statement::Operation)
    return std::nullopt;
  const Statement &statement = syntax.statement(id);
  mlir::Operation *op = findOperation(document, statement);
  std::optional<Span> span =
      typeSpan(syntax, statement, token - syntax.tokens().data());
  if (!op || !span)
    return std::nullopt;
  std::string written = withoutSpaces(syntax.text(*span));
  TypePrinter printer(*unit);
  for (mlir::Type type : typesOf(op))
    if (withoutSpaces(printer(type)) == written ||
        withoutSpaces(print(type)) == written)
      return TypeAt{*span, type, op};
  return std::nullopt;
}
