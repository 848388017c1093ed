//===- EditParser.cpp - edited ops in a small text of their own -----------===//

#include "server/analysis/EditParser.h"

#include "server/analysis/ParseMessages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;
using mlir::Operation;

Operation *EditParser::oldOpOf(SyntaxId id) const {
  std::optional<mlir::SMLoc> name =
      earlier.toParser(oldSyntax.statement(id).name.begin);
  for (const auto &definition : earlier.ops())
    if (name && definition.loc.Start == *name)
      return definition.op;
  return nullptr;
}

bool EditParser::findNeighbor() {
  const EditedStatements::Side &side = edit.place.before;
  const auto &ids = oldSyntax.region(side.region).statements;
  if (side.end < ids.size())
    edit.next = oldOpOf(ids[side.end]);
  else if (side.first > 0)
    edit.previous = oldOpOf(ids[side.first - 1]);
  return neighbor();
}

//===----------------------------------------------------------------------===//
// The values that are used
//===----------------------------------------------------------------------===//

/// What `name` means where the edited ops are.
std::optional<UsedValue> EditParser::findValue(StringRef name) const {
  const mlir::AsmParserState &state = earlier.fragment->state;
  auto isNamed = [&](mlir::SMRange place) {
    return place.isValid() &&
           StringRef(place.Start.getPointer(),
                     place.End.getPointer() - place.Start.getPointer()) == name;
  };
  for (mlir::Region *region = neighbor()->getParentRegion(); region;
       region = region->getParentRegion()) {
    for (mlir::Block &block : *region) {
      if (const auto *definition = state.getBlockDef(&block))
        for (auto [argument, place] :
             llvm::zip(block.getArguments(), definition->arguments))
          if (isNamed(place.loc))
            return UsedValue{argument};
      for (Operation &op : block) {
        const auto *definition = state.getOpDef(&op);
        if (!definition || llvm::is_contained(edit.oldOps, &op))
          continue;
        unsigned end = op.getNumResults();
        for (const auto &group : llvm::reverse(definition->resultGroups)) {
          if (isNamed(group.definition.loc))
            return UsedValue{op.getResult(group.startIndex),
                             end - group.startIndex};
          end = group.startIndex;
        }
      }
    }
    if (region->getParentOp() == root ||
        region->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return std::nullopt;
}

/// Whether the function has the value in its header.
bool EditParser::isArgument(mlir::Value value) const {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && argument.getOwner() == &root->getRegion(0).front();
}

bool EditParser::declareUsed() {
  bool isComplete = true;
  llvm::ArrayRef<SyntaxId> ids = newStatements();
  llvm::SmallVector<StringRef, 8> known;
  for (SyntaxId id : ids)
    for (const ResultName &result : syntax.statement(id).results)
      known.push_back(syntax.text(result.name));
  for (SyntaxId id : ids) {
    const Statement &statement = syntax.statement(id);
    for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
      const Token &token = syntax.tokens()[i];
      StringRef name = syntax.text(token);
      if (token.kind != Token::Value || token.begin < statement.name.end ||
          llvm::is_contained(known, name))
        continue;
      known.push_back(name);
      std::optional<UsedValue> value = findValue(name);
      isComplete &= value.has_value();
      if (value && !isArgument(value->first))
        declare(name, *value);
    }
  }
  return isComplete;
}

void EditParser::declare(StringRef name, const UsedValue &value) {
  llvm::raw_string_ostream out(declarations);
  out << name << ":" << value.count << " = \"kernelscope.hole\"() : () -> (";
  llvm::interleaveComma(value.values(), out,
                        [&](mlir::Value one) { out << one.getType(); });
  out << ")\n";
  edit.used.push_back(value);
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

void EditParser::writeText(size_t opsEnd) {
  const EditedStatements::Side &side = edit.place.after;
  StringRef all = patched.str();
  edit.copyEnd = side.bodyBegin;
  edit.text = (all.take_front(side.bodyBegin) + "\n" + declarations).str();
  edit.opsBegin = edit.text.size();
  if (side.first != side.end)
    edit.text += all.slice(side.opsBegin, opsEnd);
  edit.text += "\n";
  edit.rest = edit.text.size();
  edit.text += all.drop_front(side.function.end);

  if (request.progress)
    request.progress(patched.toSource(side.opsBegin));
  edit.sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(edit.text, bufferName), llvm::SMLoc());
  edit.top = mlir::ModuleOp::create(
      mlir::UnknownLoc::get(&request.workspace->context));
}
