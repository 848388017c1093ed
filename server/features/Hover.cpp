//===- Hover.cpp - what an editor shows under the mouse -------------------===//

#include "server/features/Hover.h"

#include "dialects/Dialects.h"
#include "dialects/ttg/TTG.h"
#include "server/analysis/Hole.h"
#include "server/analysis/LocationAliases.h"
#include "server/analysis/Marks.h"
#include "server/analysis/ParseMessages.h"
#include "server/analysis/TypeSets.h"
#include "server/features/AccessText.h"
#include "server/features/BarrierText.h"
#include "server/features/InstructionText.h"
#include "server/features/LayoutText.h"
#include "server/features/Name.h"
#include "server/features/OriginText.h"
#include "server/features/TypeText.h"
#include "server/features/WordText.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;

static std::string codeBlock(StringRef code) {
  return ("```mlir\n" + code + "\n```\n").str();
}

static std::string describeDoc(const Doc &doc) {
  std::string text = ("**" + doc.name + "**").str();
  if (!doc.summary.empty())
    text += (": " + doc.summary).str();
  text += "\n";
  if (!doc.description.empty())
    text += ("\n" + doc.description + "\n").str();
  return text;
}

/// "line 12" of the ops of a document.
static LineOf linesOf(const Document &document) {
  return [&](mlir::Operation *op) -> std::string {
    for (const Unit &unit : document.units())
      if (const auto *definition = unit.definitionOf(op)) {
        size_t begin = unit.toDocument(definition->loc).begin;
        return "line " + std::to_string(document.text().lineAt(begin) + 1);
      }
    return "";
  };
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string describeTypes(const Unit &unit, mlir::Operation *op) {
  TypePrinter printer(unit);
  std::string text;
  listValues(text, unit, printer, op->getOperands(), "");
  listValues(text, unit, printer, op->getResults(), "-> ");
  return text.empty() ? text : codeBlock(StringRef(text).rtrim());
}

static std::string hoverOperation(const Document &document,
                                  const Statement &statement,
                                  SourceFiles *sources,
                                  const EmittedCode *emitted) {
  StringRef name = document.syntax().text(statement.name).trim('"');
  mlir::Operation *op = findOperation(document, statement);
  // `return` stands for `func.return`.
  if (op)
    name = op->getName().getStringRef();
  const Doc *doc = findDoc(DocKind::Op, name);
  std::string text;
  if (doc && !doc->summary.empty())
    text = ("**" + name + "**: " + doc->summary + "\n\n").str();
  else
    text = ("**" + name + "**\n\n").str();
  // What was compiled says more than what the op could become.
  bool isCompiled = false;
  AccessDescription access;
  std::string origin;
  if (const Unit *unit = op ? document.unitAt(statement.name.begin) : nullptr) {
    text += describeTypes(*unit, op);
    origin = describeOrigin(document, *unit, op, sources);
    size_t line = document.text().lineAt(statement.name.begin);
    const auto *code = emitted ? emitted->find(line) : nullptr;
    isCompiled = code != nullptr;
    if (code)
      text += "\nCompiles to, on `" + emitted->arch + "`:\n" + code->details;
    else
      access = describeMemoryAccess(op);
    if (!access.text.empty())
      text += "\n" + access.text + "\n";
  }
  // The chip's instructions first: an editor cuts a long hover off.
  if (!isCompiled && !access.namesInstructions)
    text += describeInstructions(name, op, access.ptxSuffix);
  text += origin;
  if (doc && !doc->description.empty())
    text += "\n" + inShort(doc->description) + "\n";
  return text;
}

/// A word inside an op: its attribute of that name.
static std::string hoverAttributeName(const Document &document,
                                      const Statement &statement,
                                      StringRef word) {
  mlir::Operation *op = findOperation(document, statement);
  StringRef name = op ? op->getName().getStringRef()
                      : document.syntax().text(statement.name).trim('"');
  const Doc *doc = findDoc(DocKind::Op, name);
  if (!doc)
    return "";
  for (const SignatureEntry &entry : readSignature(*doc))
    if (entry.kind == "attribute" && entry.name == word) {
      std::string said = sentencesAbout(doc->description, word);
      return ("**" + word + "** of `" + name +
              "`: " + (said.empty() ? sayConstraint(entry) : said) + "\n")
          .str();
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string describeOwner(mlir::Value value) {
  if (mlir::Operation *op = value.getDefiningOp()) {
    if (llvm::isa<HoleOp>(op))
      return "its definition has an error; the type is inferred from its first "
             "use";
    return ("result of `" + op->getName().getStringRef() + "`").str();
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  mlir::Operation *parent = argument.getOwner()->getParentOp();
  return ("argument " + llvm::Twine(argument.getArgNumber()) +
          (argument.getOwner()->isEntryBlock() ? " of `" : " of a block of `") +
          (parent ? parent->getName().getStringRef() : "?") + "`")
      .str();
}

static std::string hoverValue(const Document &document, const Name &name,
                              SourceFiles *sources) {
  const Unit *unit = document.unitAt(name.origin.begin);
  if (!name.value || !unit)
    return "";
  const Syntax &syntax = document.syntax();
  TypePrinter printer(*unit);
  std::string code;
  // All results of a pack have one name.
  size_t count = 1;
  if (auto result = llvm::dyn_cast<mlir::OpResult>(name.value))
    for (mlir::OpResult other :
         result.getOwner()->getResults().drop_front(result.getResultNumber()))
      if (StringRef(nameOf(*unit, other)).split('#').first ==
          syntax.text(name.origin))
        count = other.getResultNumber() - result.getResultNumber() + 1;
  if (count == 1) {
    code =
        syntax.text(name.origin).str() + ": " + printer(name.value.getType());
  } else {
    auto result = llvm::cast<mlir::OpResult>(name.value);
    listValues(
        code, *unit, printer,
        result.getOwner()->getResults().slice(result.getResultNumber(), count),
        "");
  }
  std::string text =
      codeBlock(StringRef(code).rtrim()) + describeOwner(name.value);
  if (name.definition) {
    size_t line = document.text().lineAt(name.definition->begin);
    StringRef source = syntax.text(document.text().lineSpan(line)).trim();
    constexpr size_t most = 200;
    text +=
        ", line " + std::to_string(line + 1) + ":\n" +
        codeBlock(source.size() > most ? source.take_front(most).str() + " ..."
                                       : source.str());
  } else {
    text += "\n";
  }
  LineOf lineOf = linesOf(document);
  text += describeBarrier(name.value, lineOf, document, *unit);
  text += describeLayout(name.value.getType());
  text += describeAccesses(name.value, lineOf);
  if (mlir::Operation *op = name.value.getDefiningOp())
    text += describeOrigin(document, *unit, op, sources);
  return text;
}

/// The tensors and buffers with this layout: the first in full, the sizes of a
/// few others.
static std::string describeUses(const Document &document,
                                mlir::Attribute layout) {
  constexpr size_t most = 5;
  llvm::SetVector<mlir::Type> types;
  auto add = [&](mlir::Type type) {
    if (ttg::getEncoding(type) == layout)
      types.insert(type);
  };
  for (const Unit &unit : document.units()) {
    if (!unit.facts->root || types.size() >= most)
      continue;
    unit.facts->root->walk([&](mlir::Operation *op) {
      llvm::for_each(op->getResultTypes(), add);
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          llvm::for_each(block.getArgumentTypes(), add);
      return types.size() >= most ? mlir::WalkResult::interrupt()
                                  : mlir::WalkResult::advance();
    });
  }
  if (types.empty())
    return "";
  // The largest says most; a slice of it says little.
  auto sizeOf = [](mlir::Type type) {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    return shaped && shaped.hasStaticShape() ? shaped.getNumElements() : 0;
  };
  llvm::SmallVector<mlir::Type> sorted = types.takeVector();
  auto *largest = llvm::max_element(sorted, [&](mlir::Type a, mlir::Type b) {
    return sizeOf(a) < sizeOf(b);
  });
  std::rotate(sorted.begin(), largest, largest + 1);
  std::string text = "\nThe largest value with this layout in the file:\n" +
                     describeLayout(sorted[0]);
  for (size_t i = 1; i < sorted.size() && i < most; ++i)
    text += (i == 1 ? "\nAlso used by " : ", ") + describeSize(sorted[i]);
  return sorted.size() > 1 ? text + "\n" : text;
}

/// What an alias says, all aliases in it put in.
static std::string hoverAlias(const Document &document, const Name &name,
                              SourceFiles *sources) {
  const Syntax &syntax = document.syntax();
  StringRef word = syntax.text(name.origin);
  const Statement *definition = findAlias(document, name.origin.begin, word);
  if (!definition)
    return "";
  std::string text = codeBlock(syntax.text(definition->span));
  if (const Token *token = syntax.tokenAt(name.origin.begin))
    if (auto location = LocationAliases(syntax).of(*token, document.context()))
      return text + describePlaces(sourcePlaces(location), sources);
  const Unit *skeleton = document.skeletonAt(name.origin.begin);
  if (skeleton && skeleton->fragment->isParsed && word.starts_with("#")) {
    const auto *alias =
        skeleton->fragment->state.getAttributeAliasDef(word.drop_front());
    if (alias)
      if (auto location = llvm::dyn_cast<mlir::LocationAttr>(alias->value))
        return text +
               describePlaces(sourcePlaces(mlir::Location(location)), sources);
    if (std::optional<TypeAt> around = typeAt(document, name.origin.begin))
      text += describeLayout(around->type);
    else if (alias && alias->value)
      text += describeUses(document, alias->value);
  }
  // The documentation of what it begins with.
  size_t value = definition->firstToken + 2;
  if (value >= definition->endToken)
    return text;
  StringRef first = syntax.text(syntax.tokens()[value]);
  DocKind kind = word.starts_with("!") ? DocKind::Type : DocKind::Attribute;
  if (first.size() > 1)
    if (const Doc *doc = findDoc(kind, first.drop_front()))
      text += "\n" + describeDoc(*doc);
  return text;
}

static std::string hoverSymbol(const Document &document, const Name &name) {
  const Syntax &syntax = document.syntax();
  const Statement *definition =
      findSymbol(document, name.origin.begin, syntax.text(name.origin));
  if (!definition)
    return "";
  return codeBlock(syntax.text(definition->header(syntax)).trim());
}

/// A type that is written out, its aliases put in.
static std::string hoverType(const Document &document, const TypeAt &found) {
  std::string text;
  llvm::raw_string_ostream(text) << found.type;
  text = codeBlock(text) + describeLayout(found.type);
  StringRef word = document.syntax().text(found.span).take_until([](char c) {
    return c == '<';
  });
  if (word.consume_front("!"))
    if (const Doc *doc = findDoc(DocKind::Type, word))
      text += "\n" + describeDoc(*doc);
  return text;
}

static std::string hoverName(const Document &document, const Name &name,
                             SourceFiles *sources) {
  switch (name.kind) {
  case Name::Value:
    return hoverValue(document, name, sources);
  case Name::Alias:
    return hoverAlias(document, name, sources);
  case Name::Symbol:
    return hoverSymbol(document, name);
  case Name::Block:
    return describeBlock(document, name);
  }
  return "";
}

std::optional<Hover> kernelscope::hover(const Document &document, size_t offset,
                                        SourceFiles *sources,
                                        const EmittedCode *emitted) {
  const Syntax &syntax = document.syntax();
  const Token *token = syntax.tokenAt(offset);
  if (!token)
    return std::nullopt;
  auto answer = [](Span span, std::string text) -> std::optional<Hover> {
    if (text.empty())
      return std::nullopt;
    return Hover{span, std::move(text)};
  };
  if (std::optional<Name> name = nameAt(document, offset))
    return answer(name->origin, hoverName(document, *name, sources));
  if (token->kind == Token::Identifier || token->kind == Token::String) {
    std::string text = describeMark(syntax.text(*token).trim('"'));
    if (!text.empty())
      return answer(token->span(), text);
  }

  SyntaxId id = syntax.statementAt(token->begin);
  StringRef word = syntax.text(*token);
  if (id != noSyntax) {
    const Statement &statement = syntax.statement(id);
    if (std::string text =
            describeWord(document, statement, token - syntax.tokens().data());
        !text.empty())
      return answer(token->span(), text);
    if (statement.kind == Statement::Operation &&
        statement.name == token->span() && word == "module")
      return answer(token->span(), describeModule(document, statement));
    if (statement.kind == Statement::Operation &&
        statement.name == token->span())
      return answer(token->span(),
                    hoverOperation(document, statement, sources, emitted));
    if (std::optional<TypeAt> found = typeAt(document, token->begin))
      return answer(found->span, hoverType(document, *found));
    if (token->kind == Token::Identifier)
      return answer(token->span(),
                    hoverAttributeName(document, statement, word));
  }
  if (token->kind == Token::Hash || token->kind == Token::Bang) {
    DocKind kind =
        token->kind == Token::Bang ? DocKind::Type : DocKind::Attribute;
    if (const Doc *doc = findDoc(kind, word.drop_front()))
      return answer(token->span(), describeDoc(*doc));
  }
  return std::nullopt;
}
