//===- ValueName.cpp - what a value is called in the text -----------------===//

#include "server/analysis/ValueName.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

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
