//===- ValueName.cpp - what a value is called in the text -----------------===//

#include "server/analysis/ValueName.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

std::string kernelscope::nameOf(const mlir::AsmParserState &state,
                                mlir::Value value) {
  auto textOf = [](mlir::SMRange range) {
    if (!range.isValid())
      return std::string();
    return std::string(range.Start.getPointer(), range.End.getPointer());
  };
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    const auto *block = state.getBlockDef(argument.getOwner());
    if (!block || argument.getArgNumber() >= block->arguments.size())
      return "";
    return textOf(block->arguments[argument.getArgNumber()].loc);
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  const auto *definition = state.getOpDef(result.getOwner());
  if (!definition)
    return "";
  unsigned number = result.getResultNumber();
  for (const auto &group : llvm::reverse(definition->resultGroups)) {
    if (group.startIndex > number)
      continue;
    std::string name = textOf(group.definition.loc);
    bool isPack =
        &group != &definition->resultGroups.back()
            ? (&group)[1].startIndex - group.startIndex > 1
            : result.getOwner()->getNumResults() - group.startIndex > 1;
    return isPack ? name + "#" + std::to_string(number - group.startIndex)
                  : name;
  }
  return "";
}

std::optional<Span>
kernelscope::spanOfOperand(mlir::OpOperand &operand, const Statement &statement,
                           const mlir::AsmParserState &state,
                           const Syntax &syntax) {
  std::string name = nameOf(state, operand.get());
  // The same value may be an operand before.
  mlir::Operation *op = operand.getOwner();
  size_t before = llvm::count(
      op->getOperands().take_front(operand.getOperandNumber()), operand.get());
  for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
    const Token &token = syntax.tokens()[i];
    if (token.kind != Token::Value || token.begin < statement.name.end)
      continue;
    Span span = token.span();
    if (i + 1 < statement.endToken &&
        syntax.tokens()[i + 1].kind == Token::Hash &&
        syntax.tokens()[i + 1].begin == span.end)
      span.end = syntax.tokens()[i + 1].end;
    if (syntax.text().substr(span.begin, span.end - span.begin) == name &&
        before-- == 0)
      return span;
  }
  return std::nullopt;
}
