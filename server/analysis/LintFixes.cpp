//===- LintFixes.cpp - edits of the text that mend what lints find --------===//

#include "server/analysis/LintFixes.h"

#include "server/analysis/ValueName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;

namespace {

class FixWriter {
public:
  FixWriter(const FragmentPlaces &places, const Syntax &syntax)
      : places(places), fragment(places.fragment), syntax(syntax) {}

  std::optional<QuickFix> operator()(const NumberFix &fix) const;
  std::optional<QuickFix> operator()(const PhaseEdit &fix) const;
  std::optional<QuickFix> operator()(const LayoutFix &fix) const;
  std::optional<QuickFix> operator()(const MissingOps &fix) const;
  std::optional<QuickFix> operator()(const OperandFix &fix) const;
  std::optional<QuickFix> operator()(const RedundantOp &fix) const;
  std::optional<QuickFix> operator()(const MovedOp &fix) const;

private:
  /// The statement of `op`; null where it has none of its own.
  const Statement *statementOf(mlir::Operation *op) const;
  /// What is before it in its line; nothing if that is not only space.
  std::optional<std::string> indentOf(const Statement &statement) const;
  /// All lines of it, if nothing else is in them.
  std::optional<Span> linesOf(const Statement &statement) const;
  /// `%name`, or the like, that the document does not have.
  std::string freshName(StringRef name) const;

  const FragmentPlaces &places;
  const Fragment &fragment;
  const Syntax &syntax;
};

} // namespace

const Statement *FixWriter::statementOf(mlir::Operation *op) const {
  const auto *definition = fragment.state.getOpDef(op);
  if (!definition)
    return nullptr;
  Span name = places.span(definition->loc);
  SyntaxId id = syntax.statementAt(name.begin);
  if (id == noSyntax || syntax.statement(id).name.begin != name.begin)
    return nullptr;
  return &syntax.statement(id);
}

std::optional<QuickFix> FixWriter::operator()(const NumberFix &fix) const {
  const Statement *statement = statementOf(fix.op);
  if (!statement)
    return std::nullopt;
  // Nothing where the text has it elsewhere, as in an alias.
  std::string from = std::to_string(fix.from), to = std::to_string(fix.to);
  bool isThere = fix.attribute.empty();
  for (size_t i = statement->firstToken; i < statement->endToken; ++i) {
    const Token &token = syntax.tokens()[i];
    isThere |= syntax.text(token) == fix.attribute;
    if (isThere && token.kind == Token::Number &&
        token.begin >= statement->name.end && syntax.text(token) == from)
      return QuickFix{("Change " + llvm::Twine(from) + " to " + to).str(),
                      {{token.span(), to}}};
  }
  return std::nullopt;
}

std::optional<std::string>
FixWriter::indentOf(const Statement &statement) const {
  size_t begin = statement.span.begin;
  size_t line = syntax.text().rfind('\n', begin) + 1;
  StringRef indent = syntax.text().slice(line, begin);
  if (indent.find_first_not_of(" \t") != StringRef::npos)
    return std::nullopt;
  return indent.str();
}

std::string FixWriter::freshName(StringRef name) const {
  std::string fresh = ("%" + name).str();
  for (unsigned i = 0; llvm::any_of(syntax.tokens(),
                                    [&](const Token &token) {
                                      return token.kind == Token::Value &&
                                             syntax.text(token) == fresh;
                                    });
       ++i)
    fresh = ("%" + name + "_" + llvm::Twine(i)).str();
  return fresh;
}

std::optional<QuickFix> FixWriter::operator()(const PhaseEdit &fix) const {
  const Statement *statement = statementOf(fix.operand->getOwner());
  std::string base = nameOf(fragment.state, fix.base);
  std::optional<Span> place =
      statement
          ? spanOfOperand(*fix.operand, *statement, fragment.state, syntax)
          : std::nullopt;
  if (!place || base.empty())
    return std::nullopt;
  size_t begin = statement->span.begin;
  std::optional<std::string> before = indentOf(*statement);
  if (!before)
    return std::nullopt;
  std::string indent = *before, lines;
  auto add = [&](StringRef name, const llvm::Twine &op) {
    std::string value = freshName(name);
    lines += (value + " = " + op + "\n" + indent).str();
    return value;
  };
  std::string value = base, one = add("one", "arith.constant 1 : i32");
  if (fix.counts) {
    mlir::Type type = fix.base.getType();
    if (type.isIndex())
      value = add("count", "arith.index_cast " + value + " : index to i32");
    else if (!type.isInteger(32))
      return std::nullopt;
    if (fix.divisor != 1) {
      std::string divisor = add(
          "rounds", "arith.constant " + llvm::Twine(fix.divisor) + " : i32");
      value = add("round", "arith.divui " + value + ", " + divisor + " : i32");
    }
    value = add(fix.flips ? "bit" : "phase",
                "arith.andi " + value + ", " + one + " : i32");
  }
  if (fix.flips)
    value = add("phase", "arith.xori " + value + ", " + one + " : i32");
  return QuickFix{fix.counts ? "Take the phase from " + base
                             : "Flip the phase " + base,
                  {{{begin, begin}, lines}, {*place, value}}};
}

/// The alias of `type`, or all of it.
static std::string textOf(const Fragment &fragment, mlir::Type type) {
  for (const auto &alias : fragment.typeAliases())
    if (alias.value == type)
      return ("!" + alias.name).str();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::optional<QuickFix> FixWriter::operator()(const MissingOps &fix) const {
  const Statement *statement = statementOf(fix.before);
  std::optional<std::string> indent =
      statement ? indentOf(*statement) : std::nullopt;
  if (!indent)
    return std::nullopt;
  std::string lines, text = fix.text;
  auto put = [&](const std::string &mark, const std::string &value) {
    for (size_t i = 0; (i = text.find(mark, i)) != std::string::npos;
         i += value.size())
      text.replace(i, mark.size(), value);
  };
  for (auto [number, operand] : llvm::enumerate(fix.operands)) {
    std::string value =
        operand ? nameOf(fragment.state, operand) : freshName("value");
    if (value.empty())
      return std::nullopt;
    if (!operand)
      lines += value + " = " + fix.constant + "\n" + *indent;
    put("$" + std::to_string(number), value);
  }
  if (!fix.operands.empty())
    put("$type", textOf(fragment, fix.operands.front().getType()));
  QuickFix written;
  if (fix.givesResult) {
    std::string result = freshName("done");
    put("$result", result);
    for (mlir::OpOperand &operand : fix.before->getOpOperands()) {
      if (operand.get() != fix.operands.front())
        continue;
      std::optional<Span> place =
          spanOfOperand(operand, *statement, fragment.state, syntax);
      if (!place)
        return std::nullopt;
      written.edits.push_back({*place, result});
    }
  }
  StringRef op = StringRef(text);
  if (fix.givesResult)
    op = op.split(" = ").second;
  written.title = ("Insert " + op.split(' ').first.split('\n').first).str();
  put("\n", "\n" + *indent);
  size_t begin = statement->span.begin;
  written.edits.insert(written.edits.begin(),
                       {{begin, begin}, lines + text + "\n" + *indent});
  return written;
}

std::optional<QuickFix> FixWriter::operator()(const LayoutFix &fix) const {
  for (const auto &alias : fragment.state.getAttributeAliasDefs()) {
    if (alias.value != fix.from)
      continue;
    Span name = places.span(alias.definition.loc);
    SyntaxId id = syntax.statementAt(name.begin);
    if (id == noSyntax || syntax.statement(id).kind != Statement::Alias)
      continue;
    const Statement &statement = syntax.statement(id);
    std::string text;
    llvm::raw_string_ostream(text) << fix.to;
    // `#name = ...`
    size_t value = syntax.tokenAfter(statement.name.end) + 1;
    if (value >= statement.endToken)
      continue;
    QuickFix written = {
        "Change the layout " + syntax.text(statement.name).str(),
        {{{syntax.tokens()[value].begin, statement.span.end}, text}}};
    written.isToBeChecked = true;
    return written;
  }
  return std::nullopt;
}

std::optional<QuickFix> FixWriter::operator()(const OperandFix &fix) const {
  const Statement *statement = statementOf(fix.operand->getOwner());
  std::string value = nameOf(fragment.state, fix.value);
  std::optional<Span> place =
      statement
          ? spanOfOperand(*fix.operand, *statement, fragment.state, syntax)
          : std::nullopt;
  if (!place || value.empty())
    return std::nullopt;
  return QuickFix{"Use " + value, {{*place, value}}};
}

std::optional<Span> FixWriter::linesOf(const Statement &statement) const {
  StringRef text = syntax.text();
  size_t end =
      std::min(text.find('\n', statement.span.end), text.size() - 1) + 1;
  if (!indentOf(statement) ||
      !text.slice(statement.span.end, end).trim().empty())
    return std::nullopt;
  return Span{text.rfind('\n', statement.span.begin) + 1, end};
}

std::optional<QuickFix> FixWriter::operator()(const RedundantOp &fix) const {
  const Statement *statement = statementOf(fix.op);
  std::optional<Span> lines = statement ? linesOf(*statement) : std::nullopt;
  if (!lines)
    return std::nullopt;
  return QuickFix{("Remove " + fix.op->getName().getStringRef()).str(),
                  {{*lines, ""}}};
}

std::optional<QuickFix> FixWriter::operator()(const MovedOp &fix) const {
  const Statement *statement = statementOf(fix.op),
                  *after = statementOf(fix.after);
  if (!statement || !after)
    return std::nullopt;
  std::optional<Span> lines = linesOf(*statement), place = linesOf(*after);
  if (!lines || !place)
    return std::nullopt;
  std::string text =
      syntax.text().slice(lines->begin, lines->end).rtrim('\n').str() + "\n";
  return QuickFix{("Move " + fix.op->getName().getStringRef() + " after " +
                   fix.after->getName().getStringRef())
                      .str(),
                  {{*lines, ""}, {{place->end, place->end}, text}}};
}

std::optional<QuickFix> kernelscope::writeFix(const LintFix &fix,
                                              const FragmentPlaces &places,
                                              const Syntax &syntax) {
  return std::visit(FixWriter(places, syntax), fix);
}
