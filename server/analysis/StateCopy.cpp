//===- StateCopy.cpp - what the parser noted, moved elsewhere -------------===//

#include "server/analysis/StateCopy.h"

#include "server/analysis/ParseMessages.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace kernelscope;
using mlir::AsmParserState;
using mlir::FileLineColLoc;

mlir::SMRange StateCopy::moved(mlir::SMRange range) const {
  mlir::SMLoc begin = move(range.Start, /*isEnd=*/false);
  if (!begin.isValid())
    return {};
  size_t length = range.End.getPointer() - range.Start.getPointer();
  return {begin, mlir::SMLoc::getFromPointer(begin.getPointer() + length)};
}

void StateCopy::add(const AsmParserState::OperationDefinition &definition,
                    mlir::Operation *op) {
  llvm::SmallVector<std::pair<unsigned, mlir::SMLoc>, 2> groups;
  for (const auto &group : definition.resultGroups)
    groups.push_back(
        {group.startIndex, move(group.definition.loc.Start, /*isEnd=*/false)});
  state.startOperationDefinition(op->getName());
  state.finalizeOperationDefinition(
      op, moved(definition.loc), move(definition.scopeLoc.End, true), groups);
}

void StateCopy::add(const AsmParserState::BlockDefinition &definition) {
  state.addDefinition(definition.block,
                      move(definition.definition.loc.Start, /*isEnd=*/false));
  for (auto [argument, place] :
       llvm::zip(definition.block->getArguments(), definition.arguments))
    state.addDefinition(argument, move(place.loc.Start, /*isEnd=*/false));
}

void StateCopy::addAliases(const AsmParserState &from) {
  // A definition refers to its name in the text, behind the `#` or `!`.
  auto nameAt = [](mlir::SMRange place, llvm::StringRef name) {
    return llvm::StringRef(place.Start.getPointer() + 1, name.size());
  };
  for (const auto &alias : from.getAttributeAliasDefs()) {
    mlir::SMRange place = moved(alias.definition.loc);
    state.addAttrAliasDefinition(nameAt(place, alias.name), place, alias.value);
  }
  for (const auto &alias : from.getTypeAliasDefs()) {
    mlir::SMRange place = moved(alias.definition.loc);
    state.addTypeAliasDefinition(nameAt(place, alias.name), place, alias.value);
  }
}

/// Line and column, from one, of a byte that the parser saw.
static std::pair<unsigned, unsigned> lineAndColumn(const Fragment &fragment,
                                                   const char *place) {
  const auto &source = fragment.sources.getBufferInfo(1);
  unsigned line = source.getLineNumber(place);
  return {line, place - source.getPointerForLineNumber(line) + 1};
}

mlir::Location kernelscope::locationAt(const Fragment &fragment,
                                       mlir::SMLoc place) {
  mlir::MLIRContext *context = &fragment.workspace->context;
  auto [line, column] = lineAndColumn(fragment, place.getPointer());
  return FileLineColLoc::get(mlir::StringAttr::get(context, bufferName), line,
                             column);
}

LocationShift::LocationShift(const Fragment &from, size_t begin, size_t end,
                             const Fragment &to, size_t newBegin, size_t newEnd)
    : file(mlir::StringAttr::get(&to.workspace->context, bufferName)) {
  auto at = [](const Fragment &fragment, size_t offset) {
    return lineAndColumn(fragment, fragment.buffer().begin() + offset);
  };
  std::tie(line, column) = at(from, end);
  auto [newLine, newColumn] = at(to, newEnd);
  linesBefore = int(at(to, newBegin).first) - int(at(from, begin).first);
  linesAfter = int(newLine) - int(line);
  columns = int(newColumn) - int(column);
}

mlir::Location LocationShift::operator()(mlir::Location location) const {
  auto place = llvm::dyn_cast<FileLineColLoc>(location);
  if (!place || place.getFilename() != file)
    return location;
  std::pair at(place.getLine(), place.getColumn());
  bool isAfter = at >= std::pair(line, column);
  int lines = isAfter ? linesAfter : linesBefore;
  int moved = isAfter && at.first == line ? columns : 0;
  if (!lines && !moved)
    return location;
  return FileLineColLoc::get(file, at.first + lines, at.second + moved);
}

void kernelscope::sortUses(mlir::Value value, const AsmParserState &state) {
  // An op uses its operands, the first one first, once it was read; one that a
  // custom syntax implies, right before the op around it.
  using Key = std::tuple<const char *, bool, unsigned>;
  llvm::SmallVector<std::pair<Key, size_t>, 8> uses;
  for (mlir::OpOperand &use : value.getUses()) {
    mlir::Operation *user = use.getOwner(), *read = user;
    while (read && !state.getOpDef(read))
      read = read->getParentOp();
    if (!read)
      return;
    const char *end = state.getOpDef(read)->scopeLoc.End.getPointer();
    uses.push_back({{end, read == user, use.getOperandNumber()}, uses.size()});
  }
  if (uses.size() < 2)
    return;
  llvm::sort(uses, std::greater<>());
  llvm::SmallVector<unsigned, 8> indices(uses.size());
  for (auto [index, use] : llvm::enumerate(uses))
    indices[use.second] = index;
  value.shuffleUseList(indices);
}
